"""A diffusion model on this machine, loaded once: the pipeline that draws and the one that edits share its weights."""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
import importlib.util
import inspect
import logging
import warnings
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from portrayal.errors import ConfigError, InputError, MissingExtraError
from portrayal.generators.diffusers.models import PART, Adapter, Models, weight_patterns
from portrayal.generators.diffusers.options import DiffusersOptions
from portrayal.generators.diffusers.schedulers import set_scheduler
from portrayal.hub import ModelFiles, loading
from portrayal.jsonfile import read_json

__all__ = ["LoadedModel", "hushed"]


@contextlib.contextmanager
def hushed() -> Iterator[list[str]]:
    """Keep bars, warnings and advice of the libraries out of the command's output; what they said is in the list."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from diffusers.utils import logging as library

        bars = library.is_progress_bar_enabled()
        library.disable_progress_bar()
        loggers = [logging.getLogger(name) for name in ("diffusers", "transformers", "peft")]
        before = [(logger, logger.handlers, logger.level, logger.propagate) for logger in loggers]
        listener = _Listener()
        for logger in loggers:
            logger.handlers, logger.propagate = [listener], False
            logger.setLevel(logging.WARNING)
        try:
            yield listener.said
        finally:
            for logger, handlers, level, propagate in before:
                logger.handlers, logger.propagate = handlers, propagate
                logger.setLevel(level)
            if bars:
                library.enable_progress_bar()


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


class LoadedModel:
    """A model in memory. What it can do depends on its pipeline: draw, edit, or both."""

    def __init__(self, models: Models, options: DiffusersOptions) -> None:
        import torch

        cuda = torch.cuda.is_available()
        self.device = ("cuda" if cuda else "cpu") if options.device == "auto" else options.device
        self.dtype: str = options.dtype
        with loading(PART, models.model.place), hushed() as said:
            self._pipe = self._load(models.model, options.variant, said)
            self._prior: dict[str, Any] = {}
            if models.prior is not None:
                first = self._load(models.prior, options.variant, said)
                self._prior = {f"prior_{name}": part for name, part in first.components.items()}
            _adapt(self._pipe, models.adapters)
            set_scheduler(PART, self._pipe, options.scheduler, options.spacing)

    @functools.cached_property
    def drawing(self) -> Any:
        """The pipeline from text to image."""
        pipeline = type(self._pipe).__name__
        with hushed():
            from diffusers import AutoPipelineForText2Image

            pipe = _seen_as(AutoPipelineForText2Image, self._pipe, self._prior)
        if pipe is None:
            takes = inspect.signature(type(self._pipe).__call__).parameters
            if any(name in takes for name in ("image_embeddings", "image_embeds")):
                raise ConfigError(f"{PART}: {pipeline} is the second of two stages; set options.prior to the first")
            if "prompt" not in takes or "image" in takes:
                raise ConfigError(f"{PART}: {pipeline} draws nothing from text alone; take a text-to-image model")
            pipe = self._pipe
        return self._ready(pipe)

    @functools.cached_property
    def editing(self) -> Any:
        """The pipeline from an image and a text to an image: the model's own if it has one, else image-to-image."""
        pipeline = type(self._pipe).__name__
        with hushed():
            from diffusers import AutoPipelineForImage2Image

            pipe = _seen_as(AutoPipelineForImage2Image, self._pipe, self._prior)
        if pipe is None:
            takes = inspect.signature(type(self._pipe).__call__).parameters
            if "prompt" not in takes or "image" not in takes or "mask_image" in takes:
                raise ConfigError(f"{PART}: {pipeline} edits no images; take a model with an image-to-image pipeline")
            pipe = self._pipe
        return self._ready(pipe)

    def versions(self, pipe: Any) -> str:
        """Return what pictures of ``pipe`` depend on beside the model."""
        import torch

        version = importlib.metadata.version
        device = f" ({torch.cuda.get_device_name(self.device)})" if self.device.startswith("cuda") else ""
        libraries = f"diffusers {version('diffusers')}; torch {torch.__version__}"
        return f"{libraries}; {type(pipe).__name__}; {self.dtype}; {self.device}{device}"

    def _load(self, model: ModelFiles, variant: str, said: Sequence[str]) -> Any:
        import torch
        from diffusers import DiffusionPipeline

        folder = model.folder(weight_patterns(variant))
        if self.dtype == "auto":
            self.dtype = _dtype(folder, self.device)
        dtype = getattr(torch, self.dtype)
        _keep_old_names()
        # The folder, not the id: with a name of the hub the library might ask the hub.
        pipe = DiffusionPipeline.from_pretrained(folder, dtype=dtype, variant=variant or None, local_files_only=True)
        if any("newly initialized" in text for text in said):  # with random numbers
            raise InputError(f"{PART}: {model.place} lacks some of the model's weights; fetch them anew")
        return pipe.to(self.device)

    def _ready(self, pipe: Any) -> Any:
        pipe.set_progress_bar_config(disable=True)
        return pipe


def _keep_old_names() -> None:
    """Let models be loaded that name a module of the library by its place of old, as Stable Cascade does."""
    from diffusers import pipelines

    with contextlib.suppress(ImportError):
        if not hasattr(pipelines, "wuerstchen"):
            pipelines.wuerstchen = importlib.import_module("diffusers.pipelines.deprecated.wuerstchen")


def _seen_as(auto: Any, pipe: Any, more: dict[str, Any]) -> Any:
    """Return ``pipe`` as the pipeline of a task, with the same weights; None when there is none for its kind."""
    try:
        return auto.from_pipe(pipe, **more)
    except ValueError:
        return None


def _dtype(folder: Path, device: str) -> str:
    """Return a precision that suits the device; models without a UNet were trained beyond float16's range."""
    index = folder / "model_index.json"
    if not index.is_file():
        raise InputError(f"{PART}: {folder} holds no pipeline of diffusers: there is no {index.name} in it")
    if not device.startswith("cuda"):
        return "float32"
    return "float16" if "unet" in _names(index) else "bfloat16"


def _names(index: Path) -> Collection[str]:
    said = read_json(index)
    if not isinstance(said, dict):
        raise InputError(f"{PART}: {index} is not as diffusers writes it; take another model")
    return said.keys()


def _adapt(pipe: Any, adapters: Sequence[Adapter]) -> None:
    """Put the adapters onto the model, all at a time."""
    if not adapters:
        return
    if importlib.util.find_spec("peft") is None:
        raise MissingExtraError(f'{PART} needs peft for options.loras: run pip install "portrayal[diffusers]"')
    if not hasattr(pipe, "load_lora_weights"):
        raise ConfigError(f"{PART}: {type(pipe).__name__} takes no adapters; leave options.loras out")
    names = [f"lora{place}" for place in range(len(adapters))]
    for name, adapter in zip(names, adapters, strict=True):
        file = adapter.file()
        pipe.load_lora_weights(file.parent, weight_name=file.name, adapter_name=name, local_files_only=True)
        if not any(name in loaded for loaded in pipe.get_list_adapters().values()):
            raise InputError(f"{PART}: {file} holds no adapter for {type(pipe).__name__}")
    pipe.set_adapters(names, adapter_weights=[adapter.scale for adapter in adapters])

"""Zero-shot annotation by a model that compares images with texts: CLIP, or another that works like it."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field

from portrayal.annotators.zero_shot import ZeroShot, ZeroShotOptions
from portrayal.errors import ConfigError, InputError, PortrayalError
from portrayal.records import Abstention, Image, Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["Clip", "ClipOptions"]

PINNED = {"openai/clip-vit-large-patch14": "32bd64288804d66eefd0ccbe215aa642df71cc41"}
"""Commits of models that work without an option ``revision``: the one that FAIntbench used."""

_MODEL_FILES = (".bin", ".json", ".model", ".safetensors", ".txt")
_SAMPLES, _SAMPLE = 16, 65_536
_SHOWN = 12


class ClipOptions(ZeroShotOptions):
    """``revision`` is the commit of a model on the hub; ``device`` is where it runs, on a graphics card if it can."""

    revision: str = Field(default="", pattern=r"^([0-9a-f]{40})?$")
    device: str = Field(default="auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")

    def changed(self) -> dict[str, Any]:
        """Leave out what makes no other annotator: its name holds the revision already, and any device will do."""
        return {key: value for key, value in super().changed().items() if key not in ("revision", "device")}


class Clip:
    """Asks in words; see :class:`portrayal.annotators.zero_shot.ZeroShot` for the questions."""

    Options = ClipOptions
    looks = True
    citations: Sequence[str] = (
        "Radford et al. 2021, Learning Transferable Visual Models From Natural Language Supervision, ICML",
    )

    def __init__(self, argument: str, options: ClipOptions) -> None:
        self.options = options
        self.model, self.revision = _located(argument, options.revision)
        self.name = f"clip@1:{_shown(argument, self.model)}@{self.revision[:_SHOWN]}"
        self._asked = ZeroShot("clip", options)
        self.attributes = self._asked.attributes

    def __getstate__(self) -> dict[str, Any]:
        # A loaded model does not travel to another process; each loads its own.
        return {name: value for name, value in self.__dict__.items() if name != "_loaded"}

    def annotate(self, images: Sequence[Image]) -> Iterator[Observation | Abstention]:
        """Yield one observation per question and image; an image that cannot be read is abstained from."""
        yield from self._asked.annotate(images, self.name, self._score)

    def _score(self, pictures: Sequence[Picture], texts: Sequence[str]) -> NDArray[np.floating]:
        return self._loaded.score(pictures, texts)

    @functools.cached_property
    def _loaded(self) -> _Model:
        folder = self.model if isinstance(self.model, Path) else _fetched(self.model, self.revision)
        try:
            return _Model(folder, self.options.device)
        except (PortrayalError, MemoryError):
            raise
        except Exception as error:  # files that are missing, damaged or of another kind fail in every way
            line = next(iter(str(error).strip().splitlines()), type(error).__name__)
            raise InputError(f"annotator 'clip': the model in {folder} cannot be loaded: {line}") from None


class _Model:
    """A loaded model, which encodes each list of texts once."""

    def __init__(self, folder: Path, device: str) -> None:
        import torch
        from transformers import AutoModel, AutoProcessor

        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        self._torch, self._device = torch, device
        with _quiet():
            # Pillow shrinks the pictures, whatever else is installed: other ways give slightly other numbers.
            processor = AutoProcessor.from_pretrained(folder, backend="pil", local_files_only=True)
            network, found = AutoModel.from_pretrained(folder, local_files_only=True, output_loading_info=True)
        if not hasattr(network, "get_image_features") or not hasattr(network, "logit_scale"):
            raise InputError(f"annotator 'clip': {folder} holds no model that compares images with texts; take a CLIP")
        if found["missing_keys"] or found["mismatched_keys"]:  # would be filled with random numbers
            raise InputError(f"annotator 'clip': {folder} lacks some of the model's weights; fetch them anew")
        self._network = network.float().eval().to(device)
        self._pixels, self._words = processor.image_processor, processor.tokenizer
        self._encoded: dict[tuple[str, ...], Any] = {}

    def score(self, pictures: Sequence[Picture], texts: Sequence[str]) -> NDArray[np.floating]:
        """Return logits (pictures, texts). What a model adds to all of them cancels out in each question."""
        # On a graphics card convolutions are rounded to fewer digits, unless forbidden.
        with self._torch.inference_mode(), self._torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
            pixels = self._pixels(images=list(pictures), return_tensors="pt")["pixel_values"].to(self._device)
            seen = _unit(self._network.get_image_features(pixel_values=pixels).pooler_output)
            logits = seen @ self._encode(tuple(texts)).T * self._network.logit_scale.exp()
        scores: NDArray[np.floating] = logits.cpu().numpy()
        return scores

    def _encode(self, texts: tuple[str, ...]) -> Any:
        if texts not in self._encoded:
            longest = int(self._network.config.text_config.max_position_embeddings)
            for text, tokens in zip(texts, self._words(list(texts))["input_ids"], strict=True):
                if len(tokens) > longest:  # a cut text may lose the very word that tells the groups apart
                    raise ConfigError(f"annotator 'clip': the model reads {longest} tokens; shorten {text!r}")
            tokens = self._words(list(texts), padding="max_length", max_length=longest, return_tensors="pt")
            encoded = self._network.get_text_features(**tokens.to(self._device)).pooler_output
            self._encoded[texts] = _unit(encoded)
        return self._encoded[texts]


def _unit(features: Any) -> Any:
    return features / features.norm(dim=-1, keepdim=True)


def _fetched(model: str, revision: str) -> Path:
    """Return where the hub's files lie on this machine; nothing is fetched while a study runs."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model, revision=revision, local_files_only=True))
    except LocalEntryNotFoundError:
        files = "--include '*.json' --include '*.txt' --include '*.safetensors'"
        raise InputError(
            f"annotator 'clip': {model} is not on this machine; "
            f"fetch it once with: hf download {model} --revision {revision} {files}"
        ) from None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's progress bars and advice out of the command's output while a model is loaded."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _located(argument: str, revision: str) -> tuple[str | Path, str]:
    """Return the model's place, a folder or an id on the hub, and its revision, for a folder a digest of its files."""
    if not argument:
        raise ConfigError("annotator 'clip' needs a model, such as clip:openai/clip-vit-large-patch14")
    folder = Path(argument).expanduser()
    if folder.is_dir():
        if revision:
            raise ConfigError(f"annotator 'clip': {argument} is a folder and has no revision; leave the option out")
        return folder.absolute(), _digest(folder)
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", argument) or argument.startswith("."):
        raise InputError(
            f"annotator 'clip': no folder {argument}; give a folder or a model's id on the hub (owner/name)"
        )
    if not revision and argument not in PINNED:
        raise ConfigError(
            f"annotator 'clip': set options.revision to a commit of {argument} (40 digits, in its history on the hub); "
            "a model that changes would mix two models' results"
        )
    return argument, revision or PINNED[argument]


def _shown(argument: str, model: str | Path) -> str:
    return model.name if isinstance(model, Path) else argument


def _digest(folder: Path) -> str:
    """Digest names, sizes and samples of a model's files: weights are too large to be read whole at every command."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in _MODEL_FILES and path.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.name}\0{size}\0".encode())
        with path.open("rb") as file:
            for place in range(_SAMPLES):
                file.seek(max(0, size - _SAMPLE) * place // (_SAMPLES - 1))
                digest.update(file.read(_SAMPLE))
    return digest.hexdigest()

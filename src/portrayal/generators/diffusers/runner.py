"""One call of a pipeline: requests in, pictures out, and each picture judged and put into a file."""

from __future__ import annotations

import inspect
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.errors import ConfigError
from portrayal.generators.diffusers.batches import Batches, CudaMemory, ItemFailure
from portrayal.generators.diffusers.models import PART
from portrayal.generators.diffusers.options import DiffusersOptions
from portrayal.generators.diffusers.pipeline import LoadedModel, hushed
from portrayal.records import Failed, Made, Refused

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["DRAW", "EDIT", "PipelineRunner", "Request"]

DRAW = ("steps", "guidance", "width", "height", "negative")
"""The options that a pipeline which draws is called with."""

EDIT = ("steps", "guidance", "negative", "strength", "image_guidance")
"""The options that a pipeline which edits is called with; the source has been fitted to width and height."""

_NEGATIVE = "negative_prompt"

_CALLED: Mapping[str, tuple[str, ...]] = {
    # Of two stages the first composes the picture; the second keeps the library's settings.
    "steps": ("prior_num_inference_steps", "num_inference_steps"),
    "guidance": ("prior_guidance_scale", "guidance_scale"),
    "width": ("width",),
    "height": ("height",),
    "negative": (_NEGATIVE,),
    "strength": ("strength",),
    "image_guidance": ("image_guidance_scale",),
}
"""What pipelines call an option; the first that a pipeline takes is meant."""

_EXTENSIONS = {"png": "png", "jpeg": "jpg", "webp": "webp"}


@dataclass(frozen=True, slots=True)
class Request:
    """A picture to draw, or ``source`` to edit."""

    job: str
    text: str
    seed: int
    source: Picture | None = None


@dataclass(frozen=True, slots=True)
class _RawImage:
    pixels: NDArray[np.floating]
    flagged: bool


class PipelineRunner:
    """A pipeline with its settings, which draws in batches that fit."""

    def __init__(self, loaded: LoadedModel, pipe: Any, options: DiffusersOptions, used: Sequence[str]) -> None:
        import torch

        self.pipe, self._options = pipe, options
        self._settings = _settings(pipe, options, used)
        self._takes_size = "width" in inspect.signature(type(pipe).__call__).parameters
        self._versions = loaded.versions(pipe)
        self._parts = [part for part in pipe.components.values() if isinstance(part, torch.nn.Module)]
        self._dtypes = [{name: tensor.dtype for name, tensor in _tensors(part)} for part in self._parts]
        memory = CudaMemory(loaded.device) if loaded.device.startswith("cuda") else None
        size = options.batch if isinstance(options.batch, int) else None
        self.batches: Batches[Request, _RawImage] = Batches(self._call, self._recover, size, memory)

    def run(self, requests: Sequence[Request]) -> Iterator[Made | Refused | Failed]:
        """Yield one outcome per request, in order; sources must be of one size."""
        for request, drawn in zip(requests, self.batches.run(requests), strict=True):
            if isinstance(drawn, ItemFailure):
                yield self.failed(request.job, drawn.reason, drawn.detail)
            else:
                yield self._outcome(request.job, drawn)

    def failed(self, job: str, reason: str, detail: str) -> Failed:
        """Return a failure that says what the pipeline is."""
        return Failed(job, reason, detail, self._versions)

    def _call(self, requests: Sequence[Request]) -> list[_RawImage]:
        import torch

        same = dict(self._settings)
        each: dict[str, Any] = {"prompt": [request.text for request in requests]}
        if _NEGATIVE in same:  # pipelines want as many as prompts
            each[_NEGATIVE] = [same.pop(_NEGATIVE)] * len(requests)
        if sources := [request.source for request in requests if request.source is not None]:
            each["image"] = sources
            if self._takes_size:
                same["width"], same["height"] = sources[0].size
        # A generator for each image makes its noise its own; on the CPU it is the same noise for every device.
        each["generator"] = [torch.Generator("cpu").manual_seed(request.seed) for request in requests]
        with hushed(), torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
            output = self.pipe(output_type="np", **each, **same)
        flags = getattr(output, "nsfw_content_detected", None) or getattr(output, "nsfw_detected", None)
        return [
            _RawImage(pixels, bool(flag))
            for pixels, flag in zip(output.images, flags or [False] * len(requests), strict=True)
        ]

    def _recover(self) -> None:
        """Undo what a broken call left behind: some pipelines decode in another precision, and go back at the end.

        Tensor by tensor, since memory may have run out half way there or back, and some parts mix precisions.
        """
        for part, dtypes in zip(self._parts, self._dtypes, strict=True):
            for name, tensor in _tensors(part):
                if tensor.dtype != dtypes[name]:
                    tensor.data = tensor.data.to(dtypes[name])

    def _outcome(self, job: str, drawn: _RawImage) -> Made | Refused | Failed:
        if drawn.flagged:
            return Refused(job, "safety_checker", "the model's safety checker blanked the image", self._versions)
        if not np.isfinite(drawn.pixels).all():
            advice = 'the model computed no numbers, as float16 may; set options.dtype to "bfloat16" or "float32"'
            return self.failed(job, "not_a_number", advice)
        pixels = (drawn.pixels * 255).round().clip(0, 255).astype(np.uint8)
        if not pixels.any() and getattr(self.pipe, "safety_checker", None) is not None:
            return Refused(job, "safety_checker", "the image is black all over", self._versions)
        height, width = pixels.shape[:2]
        return Made(job, self._file(pixels), _EXTENSIONS[self._options.format], width, height, versions=self._versions)

    def _file(self, pixels: NDArray[np.uint8]) -> bytes:
        from PIL import Image

        file, quality = io.BytesIO(), self._options.quality or 95
        details = {
            "png": {"compress_level": 1},  # photographs hardly shrink further, and take many times as long
            "jpeg": {"quality": quality, "subsampling": 0},  # colours as fine as brightness: tones are measured
            "webp": {"quality": quality},
        }
        Image.fromarray(pixels).save(file, self._options.format, **details[self._options.format])
        return file.getvalue()


def _tensors(part: Any) -> list[tuple[str, Any]]:
    return [*part.named_parameters(), *part.named_buffers()]


def _settings(pipe: Any, options: DiffusersOptions, used: Sequence[str]) -> dict[str, Any]:
    """Return the options that are set, by the names ``pipe`` calls them; one that it does not know is refused."""
    takes = inspect.signature(type(pipe).__call__).parameters
    settings: dict[str, Any] = {}
    for option in used:
        value = getattr(options, option)
        if value is None or value == "":
            continue
        name = next((name for name in _CALLED[option] if name in takes), None)
        if name is None:
            raise ConfigError(f"{PART}: {type(pipe).__name__} takes no {option}; leave options.{option} out")
        settings[name] = value
    return settings

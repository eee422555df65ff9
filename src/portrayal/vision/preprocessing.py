"""How a model wants its pictures: which size, which part, which scale."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["Preprocessing", "resampling"]

_BICUBIC = 3
_BILINEAR = 2
_STEPS = {"preprocess", "_preprocess", "process_image", "resize", "center_crop", "rescale", "normalize"}
_COLOURS = ("image_mean", "image_std")
_SUPPORT = {_BICUBIC: 2.0, _BILINEAR: 1.0}


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """Shrink to ``size`` (the short side, or height and width), cut out the middle ``crop``, scale by mean and spread.

    ``resample`` is Pillow's number for how pictures are shrunk.
    """

    size: int | tuple[int, int]
    crop: tuple[int, int]
    resample: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    factor: float = 1 / 255

    @classmethod
    def of(cls, processor: Any, *, part: str) -> Preprocessing:
        """Return what a transformers image processor does, if it is what is known here; ``part`` is who asks."""
        given = processor.to_dict()
        size = _edges(given.get("size"))
        crop = _edges(given.get("crop_size")) if given.get("do_center_crop") else size
        if size is None or not isinstance(crop, tuple) or not (_plain(given) and _usual(type(processor))):
            kind = given.get("image_processor_type") or type(processor).__name__
            raise InputError(f"{part}: pictures as {kind} prepares them are not supported; take a CLIP or a SigLIP")
        return cls(
            size,
            crop,
            int(given["resample"]),
            mean=tuple(given["image_mean"]),
            std=tuple(given["image_std"]),
            factor=float(given["rescale_factor"]),
        )

    def target(self, width: int, height: int) -> tuple[int, int]:
        """Return width and height to which a picture is shrunk before its middle is cut out."""
        if isinstance(self.size, tuple):
            return self.size[1], self.size[0]
        short, long = sorted((width, height))
        other = int(self.size * long / short)
        return (self.size, other) if width <= height else (other, self.size)

    def apply(self, picture: Picture) -> NDArray[np.uint8]:
        """Return the picture's pixels (height, width, 3), shrunk by Pillow and cut; not scaled yet."""
        from PIL import Image

        width, height = self.target(*picture.size)
        shrunk = np.asarray(picture.resize((width, height), Image.Resampling(self.resample)))
        rows, columns = self.crop
        top, left = (height - rows) // 2, (width - columns) // 2
        if top >= 0 and left >= 0:
            return np.ascontiguousarray(shrunk[top : top + rows, left : left + columns])
        padded = np.zeros((max(rows, height), max(columns, width), 3), np.uint8)
        above, beside = math.ceil((padded.shape[0] - height) / 2), math.ceil((padded.shape[1] - width) / 2)
        padded[above : above + height, beside : beside + width] = shrunk
        top, left = (padded.shape[0] - rows) // 2, (padded.shape[1] - columns) // 2
        return np.ascontiguousarray(padded[top : top + rows, left : left + columns])

    @property
    def multiplies(self) -> bool:
        """Whether shrinking and cutting is a product of matrices: nothing is padded, and the way is known here."""
        edges = self.size if isinstance(self.size, tuple) else (self.size, self.size)
        return self.resample in _SUPPORT and edges[0] >= self.crop[0] and edges[1] >= self.crop[1]

    def matrices(self, width: int, height: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return what to multiply pixels by from the left and from the right to shrink and cut them in one go."""
        across, down = self.target(width, height)
        rows, columns = self.crop
        top, left = (down - rows) // 2, (across - columns) // 2
        tall = resampling(height, down, self.resample, (top, top + rows))
        wide = resampling(width, across, self.resample, (left, left + columns))
        return tall, wide


@functools.lru_cache(maxsize=64)
def resampling(before: int, after: int, kind: int, part: tuple[int, int] | None = None) -> NDArray[np.float32]:
    """Return the weights (after, before) by which Pillow shrinks or enlarges a line of pixels, or a part of it.

    >>> (resampling(4, 2, 2) * 7).round().tolist()
    [[3.0, 3.0, 1.0, 0.0], [0.0, 1.0, 3.0, 3.0]]
    """
    scale = before / after
    widened = max(scale, 1.0)
    centres = (np.arange(*(part or (0, after))) + 0.5) * scale
    reach = _SUPPORT[kind] * widened
    first = np.maximum((centres - reach + 0.5).astype(int), 0)
    last = np.minimum((centres + reach + 0.5).astype(int), before)
    places = np.arange(before)
    distance = np.abs(places[None, :] + 0.5 - centres[:, None]) / widened
    weights = _bicubic(distance) if kind == _BICUBIC else np.maximum(1 - distance, 0)
    weights *= (places >= first[:, None]) & (places < last[:, None])
    normal: NDArray[np.float32] = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    return normal


def _bicubic(x: NDArray[np.float64], a: float = -0.5) -> NDArray[np.float64]:
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    return np.where(x < 1, near, np.where(x < 2, far, 0.0))


def _edges(size: object) -> int | tuple[int, int] | None:
    """Return the short side, or height and width; None when something else is said."""
    match size:
        case {"shortest_edge": int(short), **rest} if not any(rest.values()):
            return short
        case {"height": int(height), "width": int(width), **rest} if not any(rest.values()):
            return height, width
    return None


def _plain(given: dict[str, Any]) -> bool:
    """Return whether the processor is set to shrink, scale and do nothing else."""
    known = all(given.get(step) for step in ("do_resize", "do_rescale", "do_normalize", "rescale_factor"))
    colours = all(isinstance(side, Sequence) and len(side) == 3 for side in map(given.get, _COLOURS))
    return known and colours and not given.get("do_pad") and isinstance(given.get("resample"), int)


def _usual(kind: type) -> bool:
    """Return whether a processor works as most do, and changes none of the steps in a way of its own."""
    derived = list(itertools.takewhile(lambda base: base.__name__ != "PilBackend", kind.__mro__))
    return len(derived) < len(kind.__mro__) and not any(_STEPS & vars(base).keys() for base in derived)

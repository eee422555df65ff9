"""Pictures to edit: read from their bytes, and fitted to what a model can take."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from portrayal.picturefile import open_picture
from portrayal.vision.pictures import upright

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

__all__ = ["UnreadableSource", "edit_size", "fitted", "read_source", "step_of"]


class UnreadableSource(Exception):  # noqa: N818 - one job's failure, not an error for the user
    """Bytes that hold no picture."""


def read_source(data: bytes) -> Picture:
    """Return the picture in ``data`` as a person would see it: oriented by EXIF, on white, RGB."""
    try:
        with open_picture(data) as picture:
            return upright(picture)
    except MemoryError:
        raise
    except Exception as error:  # decoders answer damaged files with whatever went wrong inside them
        raise UnreadableSource(f"{type(error).__name__}: {error}") from None


def step_of(pipe: Any) -> int:
    """Return what the sides of pictures must be multiples of."""
    patch = getattr(pipe, "patch_size", 1)
    patches = int(getattr(pipe, "vae_scale_factor", 8)) * (patch if isinstance(patch, int) else 1)
    processor = getattr(pipe, "image_processor", None)
    scale = int(processor.config.get("vae_scale_factor", 1)) if processor is not None else 1
    return math.lcm(8, patches, scale)


def edit_size(pipe: Any, size: tuple[int, int]) -> tuple[int, int]:
    """Return the size at which ``pipe`` edits a picture: as wide as high as before, the longer side the model's own.

    Models draw badly in sizes they were not trained for. Sides are multiples of what the pipeline needs.
    """
    factor = step_of(pipe)
    longest = _native(pipe, factor) or max(size)
    width, height = (max(factor, round(side * longest / max(size) / factor) * factor) for side in size)
    return width, height


def fitted(picture: Picture, size: tuple[int, int]) -> Picture:
    """Return ``picture`` scaled to cover ``size``, and cut to it around the middle."""
    from PIL import Image, ImageOps

    return picture if picture.size == size else ImageOps.fit(picture, size, Image.Resampling.LANCZOS)


def _native(pipe: Any, factor: int) -> int | None:
    """Return the side of pictures that the model was trained on, where it says so."""
    model = getattr(pipe, "unet", None) or getattr(pipe, "transformer", None)
    trained = model.config.get("sample_size") if model is not None else None
    side = getattr(pipe, "default_sample_size", None) or trained
    if not isinstance(side, int):
        return None
    native = side * int(getattr(pipe, "vae_scale_factor", 8))
    return max(factor, native // factor * factor)

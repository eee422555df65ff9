"""Pictures as they come from a service: decoded to their end before they count as drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from portrayal.picturefile import open_picture, seen_size
from portrayal.services.no_result import Again
from portrayal.services.transport.turn import wait_turn

__all__ = ["PictureInfo", "read_picture"]

_EXTENSIONS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp"}
# What decoding takes at most: Pillow's own pixels, and what a progressive JPEG or an animation keeps beside them.
_BYTES_PER_PIXEL = {"PNG": 4, "JPEG": 10, "WEBP": 16}
_MOST_BYTES = 160 * 1024 * 1024
_LARGE = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PictureInfo:
    """A picture that was decoded to its end: its file ending, its size as it is seen, and whether it is all black."""

    ext: str
    width: int
    height: int
    black: bool


def read_picture(data: bytes) -> PictureInfo:
    """Decode a file to its end; one that is damaged or cut short may come whole at the next try.

    Raises
    ------
    Again
        With ``broken_image``, also for formats other than PNG, JPEG and WebP.
    """
    from PIL import UnidentifiedImageError

    try:
        with open_picture(data, tuple(_EXTENSIONS)) as picture:
            kind = str(picture.format)
            cost = picture.width * picture.height * _BYTES_PER_PIXEL[kind]
            if cost > _MOST_BYTES:
                raise ValueError(f"{picture.width} x {picture.height} pixels are too many to decode")
            if cost > _LARGE:
                wait_turn()
            return PictureInfo(_EXTENSIONS[kind], *seen_size(picture), black=_is_black(picture))
    except MemoryError:
        raise
    except UnidentifiedImageError:  # its message names an address in memory
        raise Again("broken_image", f"{len(data)} bytes, no picture in PNG, JPEG or WebP", billed=True) from None
    except Exception as error:  # decoders answer damaged files with whatever went wrong inside them
        raise Again("broken_image", f"{len(data)} bytes, {type(error).__name__}: {error}", billed=True) from None


def _is_black(picture: Any) -> bool:
    if picture.mode in ("L", "RGB"):
        return picture.getbbox() is None  # without a copy of each colour
    # Colours that are numbers of a palette say nothing by themselves; all others are looked at as they are.
    bands = (picture.convert("RGB") if picture.mode == "P" else picture).getextrema()
    several = bands if isinstance(bands[0], tuple) else (bands,)
    colours = several[:1] if picture.mode == "LA" else several[:3]
    return all(band == (0, 0) for band in colours)

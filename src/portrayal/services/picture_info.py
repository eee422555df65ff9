"""Pictures as they come from a service: decoded to their end before they count as drawn."""

from __future__ import annotations

from dataclasses import dataclass

from portrayal.picturefile import open_picture, seen_size
from portrayal.services.no_result import Again

__all__ = ["PictureInfo", "read_picture"]

_EXTENSIONS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp"}


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
            extrema = picture.convert("RGB").getextrema()
            return PictureInfo(_EXTENSIONS[str(picture.format)], *seen_size(picture), black=extrema == ((0, 0),) * 3)
    except MemoryError:
        raise
    except UnidentifiedImageError:  # its message names an address in memory
        raise Again("broken_image", f"{len(data)} bytes, no picture in PNG, JPEG or WebP", billed=True) from None
    except Exception as error:  # decoders answer damaged files with whatever went wrong inside them
        raise Again("broken_image", f"{len(data)} bytes, {type(error).__name__}: {error}", billed=True) from None

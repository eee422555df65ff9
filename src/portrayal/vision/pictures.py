"""Any image file as upright 8-bit RGB, or the reason why not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from portrayal.errors import StorageError
from portrayal.picturefile import ImageFile, open_picture
from portrayal.store.images.image_store import read_image

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["Unreadable", "open_rgb", "upright"]

_STRIP = 2**20
"""Pixels of deep grey that are scaled at a time; as floating-point numbers they take eight bytes each."""


class Unreadable(Exception):  # noqa: N818 - an answer that becomes an abstention, not an error for the user
    """A file that holds no picture; ``reason`` is the abstention's."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def open_rgb(file: ImageFile | None) -> Picture:
    """Return the picture in ``file`` as a person would see it: oriented by EXIF, on white, 8 bits, RGB.

    Raises
    ------
    Unreadable
        With ``missing_file`` when there is no file and ``unreadable_image`` when it cannot be decoded, is cut
        short, or would take more than about a gigabyte.
    DamagedError
        When it is of a study's image store and its bytes are not those that were stored.
    StorageError
        When the store cannot be read.
    """
    # A store far away is not asked twice: it says when it is asked for the picture that there is none.
    if file is None or (isinstance(file, Path) and not file.is_file()):
        raise Unreadable("missing_file")
    try:
        with open_picture(read_image(file)) as picture:
            return upright(picture)
    except (StorageError, MemoryError):
        raise
    except FileNotFoundError:
        raise Unreadable("missing_file") from None
    except Exception:
        # Decoders answer damaged files with whatever went wrong inside them, from struct.error to ZeroDivisionError.
        raise Unreadable("unreadable_image") from None


def upright(picture: Picture) -> Picture:
    """Return an opened picture turned as its EXIF says, on white, 8 bits, RGB."""
    from PIL import Image, ImageOps

    picture = ImageOps.exif_transpose(picture)
    if picture.mode == "RGB" and "transparency" not in picture.info:
        picture.load()
        return picture
    if picture.mode.startswith("I") or picture.mode == "F":
        return _deep_grey(picture)
    if picture.has_transparency_data:
        # White is what most viewers and web pages show behind a cut-out person.
        backdrop = Image.new("RGBA", picture.size, "white")
        return Image.alpha_composite(backdrop, picture.convert("RGBA")).convert("RGB")
    return picture.convert("RGB")


def _deep_grey(picture: Picture) -> Picture:
    """Scale 16-bit, 32-bit and floating-point grey to 8 bits; Pillow's own conversion cuts off above 255."""
    import numpy as np
    from PIL import Image

    values = np.asarray(picture)
    rows = max(1, _STRIP // max(1, picture.width))
    strips = [slice(start, start + rows) for start in range(0, picture.height, rows)]
    top = max((float(_numbers(values[strip]).max(initial=0.0)) for strip in strips), default=0.0)
    full = next(full for full in (1.0, 255.0, 65535.0, max(top, 65536.0)) if top <= full)
    if picture.mode != "F":
        full = max(full, 65535.0)
    grey = np.empty(values.shape, np.uint8)
    for strip in strips:
        grey[strip] = np.clip(_numbers(values[strip]) * (255.0 / full), 0, 255).round()
    return Image.fromarray(grey).convert("RGB")


def _numbers(values: NDArray[Any]) -> NDArray[np.float64]:
    import numpy as np

    return np.nan_to_num(values.astype(np.float64))

"""Opening a picture that somebody gave: only formats that are pictures, and bounded by the memory that it takes.

A file of a few kilobytes can unpack to gigabytes. How many depends on what a pixel holds as much as on how many there
are, so what is bounded is the bytes that it takes to make the picture what annotators look at: upright, 8 bits, RGB.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

__all__ = [
    "FORMATS",
    "MAX_PIXELS",
    "FileSize",
    "ImageFile",
    "TooLargeError",
    "at_least_one",
    "open_picture",
    "seen_size",
]

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
"""What is opened, by Pillow's names. It knows more, among them some that run other programs."""

MAX_PIXELS = 89_478_485
"""Pillow's own limit for decompression bombs, fixed here so that it does not hang on the warning filters."""
_MAX_BYTES = 2**30
_TIMES, _SMALL = 360, 1_000_000
"""Bytes in memory for each byte of a file, and the size up to which all files count as that large: photographs take
some 50, plain areas up to a few thousand."""

# Bytes a pixel while a picture is opened, turned and converted: Pillow keeps four for a colour, whatever the file has.
_USUAL = 12
_DEEP_GREY = {"I;16": 14, "I;16B": 14, "I;16L": 14, "I;16N": 14, "I": 21, "F": 21}
_TRANSPARENT = 24
_ORIENTATION, _ON_ITS_SIDE = 0x0112, (5, 6, 7, 8)


class FileSize(Protocol):
    """What is asked about a file; ``os.stat_result`` has it."""

    @property
    def st_size(self) -> int:
        """Its bytes."""
        ...


class ImageFile(Protocol):
    """What can be asked of a picture's file: a :class:`pathlib.Path` has all of it, and so has one in a store far away.

    ``str`` of it says where it is.
    """

    @property
    def name(self) -> str:
        """The file's name with its ending."""
        ...

    @property
    def stem(self) -> str:
        """The name without the ending."""
        ...

    @property
    def suffix(self) -> str:
        """The ending with its dot."""
        ...

    def is_file(self) -> bool:
        """Return whether it is there."""
        ...

    def stat(self) -> FileSize:
        """Return its size; an ``OSError`` when it is not there."""
        ...

    def read_bytes(self) -> bytes:
        """Return what is in it; an ``OSError`` when it is not there."""
        ...

    def __fspath__(self) -> str:
        """Return its path on this machine; a PortrayalError where it has none."""
        ...


class TooLargeError(ValueError):
    """A picture that would take too much memory."""


@contextlib.contextmanager
def open_picture(source: Path | bytes, formats: Sequence[str] = FORMATS) -> Iterator[Picture]:
    """Open a file, or the bytes of one. Its pixels are not decoded yet; decoders may raise whatever they like.

    Raises
    ------
    TooLargeError
        When it has more than about 89 million pixels, or fewer that take as much memory; of a file of up to a
        megabyte, 30 million.
    """
    from PIL import Image

    size = len(source) if isinstance(source, bytes) else source.stat().st_size
    most = min(_MAX_BYTES, _TIMES * max(size, _SMALL))

    with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source, formats=tuple(formats)) as picture:
        pixels = picture.width * picture.height
        if pixels > MAX_PIXELS or pixels * _bytes_each(picture) > most:
            raise TooLargeError(f"{picture.width} x {picture.height} pixels")
        yield picture


def seen_size(picture: Picture) -> tuple[int, int]:
    """Return width and height as a person sees the picture: EXIF may say that it lies on its side."""
    width, height = picture.size
    return (height, width) if picture.getexif().get(_ORIENTATION) in _ON_ITS_SIDE else (width, height)


def at_least_one(width: float, height: float) -> tuple[int, int]:
    """Return a size in whole pixels: of a very thin picture that is made small, one pixel is left.

    >>> at_least_one(0.03, 2048.4)
    (1, 2048)
    """
    return max(1, round(width)), max(1, round(height))


def _bytes_each(picture: Picture) -> int:
    if picture.has_transparency_data:
        return _TRANSPARENT
    return _DEEP_GREY.get(picture.mode, _USUAL)

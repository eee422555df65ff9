"""Opening a picture that somebody gave: only formats that are pictures, and bounded by the memory that it takes.

A file of a few kilobytes can unpack to gigabytes. How many depends on what a pixel holds as much as on how many there
are, so what is bounded is the bytes that it takes to make the picture what annotators look at: upright, 8 bits, RGB.
So are the scans of a JPEG file, each of which goes through all pixels, and what is read for a directory of tags (EXIF,
TIFF), of which each may point to the whole file.
"""

from __future__ import annotations

import contextlib
import functools
import io
import itertools
import mmap
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

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

_MOST_SCANS = 100
"""Of a JPEG file, as in libtiff; photographs have about ten."""
_MARKER = re.compile(rb"\xff([\xc0-\xcf\xd8-\xfe])")
_SCAN, _END, _WITHOUT_LENGTH = 0xDA, 0xD9, (0xD8, 0xD9)
_ONE_PASS, _NO_FRAMES = (0xC0, 0xC1), (0xC4, 0xC8, 0xCC)
_COMMENT = re.compile(rb"!\xfe")
_MOST_COMMENTS, _BYTES_A_COMMENT = 1_000, 6_000
"""Of a GIF file; pixels look like the beginning of a comment once in 65,536 bytes."""
_TAGS_BESIDE = 2**16
"""Bytes of tags beyond twice those of the file: several may share a value."""


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
        megabyte, 30 million; when a JPEG file has more than 100 scans, a GIF file
        thousands of comments, or tags take more bytes than the file has.
    """
    from PIL import Image

    _bound_tags()
    size = len(source) if isinstance(source, bytes) else source.stat().st_size
    most = min(_MAX_BYTES, _TIMES * max(size, _SMALL))
    _check_comments(source, size)

    with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source, formats=tuple(formats)) as picture:
        pixels = picture.width * picture.height
        if pixels > MAX_PIXELS or pixels * _bytes_each(picture) > most:
            raise TooLargeError(f"{picture.width} x {picture.height} pixels")
        if picture.format in ("JPEG", "MPO"):
            with _bytes_of(source) as data:
                if _scans(data) > _MOST_SCANS:
                    raise TooLargeError(f"more than {_MOST_SCANS} scans")
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


@contextlib.contextmanager
def _bytes_of(source: Path | bytes) -> Iterator[bytes | mmap.mmap]:
    if isinstance(source, bytes):
        yield source
        return
    with source.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        yield data


def _check_comments(source: Path | bytes, size: int) -> None:
    """Refuse a GIF file of very many comments: Pillow copies all of them for each one more when it opens the file."""
    if not size:
        return
    with _bytes_of(source) as data:
        most = _MOST_COMMENTS + size // _BYTES_A_COMMENT
        if data[:4] == b"GIF8" and sum(1 for _ in itertools.islice(_COMMENT.finditer(data), most + 1)) > most:
            raise TooLargeError(f"more than {most} comments")


def _scans(data: bytes | mmap.mmap) -> int:
    """Return how often a decoder goes through the pixels of a JPEG file, at most one more than is allowed."""
    scans = place = components = 0
    in_one_pass = False
    while scans <= _MOST_SCANS and (found := _MARKER.search(data, place)):
        kind, place = found[1][0], found.end()
        if kind == _END:
            break
        segment = data[place : place + 8]
        if kind == _SCAN:
            scans += 1
            if in_one_pass and segment[2:3] == bytes([components]):
                break  # a decoder takes no other
        elif kind < _SCAN and kind not in (*_NO_FRAMES, *_WITHOUT_LENGTH) and len(segment) == 8:
            in_one_pass, components = kind in _ONE_PASS, segment[7]
        place += 0 if kind in _WITHOUT_LENGTH else int.from_bytes(segment[:2], "big")
    return scans


@functools.cache
def _bound_tags() -> None:
    """Have Pillow read a directory of tags within bounds: it copies what each tag points to when it opens a file."""
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    load = ImageFileDirectory_v2.load

    @functools.wraps(load)
    def bounded(self: ImageFileDirectory_v2, fp: IO[bytes]) -> None:
        load(self, _Counted(fp))  # type: ignore[arg-type]  # what Pillow asks of a file here it has

    ImageFileDirectory_v2.load = bounded  # type: ignore[method-assign]  # Pillow has no setting for it


class _Counted:
    """A file of which little more may be read than it holds, from wherever."""

    def __init__(self, file: IO[bytes]) -> None:
        self.tell, self.seek, self._file = file.tell, file.seek, file
        here = file.tell()
        self._left = 2 * file.seek(0, io.SEEK_END) + _TAGS_BESIDE
        file.seek(here)

    def read(self, size: int = -1) -> Any:
        """Return bytes, as long as they are not too many in all."""
        data = self._file.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise TooLargeError("tags that take more bytes than the file has")
        return data

"""Decoding files in worker processes: they hand back pixels, or packed rows that a GPU unpacks."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from portrayal.errors import InputError, StorageError
from portrayal.picturefile import MAX_PIXELS, ImageFile, open_picture
from portrayal.store.images.image_store import read_image
from portrayal.store.images.read_ahead import ReadAhead
from portrayal.vision.headers import plain_png
from portrayal.vision.inflating import NotDeflatedError, inflated
from portrayal.vision.pictures import Unreadable, open_rgb, upright
from portrayal.vision.preprocessing import Preprocessing

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["DecodeMode", "DecodedFile", "decode_files", "files_of"]

DecodeMode = Literal["exact", "quick", "packed"]
"""Through Pillow as the model's own code would; the same with JPEG files decoded small; or PNG rows left packed."""

_SHARED = Path("/dev/shm")  # noqa: S108 - where Linux keeps shared memory; nothing is named there by us
_LAST_KIND = 4  # of the ways in which a PNG row is written
_SHARED_FROM = 1 << 20  # bytes: smaller results travel faster through the pipe


@dataclass(frozen=True, slots=True)
class DecodedFile:
    """One file: its pixels ready for the model, or rows of ``size`` (height, width) yet to be unpacked, or why not."""

    pixels: NDArray[np.uint8] | None = None
    size: tuple[int, int] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DecodedChunk:
    """What a worker hands back: files whose pixels lie in shared memory one after the other, or are here."""

    files: list[DecodedFile]
    shared: str = ""
    shapes: tuple[tuple[int, ...], ...] = ()


def decode_files(paths: Sequence[ImageFile | None], preprocessing: Preprocessing, mode: DecodeMode) -> DecodedChunk:
    """Decode files one after the other; a file that is no picture has a reason instead of pixels."""
    with ReadAhead(paths) as ahead:
        return _chunk([_decode(path and ahead.file(path), preprocessing, mode) for path in paths])


def files_of(chunk: DecodedChunk) -> list[DecodedFile]:
    """Return the files of a chunk, and free its shared memory."""
    if not chunk.shared:
        return chunk.files
    pixels, files, place = _mapped(chunk.shared), [], 0
    for file, shape in zip(chunk.files, chunk.shapes, strict=True):
        length = math.prod(shape) if shape else 0
        files.append(
            DecodedFile(pixels[place : place + length].reshape(shape) if length else None, file.size, file.reason)
        )
        place += length
    return files


def _mapped(name: str) -> NDArray[np.uint8]:
    """Return what lies in shared memory, which is freed with the last use of it: copying it would take longer."""
    memory, file = SharedMemory(name), _SHARED / name.lstrip("/")
    try:
        return np.memmap(file, np.uint8, "r+") if file.exists() else _bytes(memory, 0, memory.size).copy()
    finally:
        memory.close()
        memory.unlink()


def _decode(path: ImageFile | None, preprocessing: Preprocessing, mode: DecodeMode) -> DecodedFile:
    try:
        if mode == "packed" and path is not None and (rows := _rows(path)) is not None:
            return rows
        picture = open_rgb(path) if mode == "exact" else _decode_small(path, preprocessing)
        across, down = preprocessing.target(*picture.size)
        if across * down > MAX_PIXELS:  # a line a pixel wide grows to that before its middle is cut out
            raise Unreadable("unreadable_image")
        return DecodedFile(preprocessing.apply(picture))
    except Unreadable as error:
        return DecodedFile(reason=error.reason)


def _rows(path: ImageFile) -> DecodedFile | None:
    """Return a plain PNG file's rows, inflated but each still written as differences to its neighbours."""
    try:
        png = plain_png(read_image(path))
        if png is None:
            return None
        height, width, packed = png
        unpacked = inflated(packed, height * (1 + 3 * width))
    except (InputError, OSError, NotDeflatedError):
        return None  # Pillow finds the words for what is wrong with it
    if unpacked is None:
        return None
    rows = np.frombuffer(unpacked, np.uint8)
    return DecodedFile(rows, (height, width)) if rows[:: 1 + 3 * width].max() <= _LAST_KIND else None


def _decode_small(path: ImageFile | None, preprocessing: Preprocessing) -> Picture:
    """Open a picture; of a large JPEG file only as many pixels are worked out as the model needs."""
    if path is None or path.suffix.lower() not in (".jpg", ".jpeg"):
        return open_rgb(path)
    try:
        with open_picture(read_image(path)) as picture:
            picture.draft("RGB", _smaller(picture.size, preprocessing))
            return upright(picture)
    except (StorageError, MemoryError):
        raise
    except Exception:
        return open_rgb(path)  # finds the words for what is wrong with it


def _smaller(size: tuple[int, int], preprocessing: Preprocessing) -> tuple[int, int]:
    """Return an eighth, a quarter or half of a size, if that is enough and nothing is left over, which would shift."""
    wanted = preprocessing.target(*size)
    for times in (8, 4, 2):
        across, down = size[0] // times, size[1] // times
        if (across * times, down * times) == size and across >= wanted[0] and down >= wanted[1]:
            return across, down
    return size


def _chunk(files: list[DecodedFile]) -> DecodedChunk:
    lengths = tuple(0 if file.pixels is None else file.pixels.size for file in files)
    if not any(file.size for file in files) or sum(lengths) < _SHARED_FROM:
        return DecodedChunk(files)
    try:
        memory = _reserve(sum(lengths))
    except OSError:
        return DecodedChunk(files)  # a container with little shared memory: the pipe is slower, but does it
    place = 0
    for file, length in zip(files, lengths, strict=True):
        if file.pixels is not None:
            _bytes(memory, place, length)[:] = file.pixels.reshape(-1)
        place += length
    memory.close()
    shapes = tuple(() if file.pixels is None else file.pixels.shape for file in files)
    return DecodedChunk([DecodedFile(None, file.size, file.reason) for file in files], memory.name, shapes)


def _bytes(memory: SharedMemory, place: int, length: int) -> NDArray[np.uint8]:
    assert memory.buf is not None
    return np.frombuffer(memory.buf, np.uint8, length, place)


def _reserve(size: int) -> SharedMemory:
    """Return shared memory that is really there: else writing to it would kill the process when it runs out."""
    memory = SharedMemory(create=True, size=size)
    file = _SHARED / memory.name.lstrip("/")
    try:
        if file.exists():
            with file.open("r+b") as opened:
                os.posix_fallocate(opened.fileno(), 0, size)
    except OSError:
        memory.close()
        memory.unlink()
        raise
    return memory

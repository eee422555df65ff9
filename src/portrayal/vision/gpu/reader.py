"""Reading ahead for a GPU, which does part of the decoding itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from portrayal.errors import InputError
from portrayal.inputfile import open_regular
from portrayal.picturefile import ImageFile
from portrayal.store.images.image_name import check_image
from portrayal.store.images.read_ahead import ReadAhead
from portrayal.vision.decoding import DecodedFile
from portrayal.vision.gpu.preprocessor import GpuPreprocessor
from portrayal.vision.headers import plain_jpeg
from portrayal.vision.reader import Batch, BatchReader, Paths

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["GpuBatchReader"]

_READ = 64
"""JPEG files read by one thread at a time: they are only copied into memory."""


class GpuBatchReader(BatchReader):
    """Plain JPEG files are decoded on the GPU; PNG files are inflated by processes and unpacked on the GPU.

    Which way a file goes depends on the file alone, so that its pixels do not depend on the others of its batch.
    """

    def __init__(self, gpu: GpuPreprocessor, workers: int) -> None:
        super().__init__(gpu.preprocessing, "packed" if gpu.unpacks else "quick", workers)
        self._gpu = gpu

    def _begin(self, paths: Paths) -> Future[Batch]:
        jpeg = [place for place, path in enumerate(paths) if self._gpu.decodes and _is_jpeg(path)]
        rest = sorted(set(range(len(paths))) - set(jpeg))
        reading = {
            tuple(some): self._threads.submit(_read, [paths[place] for place in some])
            for some in (jpeg[start : start + _READ] for start in range(0, len(jpeg), _READ))
        }
        decoded = dict(zip(rest, self.decode([paths[place] for place in rest]), strict=True))
        return self._assembling.submit(self._on_gpu, paths, reading, decoded)

    def _on_gpu(
        self,
        paths: Paths,
        reading: dict[tuple[int, ...], Future[list[bytearray | None]]],
        decoded: dict[int, Callable[[], DecodedFile]],
    ) -> Batch:
        reasons = [""] * len(paths)
        raw = {place: one for some, task in reading.items() for place, one in zip(some, task.result(), strict=True)}

        def fill(batch: Tensor) -> None:
            pictures = self._decode_jpeg({place: data for place, data in raw.items() if data is not None})
            left = [place for place in raw if place not in pictures]
            decoded.update(zip(left, self.decode([paths[place] for place in left]), strict=True))
            if pictures:
                self._gpu.shrink_into(batch, pictures)
            files = {place: get() for place, get in decoded.items()}
            if rows := {place: file for place, file in files.items() if file.size}:
                self._gpu.unpack_into(batch, rows)
            if ready := {place: file for place, file in files.items() if file.pixels is not None and not file.size}:
                self._gpu.copy_into(batch, ready)
            for place, file in files.items():
                reasons[place] = file.reason

        pixels, event = self._gpu.prepare(len(paths), fill)
        return Batch(pixels, event, reasons)

    def _decode_jpeg(self, raw: dict[int, bytearray]) -> dict[int, Tensor]:
        pictures = zip(raw, self._gpu.decode(list(raw.values())), strict=True) if raw else ()
        return {place: picture for place, picture in pictures if picture is not None}


def _is_jpeg(path: ImageFile | None) -> bool:
    return path is not None and path.suffix.lower() in (".jpg", ".jpeg")


def _read(paths: Sequence[ImageFile | None]) -> list[bytearray | None]:
    """Return files that the GPU may decode; None for another: then Pillow looks what it is."""
    with ReadAhead(paths) as ahead:
        return [_plain(ahead.file(path)) for path in paths if path is not None]


def _plain(path: ImageFile) -> bytearray | None:
    try:
        data = _whole(path) if isinstance(path, Path) else bytearray(path.read_bytes())
    except (OSError, InputError):
        return None
    return data if data is not None and plain_jpeg(data) else None


def _whole(path: Path) -> bytearray | None:
    """Return a file's bytes, read to where the GPU takes them from; None when it grows or shrinks meanwhile."""
    with open_regular(path) as file:
        data = bytearray(os.fstat(file.fileno()).st_size)
        if file.readinto(data) != len(data):
            return None
    check_image(path, data)
    return data

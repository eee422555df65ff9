"""Reading ahead for a graphics card, which does part of the opening itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from portrayal.vision.card import Card
from portrayal.vision.decoding import DecodedFile
from portrayal.vision.headers import plain_jpeg
from portrayal.vision.reader import Batch, BatchReader, Paths

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["CardReader"]

_READ = 64
"""JPEG files read by one thread at a time: they are only copied into memory."""


class CardReader(BatchReader):
    """Plain JPEG files are decoded on the card; PNG files are inflated by processes and unpacked on the card.

    Which way a file goes hangs on the file alone, so that its pixels do not hang on the others of its batch.
    """

    def __init__(self, card: Card, workers: int) -> None:
        super().__init__(card.preprocessing, "packed" if card.unpacks else "quick", workers)
        self._card = card

    def _begin(self, paths: Paths) -> Future[Batch]:
        jpeg = [place for place, path in enumerate(paths) if self._card.decodes and _is_jpeg(path)]
        others = sorted(set(range(len(paths))) - set(jpeg))
        reading = {
            tuple(some): self._threads.submit(_read, [paths[place] for place in some])
            for some in (jpeg[start : start + _READ] for start in range(0, len(jpeg), _READ))
        }
        opened = dict(zip(others, self.decode([paths[place] for place in others]), strict=True))
        return self._assembling.submit(self._on_card, paths, reading, opened)

    def _on_card(
        self,
        paths: Paths,
        reading: dict[tuple[int, ...], Future[list[bytearray | None]]],
        opened: dict[int, Callable[[], DecodedFile]],
    ) -> Batch:
        reasons = [""] * len(paths)
        raw = {place: one for some, task in reading.items() for place, one in zip(some, task.result(), strict=True)}

        def fill(batch: Tensor) -> None:
            pictures = self._decoded({place: data for place, data in raw.items() if data is not None})
            left = [place for place in raw if place not in pictures]
            opened.update(zip(left, self.decode([paths[place] for place in left]), strict=True))
            if pictures:
                self._card.shrink_into(batch, pictures)
            files = {place: get() for place, get in opened.items()}
            if rows := {place: file for place, file in files.items() if file.size}:
                self._card.unpack_into(batch, rows)
            if ready := {place: file for place, file in files.items() if file.pixels is not None and not file.size}:
                self._card.copy_into(batch, ready)
            for place, file in files.items():
                reasons[place] = file.reason

        pixels, event = self._card.prepare(len(paths), fill)
        return Batch(pixels, event, reasons)

    def _decoded(self, raw: dict[int, bytearray]) -> dict[int, Tensor]:
        found = zip(raw, self._card.decode(list(raw.values())), strict=True) if raw else ()
        return {place: picture for place, picture in found if picture is not None}


def _is_jpeg(path: Path | None) -> bool:
    return path is not None and path.suffix.lower() in (".jpg", ".jpeg")


def _read(paths: Sequence[Path | None]) -> list[bytearray | None]:
    """Return files that the card may decode; None for another: then Pillow looks what it is."""
    return [_plain(path) for path in paths if path is not None]


def _plain(path: Path) -> bytearray | None:
    try:
        data = bytearray(path.stat().st_size)
        with path.open("rb", buffering=0) as file:
            whole = file.readinto(data) == len(data)
    except OSError:
        return None
    return data if whole and plain_jpeg(data) else None

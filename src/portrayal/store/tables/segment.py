"""The files of a table: what their names say, and which of them count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from portrayal.errors import StorageError

__all__ = ["Segment", "list_segments", "live_segments", "named_segment", "segment_stem", "vanished"]

_NAME = re.compile(r"(\d{8})-(\d{8})(\.[0-9a-f]{8})?\.parquet")


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """A Parquet file and the range of batches it holds."""

    first: int
    last: int
    path: Path

    @property
    def width(self) -> int:
        """How many batches the segment stands for."""
        return self.last - self.first + 1


def segment_stem(first: int, last: int) -> str:
    """Return how the name of a segment begins; its checksum follows."""
    return f"{first:08d}-{last:08d}"


def list_segments(folder: Path) -> list[Segment]:
    """Return all segments in a folder, dead ones too."""
    if not folder.is_dir():
        return []
    return sorted(segment for path in folder.iterdir() if (segment := named_segment(path)))


def named_segment(path: Path) -> Segment | None:
    """Return the segment that a file's name says it is; None for another file."""
    match = _NAME.fullmatch(path.name)
    return Segment(int(match[1]), int(match[2]), path) if match else None


def live_segments(segments: Iterable[Segment]) -> list[Segment]:
    """Return those whose range lies inside no other's, in the order they were written; of equal ranges one."""
    live: list[Segment] = []
    for segment in sorted(segments, key=lambda segment: (segment.first, -segment.last, segment.path)):
        if not live or segment.last > live[-1].last:
            live.append(segment)
    return live


def vanished(folder: Path) -> StorageError:
    """Return the error that files go away faster than they can be read."""
    return StorageError(f"{folder}: files were deleted while they were read; run the same command again")

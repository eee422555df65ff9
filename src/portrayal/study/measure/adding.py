"""Parts of the observations, added up one by one: in this process, or wherever an engine lets it be done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from portrayal.engines import cpu_count
from portrayal.evidence import Batch, Need, Plan, Sums
from portrayal.evidence.need import add_up
from portrayal.evidence.observations import COLUMNS, ENCODED, TEXT, ObservationReader
from portrayal.evidence.packing import pack, unpack
from portrayal.store.tables.layout import key_column, keys_of
from portrayal.store.tables.row_groups import GroupRange, RowGroups
from portrayal.study.tables.plan_answers import Answers

__all__ = ["MOST", "PART", "AddWork", "batches_of", "in_order", "pays", "sensible_workers", "whole_images"]

PART = 2_000_000
"""Rows of a part. However many workers there are, the parts are the same."""
_ENOUGH = 4 * PART
"""With fewer rows, starting processes takes longer than they save."""
MOST = 8
"""With more, those that nobody asked for would take memory and wait for what cannot be done in parts."""
_ROWS = 120_000
"""Rows worked on at a time: more cost memory, fewer cost time."""
_IMAGE = "image"

Numbered = tuple[int, GroupRange]
"""A part, and its place among all of them."""


@dataclass(frozen=True, slots=True)
class AddWork:
    """Builds, in any process that sees the study's tables, the function from a part to its sums, packed."""

    groups: RowGroups
    plan: Plan
    answers: Answers
    needs: Sequence[Need[Any]]

    def __call__(self) -> Callable[[Numbered], tuple[int, bytes]]:
        """Return the function."""
        return partial(_add_part, self)

    @property
    def columns(self) -> tuple[Sequence[str], Sequence[str]]:
        """The columns to read, and which of them come as numbers of their values."""
        more = (TEXT,) if any(need.requires.texts for need in self.needs) else ()
        return (*COLUMNS, *more), (*ENCODED, *more)


def _add_part(work: AddWork, part: Numbered) -> tuple[int, bytes]:
    rows = whole_images(work.groups, part[1], *work.columns)
    sums = add_up(work.plan, work.needs, batches_of(work.plan, work.answers, rows))
    return part[0], pack(sums, work.plan, work.needs)


def batches_of(plan: Plan, answers: Answers, rows: Iterator[pa.RecordBatch]) -> Iterator[Batch]:
    """Put rows of observations together by image, and each image to the jobs that it answers."""
    for images in ObservationReader(plan.design.annotators, _ROWS).images(rows):
        image, found = answers.find(images.keys)
        yield Batch(
            plan,
            images,
            image,
            cell=found["cell"],
            seed=found.get("seed"),
            person=found.get("person"),
            source=found.get("source"),
        )


def whole_images(
    groups: RowGroups, part: GroupRange, columns: Sequence[str], encoded: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all images that begin in a part.

    The rows of an image stand together, but nothing keeps a row group from ending among them.
    """
    before = _last_image(*groups.read(part.start - 1, [key_column(_IMAGE)], [_IMAGE])) if part.start else None
    last: np.uint64 | None = None
    for group, rows in groups.scan(columns, encoded, part.start):
        if group < part.stop:
            begun = rows if before is None else rows.slice(_leading(rows, before))
            if begun.num_rows:
                before = None
                yield begun
                last = _last_image(begun) if group == part.stop - 1 else last
        elif last is None or not (end := _leading(rows, last)):
            return
        else:
            yield rows.slice(0, end)
            if end < rows.num_rows:
                return


def _last_image(*batches: pa.RecordBatch) -> np.uint64:
    """Return the key of the image that the last row is about."""
    return np.uint64(keys_of(batches[-1], _IMAGE)[-1])


def _leading(rows: pa.RecordBatch, image: np.uint64) -> int:
    """Return how many rows at the beginning are about an image."""
    others = np.flatnonzero(keys_of(rows, _IMAGE) != image)
    return int(others[0]) if len(others) else rows.num_rows


def in_order(
    packed_parts: Iterator[tuple[int, bytes]], plan: Plan, needs: Sequence[Need[Any]]
) -> Iterator[list[Sums[Any]]]:
    """Yield the sums of parts in the order of the table, in whatever order they come."""
    waiting: dict[int, bytes] = {}
    place = 0
    for number, packed in packed_parts:
        waiting[number] = packed
        while place in waiting:
            yield unpack(waiting.pop(place), plan, needs)
            place += 1


def sensible_workers(asked: int, parts: Sequence[GroupRange]) -> int:
    """Return how many processes add up: as many as are asked for, 0: one but for large studies, never idle ones."""
    return min(asked or (min(cpu_count(), MOST) if pays(parts) else 1), max(len(parts), 1))


def pays(parts: Sequence[GroupRange]) -> bool:
    """Return whether there is so much to add up that other processes are worth starting."""
    return sum(part.rows for part in parts) >= _ENOUGH

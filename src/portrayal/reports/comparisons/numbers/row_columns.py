"""Rows of one side as columns: what comparing needs of each, looked up once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from portrayal.records import Measurement
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.text.sample_words import image_count
from portrayal.stats.intervals import Array

__all__ = ["RowColumns"]


@dataclass(frozen=True)
class RowColumns:
    """``share`` is whether a row is the share of a group, ``images`` how many independent images it has: the same
    picture again is none. ``lost`` is which part of the images asked for is missing.
    """

    share: NDArray[np.bool_]
    value: Array
    worth: Array
    n: Array
    lost: Array
    prompts: Array

    @property
    def images(self) -> Array:
        """How many independent images there are."""
        return np.where(self.share, np.minimum(self.n, self.worth), self.n)

    @classmethod
    def of(cls, pairs: Sequence[tuple[Measurement, Measurement]]) -> tuple[RowColumns, RowColumns]:
        """Return the columns of both sides; a row that is compared with several is looked at once."""
        places: dict[int, int] = {}
        rows: list[Measurement] = []
        for pair in pairs:
            for row in pair:
                if places.setdefault(id(row), len(rows)) == len(rows):
                    rows.append(row)
        share = np.array([is_share(row) for row in rows])
        numbers = np.array(
            [(_number(row.value), _number(row.worth), row.n, _lost(row), row.prompts) for row in rows], dtype=float
        )
        sides = (np.array([places[id(pair[side])] for pair in pairs]) for side in (0, 1))
        first, second = (cls(share[side], *numbers[side].T) for side in sides)
        return first, second


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _lost(row: Measurement) -> float:
    return row.missing / (image_count(row) + row.missing) if row.missing else 0.0

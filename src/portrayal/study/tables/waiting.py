"""Rows of two tables that look for each other by a key, while both tables are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from portrayal.stats.exact import Ints
from portrayal.store.tables.keys import Keys

__all__ = ["Waiting", "matches", "read_some"]


@dataclass
class Waiting:
    """Rows that have not found their like: a key, and numbers that belong to it."""

    key: Keys
    numbers: dict[str, Ints]

    def __len__(self) -> int:
        return len(self.key)

    def take(self, rows: NDArray[np.bool_] | Ints) -> Waiting:
        """Return some of the rows."""
        return Waiting(self.key[rows], {name: column[rows] for name, column in self.numbers.items()})

    @classmethod
    def joined(cls, parts: Sequence[Waiting]) -> Waiting:
        """Return several as one."""
        names = parts[0].numbers
        numbers = {name: np.concatenate([part.numbers[name] for part in parts]) for name in names}
        return cls(np.concatenate([part.key for part in parts]), numbers)


def matches(jobs: Keys, others: Keys) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the job of each of the others that has one, and which of them have; jobs are all different."""
    if np.array_equal(jobs, others):  # tables that were written in the same order
        return np.arange(len(jobs)), np.ones(len(jobs), dtype=bool)
    order, by_key = np.argsort(jobs), np.argsort(others)
    place = np.empty_like(by_key)
    # Looked for in their order, keys are found several times as fast: what lies near is at hand already.
    place[by_key] = np.searchsorted(jobs[order], others[by_key])
    place = np.minimum(place, max(len(order) - 1, 0))
    found = jobs[order[place]] == others if len(order) else np.zeros(len(others), dtype=bool)
    return order[place[found]], found


def read_some(source: Iterator[Waiting], enough: int) -> list[Waiting]:
    """Return batches of a source until there are enough rows, or none is left."""
    batches: list[Waiting] = []
    while sum(map(len, batches)) < enough and (batch := next(source, None)) is not None:
        batches.append(batch)
    return batches

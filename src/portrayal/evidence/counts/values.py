"""Numbers that annotators tell, such as a perceived age: how many, their sum, that of their squares and their ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule
from portrayal.stats.exact import ExactSums, Ints
from portrayal.stats.intervals import Array

__all__ = ["Numbers", "Values"]

Key = tuple[str, str]
"""Annotator and attribute."""


@dataclass(frozen=True, slots=True)
class Values:
    """The need: numeric attributes. The result maps annotator and attribute to :class:`Numbers`."""

    rule: Rule
    requires: ClassVar[Requires] = Requires()

    def begin(self, plan: Plan) -> ValueSums:
        """Return sums of nothing."""
        return ValueSums(self.rule, plan)


@dataclass(frozen=True)
class Numbers:
    """How many numbers each cell has, their sum, the sum of their squares, the lowest and the highest (0: none)."""

    n: Ints
    total: Array
    squares: Array
    lowest: Array
    highest: Array


@dataclass
class _Sums:
    n: Ints
    total: ExactSums
    squares: ExactSums
    lowest: Array
    highest: Array

    def widen(self, n: Ints, lowest: Array, highest: Array) -> None:
        """Count further numbers, and take their ends in, where they have any."""
        new = n > 0
        first = new & (self.n == 0)
        self.lowest[first], self.highest[first] = lowest[first], highest[first]
        self.lowest[new] = np.minimum(self.lowest[new], lowest[new])
        self.highest[new] = np.maximum(self.highest[new], highest[new])
        self.n += n


@dataclass
class ValueSums:
    """Sums by annotator and attribute."""

    rule: Rule
    plan: Plan
    sums: dict[Key, _Sums] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        annotator = batch.images.annotator
        for name in self.plan.design.annotators[annotator]:
            if not self.plan.design.attributes[name].is_numeric:
                continue
            rows, values = batch.images.values(name)
            entries, chosen = batch.of_rows(rows, self.rule)
            if len(entries):
                cells, sums = batch.cell[entries], self._of((annotator, name))
                sums.widen(np.bincount(cells, minlength=len(sums.n)), *_ends(cells, values[chosen], len(sums.n)))
                sums.total.add(cells, values[chosen])
                sums.squares.add(cells, values[chosen] ** 2)

    def merge(self, other: ValueSums) -> None:
        """Add what another has added up."""
        for key, theirs in other.sums.items():
            ours = self._of(key)
            ours.widen(theirs.n, theirs.lowest, theirs.highest)
            ours.total.merge(theirs.total)
            ours.squares.merge(theirs.squares)

    def result(self) -> Mapping[Key, Numbers]:
        """Return the sums."""
        sums = self.plan.design.ordered(self.sums)
        return {
            key: Numbers(kept.n, kept.total.totals(), kept.squares.totals(), kept.lowest, kept.highest)
            for key, kept in sums.items()
        }

    def _of(self, key: Key) -> _Sums:
        cells = len(self.plan.cells)
        if key not in self.sums:
            ends = np.zeros(cells), np.zeros(cells)
            self.sums[key] = _Sums(self.plan.zeros(), ExactSums(cells), ExactSums(cells), *ends)
        return self.sums[key]


def _ends(cells: Ints, values: Array, size: int) -> tuple[Array, Array]:
    """Return the lowest and the highest value of each cell, infinite where it has none."""
    lowest, highest = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(lowest, cells, values)
    np.maximum.at(highest, cells, values)
    return lowest, highest

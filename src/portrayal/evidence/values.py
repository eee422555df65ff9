"""Numbers that annotators tell, such as a perceived age: how many, their sum and that of their squares, by cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from portrayal.evidence.base import Batch, Requires
from portrayal.evidence.design import Plan
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
    """How many numbers each cell has, their sum, and the sum of their squares."""

    n: Ints
    total: Array
    squares: Array


@dataclass
class _Sums:
    n: Ints
    total: ExactSums
    squares: ExactSums


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
                cells, own = batch.cell[entries], self._of((annotator, name))
                own.n += np.bincount(cells, minlength=len(own.n))
                own.total.add(cells, values[chosen])
                own.squares.add(cells, values[chosen] ** 2)

    def merge(self, other: ValueSums) -> None:
        """Add what another has added up."""
        for key, theirs in other.sums.items():
            own = self._of(key)
            own.n += theirs.n
            own.total.merge(theirs.total)
            own.squares.merge(theirs.squares)

    def result(self) -> Mapping[Key, Numbers]:
        """Return the sums."""
        sums = self.plan.design.ordered(self.sums)
        return {key: Numbers(own.n, own.total.totals(), own.squares.totals()) for key, own in sums.items()}

    def _of(self, key: Key) -> _Sums:
        cells = len(self.plan.cells)
        return self.sums.setdefault(key, _Sums(self.plan.zeros(), ExactSums(cells), ExactSums(cells)))

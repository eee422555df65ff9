"""Whole numbers by cell: the base of kinds of evidence that only say what a batch of images adds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.stats.exact import Ints

__all__ = ["CellCounts", "CountSums"]

Key = tuple[str, str]
"""Annotator and attribute."""


class CellCounts(ABC):
    """A need of counts; a subclass is a frozen dataclass, so that equal ones of several methods are added up once.

    The result has, by annotator and attribute, the sums of what ``counts`` yields, in the order of the design.
    """

    requires: ClassVar[Requires] = Requires()

    @abstractmethod
    def counts(self, batch: Batch) -> Iterator[tuple[Key, Ints]]:
        """Yield what a batch adds: an array for an annotator and an attribute, whose rows are the cells of the plan."""

    def begin(self, plan: Plan) -> CountSums:
        """Return sums of nothing."""
        return CountSums(self, plan)


@dataclass
class CountSums:
    """Whole numbers, so that parts of a study add up to the same in any order."""

    need: CellCounts
    plan: Plan
    sums: dict[Key, Ints] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        for key, counts in self.need.counts(batch):
            if not np.issubdtype(counts.dtype, np.integer):
                raise TypeError(f"{type(self.need).__name__} counts {counts.dtype} numbers; give whole ones")
            self.sums[key] = self.sums.get(key, 0) + counts

    def merge(self, other: CountSums) -> None:
        """Add what another has counted."""
        for key, counts in other.sums.items():
            self.sums[key] = self.sums.get(key, 0) + counts

    def result(self) -> Mapping[Key, Ints]:
        """Return the counts, a row for each cell."""
        return self.plan.design.ordered(self.sums)

"""In how many usable images of each cell an attribute is told, however many people these show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from portrayal.evidence.base import Batch, Requires
from portrayal.evidence.design import Plan
from portrayal.evidence.usable import Rule
from portrayal.records import PERSON
from portrayal.stats.exact import Ints

__all__ = ["ToldImages"]

Key = tuple[str, str]
"""Annotator and attribute."""


@dataclass(frozen=True, slots=True)
class ToldImages:
    """The need: images that tell an attribute of at least one person. Where each person counts, they are fewer.

    The result has, by annotator and attribute, the number of images of each cell; keys that no image tells are not
    there.
    """

    rule: Rule
    requires: ClassVar[Requires] = Requires()

    def begin(self, plan: Plan) -> ToldSums:
        """Return sums of nothing."""
        return ToldSums(self.rule, plan)


@dataclass
class ToldSums:
    """Images by annotator and attribute."""

    rule: Rule
    plan: Plan
    images: dict[Key, Ints] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        annotator = batch.images.annotator
        for name in self.plan.design.annotators[annotator]:
            attribute = self.plan.design.attributes[name]
            if name == PERSON or attribute.is_text:
                continue
            entries, _ = batch.of_rows(batch.images.told(attribute), self.rule)
            if len(entries):
                cells = batch.cell[np.unique(entries)]
                counts = np.bincount(cells, minlength=len(self.plan.cells))
                self.images[annotator, name] = self.images.get((annotator, name), 0) + counts

    def merge(self, other: ToldSums) -> None:
        """Add what another has counted."""
        for key, counts in other.images.items():
            self.images[key] = self.images.get(key, 0) + counts

    def result(self) -> Mapping[Key, Ints]:
        """Return the counts."""
        return self.plan.design.ordered(self.images)

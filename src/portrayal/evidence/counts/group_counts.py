"""How often each group of an attribute is seen in the images of each cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule
from portrayal.stats.exact import ExactSums, Ints
from portrayal.stats.intervals import Array
from portrayal.stats.likeliest import likeliest

__all__ = ["GroupCounts", "Weighing"]

Weighing = Literal["label", "mass"]
Key = tuple[str, str]
"""Annotator and attribute."""


@dataclass(frozen=True, slots=True)
class GroupCounts:
    """The need: people by group. ``label`` counts the most probable group, ``mass`` adds up the probabilities.

    The result has, by annotator and attribute, the counts of its groups (cells, groups); keys that no image tells are
    not there.
    """

    rule: Rule
    weighing: Weighing = "label"
    requires: ClassVar[Requires] = Requires(shared=True)

    def begin(self, plan: Plan) -> GroupSums:
        """Return sums of nothing."""
        return GroupSums(self, plan)


@dataclass
class GroupSums:
    """Counts by annotator and attribute: whole numbers of labels, exact sums of masses."""

    need: GroupCounts
    plan: Plan
    labels: dict[Key, Ints] = field(default_factory=dict)
    masses: dict[Key, ExactSums] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        for key, groups in self.plan.design.groups_of(batch.images.annotator):
            self._add(batch, key, groups)

    def merge(self, other: GroupSums) -> None:
        """Add what another has counted."""
        for key, labels in other.labels.items():
            self.labels[key] = self.labels.get(key, 0) + labels
        for key, masses in other.masses.items():
            self.masses.setdefault(key, ExactSums(masses.size)).merge(masses)

    def result(self) -> Mapping[Key, Array]:
        """Return the counts (cells, groups)."""
        shape = (len(self.plan.cells), -1)
        sums = {key: labels.astype(float) for key, labels in self.labels.items()}
        sums |= {key: masses.totals().reshape(shape) for key, masses in self.masses.items()}
        return self.plan.design.ordered(sums)

    def _add(self, batch: Batch, key: Key, groups: int) -> None:
        rows, masses = batch.images.masses(key[1], groups, raw=True)
        entries, chosen = batch.of_rows(rows, self.need.rule)
        if not len(entries):
            return
        cells, size = batch.cell[entries], len(self.plan.cells) * groups
        if self.need.weighing == "label":
            places = cells * groups + likeliest(masses.T)[chosen]
            counts = np.bincount(places, minlength=size).reshape(-1, groups)
            self.labels[key] = self.labels.get(key, 0) + counts
        else:
            places = cells[:, None] * groups + np.arange(groups)
            self.masses.setdefault(key, ExactSums(size)).add(places.ravel(), masses[chosen].ravel())

"""Where one person was planted in an image: who was planted, and how they were perceived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from portrayal.evidence.described_images import NONE
from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule
from portrayal.records import PERSON
from portrayal.stats.exact import Ints

__all__ = ["Confusion", "Confusions"]

Key = tuple[str, str]
"""Annotator and attribute."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """The need: planted against perceived groups, over usable images in which exactly one person was planted."""

    rule: Rule
    requires: ClassVar[Requires] = Requires(planted=True)

    def begin(self, plan: Plan) -> ConfusionSums:
        """Return sums of nothing."""
        return ConfusionSums(self.rule, plan)


@dataclass(frozen=True)
class Confusions:
    """By annotator and attribute: counts (cells, planted groups, perceived groups), and the names of the planted."""

    counts: Mapping[Key, Ints]
    planted: Mapping[str, tuple[str, ...]]


@dataclass
class ConfusionSums:
    """Counts by annotator and attribute."""

    rule: Rule
    plan: Plan
    counts: dict[Key, Ints] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        annotator = batch.images.annotator
        if batch.person is None:
            return  # nobody was planted anywhere
        for name in self.plan.design.annotators[annotator]:
            groups = len(self.plan.design.attributes[name].groups)
            if not groups or name == PERSON or not self._planted.get(name):
                continue
            rows, masses = batch.images.masses(name, groups, raw=True)
            entries, chosen = batch.of_rows(rows, self.rule)
            planted = self._codes[name][batch.person[entries]]
            known = planted != NONE
            if known.any():
                size = len(self._planted[name])
                cells, perceived = batch.cell[entries[known]], masses.argmax(axis=1)[chosen[known]]
                places = (cells * size + planted[known]) * groups + perceived
                counts = np.bincount(places, minlength=len(self.plan.cells) * size * groups)
                so_far = self.counts.get((annotator, name), 0)
                self.counts[annotator, name] = so_far + counts.reshape(-1, size, groups)

    def merge(self, other: ConfusionSums) -> None:
        """Add what another has counted."""
        for key, counts in other.counts.items():
            self.counts[key] = self.counts.get(key, 0) + counts

    def result(self) -> Confusions:
        """Return the counts."""
        return Confusions(self.plan.design.ordered(self.counts), self._planted)

    @cached_property
    def _planted(self) -> Mapping[str, tuple[str, ...]]:
        """The groups that were planted, by attribute."""
        planted: dict[str, set[str]] = {}
        for person in self.plan.persons:
            for name, group in person.items():
                planted.setdefault(name, set()).add(group)
        return {name: tuple(sorted(groups)) for name, groups in planted.items()}

    @cached_property
    def _codes(self) -> Mapping[str, Ints]:
        """The place of each planted person's group, by attribute; the last is that of nobody."""
        return {
            name: np.array([*(groups.index(p[name]) if name in p else NONE for p in self.plan.persons), NONE])
            for name, groups in self._planted.items()
        }

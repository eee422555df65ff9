"""Contexts of every generator and annotator; what they share is found once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from portrayal.evidence import MissingCounts, Plan, PromptMoments
from portrayal.methods.faintbench.context import Context
from portrayal.methods.faintbench.counts import Counts, read_counts
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.faintbench.shares import Groups, Planted, read_planted
from portrayal.methods.faintbench.suite.pairs import Pair

__all__ = ["Cells", "Contexts", "by_generator"]

Cells = Mapping[str, Sequence[tuple[PromptMoments, Sequence[int]]]]
"""Generator to where its cells stand."""


@dataclass(frozen=True)
class Contexts:
    """Makes contexts; each copies only its own generator's moments, and is forgotten when its rows are yielded."""

    options: FaintbenchOptions
    groups: Groups
    pairs: Sequence[Pair]
    plan: Plan
    missing: MissingCounts
    rng: np.random.Generator

    def of(self, moments: Cells, generator: str, annotator: str) -> Context:
        """Return the context of one generator as one annotator saw it."""
        own = [
            PromptMoments(each.people, [each.cells[row] for row in rows], each.moments.take(rows))
            for each, rows in moments.get(generator, ())
        ]
        return Context(
            self.options,
            self.groups,
            self.pairs,
            self.plan.design,
            generator,
            annotator,
            own,
            self._counts[generator, annotator],
            self._planted.get(generator, {}),
            self.rng,
        )

    @cached_property
    def _counts(self) -> Mapping[tuple[str, str], Counts]:
        return read_counts(self.plan, self.missing)

    @cached_property
    def _planted(self) -> Mapping[str, Planted]:
        return read_planted(self.plan.truths)


def by_generator(moments: Sequence[PromptMoments]) -> Cells:
    """Return where each generator's cells stand; found once, not anew for every generator."""
    found: dict[str, list[tuple[PromptMoments, list[int]]]] = {}
    for each in moments:
        rows: dict[str, list[int]] = {}
        for row, (generator, _) in enumerate(each.cells):
            rows.setdefault(generator, []).append(row)
        for generator, own in rows.items():
            found.setdefault(generator, []).append((each, own))
    return found

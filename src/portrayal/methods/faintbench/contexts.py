"""Contexts of every generator and annotator; what they share is read from the tables once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from portrayal.methods.base import Aligned, Tables
from portrayal.methods.faintbench.context import Context
from portrayal.methods.faintbench.counts import Counts, read_counts
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.faintbench.shares import Groups, Planted, read_planted
from portrayal.suites.faintbench.pairs import Pair

__all__ = ["Cells", "Contexts", "by_generator"]

Cells = Mapping[str, Sequence[tuple[Aligned, Sequence[int]]]]
"""Generator to where its cells stand."""


@dataclass(frozen=True)
class Contexts:
    """Makes contexts; each copies only its own generator's moments, and is forgotten when its rows are yielded."""

    options: FaintbenchOptions
    groups: Groups
    pairs: Sequence[Pair]
    tables: Tables
    rng: np.random.Generator

    def of(self, aligned: Cells, generator: str, annotator: str) -> Context:
        """Return the context of one generator as one annotator saw it."""
        own = [
            Aligned(part.people, [part.cells[row] for row in rows], part.moments.take(rows))
            for part, rows in aligned.get(generator, ())
        ]
        return Context(
            self.options,
            self.groups,
            self.pairs,
            self.tables,
            generator,
            annotator,
            own,
            self._counts[generator, annotator],
            self._planted.get(generator, {}),
            self.rng,
        )

    @cached_property
    def _counts(self) -> Mapping[tuple[str, str], Counts]:
        return read_counts(self.tables)

    @cached_property
    def _planted(self) -> Mapping[str, Planted]:
        return read_planted(self.tables.truths)


def by_generator(aligned: Sequence[Aligned]) -> Cells:
    """Return where each generator's cells stand; found once, not anew for every generator."""
    found: dict[str, list[tuple[Aligned, list[int]]]] = {}
    for part in aligned:
        rows: dict[str, list[int]] = {}
        for row, (generator, _) in enumerate(part.cells):
            rows.setdefault(generator, []).append(row)
        for generator, own in rows.items():
            found.setdefault(generator, []).append((part, own))
    return found

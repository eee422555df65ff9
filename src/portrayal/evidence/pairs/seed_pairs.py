"""Pairs of images drawn with the same seed for two prompts: how much the share of each group differs between them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np

from portrayal.evidence.counts.group_counts import Weighing
from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule
from portrayal.records import Prompt
from portrayal.stats.exact import ExactSums, Ints, split
from portrayal.stats.intervals import Array

__all__ = ["Differences", "Paired", "SeedPairs"]

Key = tuple[str, str]
"""Annotator and attribute."""
Couple = tuple[int, int]
"""The cells of two prompts, of the same generator."""
_FINE = {"mass": 40}
"""Binary places of a mass that count: sums over the people of one image then come out the same in any order."""


@dataclass(frozen=True, eq=False)
class SeedPairs:
    """The need: pairs of usable images with the same seed. ``couples`` returns the prompts to pair, as two ids each."""

    rule: Rule
    weighing: Weighing
    couples: Callable[[Collection[Prompt]], Collection[tuple[str, str]]]
    requires: ClassVar[Requires] = Requires(seeds=True)

    def begin(self, plan: Plan) -> SeedPairSums:
        """Return sums of nothing."""
        return SeedPairSums(self, plan)


@dataclass(frozen=True)
class Differences:
    """Of two cells: how many pairs both images of which can be used, and by group the sums of x less y, and squared."""

    n: int
    totals: Array
    squares: Array


@dataclass(frozen=True)
class Paired:
    """``planned``: how many images of two cells were asked for with equal seeds; ``differences``: what was seen."""

    planned: Mapping[Couple, int]
    differences: Mapping[Key, Mapping[Couple, Differences]]


@dataclass(frozen=True)
class _People:
    """People of usable images: the cell and the seed of the image, and their masses by group."""

    cell: Ints
    seed: Ints
    mass: Array

    def pooled(self) -> tuple[_People, Ints]:
        """Return one row for each cell and seed, in order, with the sum of its people's masses, and their number."""
        order = np.lexsort((self.seed, self.cell))
        cell, seed = self.cell[order], self.seed[order]
        starts = np.flatnonzero(np.r_[True, (cell[1:] != cell[:-1]) | (seed[1:] != seed[:-1])])
        sizes = np.diff(np.r_[starts, len(cell)])
        return _People(cell[starts], seed[starts], np.add.reduceat(self.mass[order], starts)), sizes


@dataclass
class SeedPairSums:
    """The people of all images that may be paired, kept until both images of each pair are there.

    They take a few bytes a person where labels count: a mass of 0 or 1 is kept as one byte.
    """

    need: SeedPairs
    plan: Plan
    kept: dict[Key, list[_People]] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        for key, groups in self.plan.design.groups_of(batch.images.annotator):
            self._add(batch, key, groups)

    def merge(self, other: SeedPairSums) -> None:
        """Add what another has kept."""
        for key, kept in other.kept.items():
            self.kept.setdefault(key, []).extend(kept)

    def result(self) -> Paired:
        """Return the differences by annotator and attribute, then by couple of cells."""
        kept = self.plan.design.ordered(self.kept)
        return Paired(dict(self._planned()), {key: dict(self._differences(people)) for key, people in kept.items()})

    def _planned(self) -> Iterator[tuple[Couple, int]]:
        assert self.plan.seeds is not None
        cell, seed = self.plan.seeds
        known = np.unique(np.column_stack([cell[seed != 0], seed[seed != 0]]), axis=0)
        bounds = np.searchsorted(known[:, 0], np.arange(len(self.plan.cells) + 1))
        seeds = [known[start:end, 1] for start, end in pairwise(bounds.tolist())]
        for x, y in self._couples:
            if count := len(np.intersect1d(seeds[x], seeds[y], assume_unique=True)):
                yield (x, y), count

    def _add(self, batch: Batch, key: Key, groups: int) -> None:
        assert batch.seed is not None
        rows, masses = batch.images.masses(key[1], groups, raw=True)
        entries, chosen = batch.of_rows(rows, self.need.rule)
        paired = self._paired[batch.cell[entries]] & (batch.seed[entries] != 0)
        entries, chosen = entries[paired], chosen[paired]
        if not len(entries):
            return
        if self.need.weighing == "label":
            mass = np.eye(groups, dtype=np.uint8)[masses[chosen].argmax(axis=1)]
        else:
            mass = split(masses[chosen], _FINE)["mass"]
        people = _People(batch.cell[entries].astype(np.int32), batch.seed[entries], mass)
        self.kept.setdefault(key, []).append(people)

    def _differences(self, kept: Sequence[_People]) -> Iterator[tuple[Couple, Differences]]:
        every = _People(*(np.concatenate([getattr(part, name) for part in kept]) for name in ("cell", "seed", "mass")))
        people, sizes = _People(every.cell, every.seed, every.mass.astype(float)).pooled()
        shares = people.mass / sizes[:, None]
        bounds = np.searchsorted(people.cell, np.arange(len(self.plan.cells) + 1))
        for x, y in self._couples:
            one, other = slice(*bounds[[x, x + 1]]), slice(*bounds[[y, y + 1]])
            _, mine, theirs = np.intersect1d(people.seed[one], people.seed[other], True, return_indices=True)
            if len(mine):
                gap = shares[one][mine] - shares[other][theirs]
                yield (x, y), Differences(len(gap), _exact(gap), _exact(gap**2))

    @cached_property
    def _couples(self) -> list[Couple]:
        """The couples of cells, by generator."""
        pairs, places = self.need.couples(list(self.plan.design.prompts.values())), self.plan.places
        couples = [(places.get((name, x)), places.get((name, y))) for name in self.plan.generators for x, y in pairs]
        return [(x, y) for x, y in couples if x is not None and y is not None]

    @cached_property
    def _paired(self) -> Ints:
        paired = np.zeros(len(self.plan.cells), dtype=bool)
        paired[[cell for couple in self._couples for cell in couple]] = True
        return paired


def _exact(gaps: Array) -> Array:
    """Return the sum of each column, whatever the order of the rows."""
    sums = ExactSums(gaps.shape[1])
    sums.add(np.tile(np.arange(gaps.shape[1]), len(gaps)), gaps.ravel())
    return sums.totals()

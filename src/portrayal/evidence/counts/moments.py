"""Masses of all attributes of an image together: sums and products by cell, from which means and covariances follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np

from portrayal.evidence.described_images import Described
from portrayal.evidence.design import Cell, Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule
from portrayal.records import SIDES, aspect
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.moments import Moments, MomentSums

__all__ = ["ByPeople", "Correction", "GroupMoments", "PromptMoments", "mass_matrix"]


class Correction(Protocol):
    """Changes masses before they are added up, each image by itself."""

    def align(self, attribute: str, mass: Array) -> Array:
        """Return the corrected masses (images, groups)."""
        ...


@dataclass(frozen=True, eq=False)
class GroupMoments:
    """The need: masses of ``columns`` (attribute, number of groups), corrected; the result is by annotator.

    Labels are counted as they were told. What ``uncorrected`` says, the name of an annotator, is not corrected:
    people's labels are what they are.
    """

    columns: Sequence[tuple[str, int]]
    correction: Correction
    rule: Rule
    uncorrected: str = ""
    requires: ClassVar[Requires] = Requires()

    def begin(self, plan: Plan) -> GroupMomentSums:
        """Return sums of nothing."""
        return GroupMomentSums(self, plan)


@dataclass(frozen=True)
class PromptMoments:
    """Moments of the prompts that ask for ``people`` people; ``cells`` names generator and prompt of each row."""

    people: int
    cells: Sequence[Cell]
    moments: Moments


def mass_matrix(images: Described, need: GroupMoments, uncorrected: str) -> Array:
    """Return the corrected masses of all images, but for those that an annotator told who is not corrected."""
    return _matrix(images, need.columns, None if images.annotator == uncorrected else need.correction)


def _matrix(images: Described, columns: Sequence[tuple[str, int]], correction: Correction | None) -> Array:
    """Return the masses of the first person of each image and of another one: (images, 2, columns), nan: not told."""
    matrix = np.full((len(images.keys), len(SIDES), sum(size for _, size in columns)), np.nan)
    first = 0
    for name, size in columns:
        rows, mass = images.masses(name, size)
        if correction is not None:
            mass = correction.align(name, mass)
        matrix[images.image[rows], images.is_later[rows].astype(np.int64), first : first + size] = mass
        first += size
    return matrix


@dataclass
class ByPeople:
    """Moments by annotator and by the number of people that a prompt asks for."""

    columns: Sequence[tuple[str, int]]
    plan: Plan
    sums: dict[tuple[str, int], MomentSums] = field(default_factory=dict)

    def add(self, annotator: str, cell: Ints, mass: Array, uncorrected: Array | None = None) -> None:
        """Add images, each to its cell, with the masses as they were told where these are others."""
        for people in np.unique(self.plan.people[cell]).tolist():
            mine = self.plan.people[cell] == people
            size = int(np.count_nonzero(mine))
            told = None if uncorrected is None else uncorrected[mine, :people].reshape(size, -1)
            self._of(annotator, people).add(self._rank[cell[mine]], mass[mine, :people].reshape(size, -1), told)

    def merge(self, other: ByPeople) -> None:
        """Add what another has added up."""
        for key, theirs in other.sums.items():
            self._of(*key).merge(theirs)

    def result(self) -> Mapping[str, Sequence[PromptMoments]]:
        """Return the moments with the names of their cells, in an order that does not depend on who came first."""
        moments_of: dict[str, list[PromptMoments]] = {}
        for annotator in self.plan.design.annotators:
            for people in sorted(number for name, number in self.sums if name == annotator):
                names = [self.plan.cells[place] for place in np.flatnonzero(self.plan.people == people).tolist()]
                moments = self.sums[annotator, people].result()
                moments_of.setdefault(annotator, []).append(PromptMoments(people, names, moments))
        return moments_of

    @cached_property
    def _rank(self) -> Ints:
        """The place of each cell among those that ask for as many people."""
        rank = self.plan.zeros()
        for people in np.unique(self.plan.people):
            rank[self.plan.people == people] = np.arange(np.count_nonzero(self.plan.people == people))
        return rank

    def _of(self, annotator: str, people: int) -> MomentSums:
        if (annotator, people) not in self.sums:
            aspects = [(aspect(name, side, people), size) for side in range(people) for name, size in self.columns]
            self.sums[annotator, people] = MomentSums(aspects, int(np.count_nonzero(self.plan.people == people)))
        return self.sums[annotator, people]


class GroupMomentSums:
    """Sums of the masses of all usable images."""

    def __init__(self, need: GroupMoments, plan: Plan) -> None:
        self.need = need
        self.sums = ByPeople(need.columns, plan)
        self._uncorrected = plan.design.annotator(need.uncorrected) if need.uncorrected else ""

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        usable = batch.usable(self.need.rule)
        mass = mass_matrix(batch.images, self.need, self._uncorrected)
        told = _matrix(batch.images, self.need.columns, None)
        images = batch.image[usable]
        self.sums.add(batch.images.annotator, batch.cell[usable], mass[images], told[images])

    def merge(self, other: GroupMomentSums) -> None:
        """Add what another has added up."""
        self.sums.merge(other.sums)

    def result(self) -> Mapping[str, Sequence[PromptMoments]]:
        """Return the moments by annotator."""
        return self.sums.result()

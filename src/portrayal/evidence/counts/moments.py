"""Masses of all attributes of an image together: sums and products by cell, from which means and covariances follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence.described_images import Described
from portrayal.evidence.design import Cell, Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule
from portrayal.records import SIDES, aspect
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.likeliest import likeliest
from portrayal.stats.moment_sums import MomentSums
from portrayal.stats.moments import Moments

__all__ = ["ByPeople", "Correction", "GroupMoments", "PromptMoments", "mass_matrix"]

N = TypeVar("N", bound=np.generic)


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
    """Return the corrected masses of all images, but for those that an annotator told who is not corrected.

    They are those of the first person of each image and of another one: (2, columns, images), nan: not told.
    """
    return _matrix(images, need.columns, None if images.annotator == uncorrected else need.correction)


def _matrix(images: Described, columns: Sequence[tuple[str, int]], correction: Correction | None) -> Array:
    """Return the masses, column by column, so that each is one stretch of memory."""
    matrix = np.full((len(SIDES), sum(size for _, size in columns), len(images.keys)), np.nan)
    first = 0
    for name, size in columns:
        rows, mass = images.masses(name, size)
        if correction is not None:
            mass = correction.align(name, mass)
        for side, (own, chosen) in enumerate(_by_side(images, rows)):
            for group, column in enumerate(mass.T if len(chosen) else ()):
                matrix[side, first + group, own] = column.take(chosen)
        first += size
    return matrix


def _labels(images: Described, columns: Sequence[tuple[str, int]]) -> NDArray[np.int16]:
    """Return the group that is most probable as it was told (2, attributes, images); anything where none was."""
    labels = np.zeros((len(SIDES), len(columns), len(images.keys)), dtype=np.int16)
    for place, (name, size) in enumerate(columns):
        rows, mass = images.masses(name, size)
        group = likeliest(mass.T)
        for side, (own, chosen) in enumerate(_by_side(images, rows)):
            labels[side, place, own] = group[chosen]
    return labels


def _by_side(images: Described, rows: Ints) -> Iterator[tuple[Ints | slice, Ints]]:
    """Yield, for the first person of each image and for another one, the images of rows and the places of these rows.

    All images in their order are a slice: filled as a stretch of memory, not one by one.
    """
    image, later = images.image[rows], images.is_later[rows]
    for side in (~later, later):
        chosen = np.flatnonzero(side)
        own = image[chosen]
        yield slice(None) if np.array_equal(own, np.arange(len(images.keys))) else own, chosen


@dataclass
class ByPeople:
    """Moments by annotator and by the number of people that a prompt asks for."""

    columns: Sequence[tuple[str, int]]
    plan: Plan
    sums: dict[tuple[str, int], MomentSums] = field(default_factory=dict)

    def add(
        self, annotator: str, cell: Ints, image: Ints, mass: Array, labels: NDArray[np.int16] | None = None
    ) -> None:
        """Add images, each to its cell; ``mass`` is that of all images (2, columns, images).

        ``labels`` are the most probable groups as they were told (2, attributes, images), where masses are corrected.
        """
        order = np.argsort(cell, kind="stable")
        cell, image = cell[order], image[order]
        asked = self.plan.people[cell]
        for people in np.unique(asked).tolist():
            mine = asked == people
            own, chosen = cell[mine], image[mine]
            told = None if labels is None else _columns(labels, people, chosen)
            self._of(annotator, people).add(self._rank[own], _columns(mass, people, chosen).T, told)

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


def _columns(table: NDArray[N], people: int, image: Ints) -> NDArray[N]:
    """Return the columns of so many people, for the images chosen."""
    return np.take(table[:people].reshape(-1, table.shape[2]), image, axis=1)


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
        labels = _labels(batch.images, self.need.columns)
        self.sums.add(batch.images.annotator, batch.cell[usable], batch.image[usable], mass, labels)

    def merge(self, other: GroupMomentSums) -> None:
        """Add what another has added up."""
        self.sums.merge(other.sums)

    def result(self) -> Mapping[str, Sequence[PromptMoments]]:
        """Return the moments by annotator."""
        return self.sums.result()

"""What evidence is: observations added up, in any split and any order, to what methods count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence.described_images import NONE, Described
from portrayal.evidence.design import Plan
from portrayal.evidence.usable import Rule, unusable
from portrayal.stats.exact import Ints

__all__ = ["Batch", "Evidence", "Need", "Requires", "Sums", "add_up"]

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True)
class Batch:
    """Images as one annotator described them, and the jobs that each answers: one entry a job in the arrays.

    ``image`` is the place among the images, ``cell`` that among the plan's cells. ``seed`` is what the image was drawn
    with, 0: not known; ``person`` the number of the one person planted in it, NONE: not one, or not known. ``source``
    is the place, among the plan's sources, of the image that was edited, be it this one or the one it came from; NONE:
    neither. Each is there only if a need asks for it.
    """

    plan: Plan
    images: Described
    image: Ints
    cell: Ints
    seed: Ints | None = None
    person: Ints | None = None
    source: Ints | None = None
    _reasons: dict[Rule, Ints] = field(default_factory=dict)

    def reasons(self, rule: Rule) -> Ints:
        """Return why each entry cannot be used, as a number of the images' names; NONE where it can."""
        if rule not in self._reasons:
            self._reasons[rule] = unusable(self.images, self.image, self.plan.people[self.cell], rule)
        return self._reasons[rule]

    @cached_property
    def repeats(self) -> NDArray[np.bool_]:
        """Which entries are the same picture again in answer to the same prompt: no further evidence, and not counted.

        Of edits each counts: that one leaves a picture as it was is what was to be seen.
        """
        again = np.zeros(len(self.image), dtype=bool)
        if len(self.image) < 2 or np.diff(self.image).all():
            return again
        order = np.lexsort((self.cell, self.image))
        image, cell = self.image[order], self.cell[order]
        again[order[1:]] = (image[1:] == image[:-1]) & (cell[1:] == cell[:-1])
        return np.asarray(again & ~self.plan.editing[self.cell])

    def usable(self, rule: Rule) -> NDArray[np.bool_]:
        """Return which entries can be used, each picture of a prompt once."""
        return np.asarray((self.reasons(rule) == NONE) & ~self.repeats)

    def of_rows(self, rows: Ints, rule: Rule) -> tuple[Ints, Ints]:
        """Return usable entries and the place in ``rows``, which are in order, of each row about their image."""
        entries = np.flatnonzero(self.usable(rule))
        about = self.images.image[rows]
        begins = np.searchsorted(about, self.image[entries])
        counts = np.searchsorted(about, self.image[entries], side="right") - begins
        later = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(entries, counts), np.repeat(begins, counts) + later


@dataclass(frozen=True, slots=True)
class Requires:
    """What a need must know of images, which costs memory: the ``seeds`` they were drawn with, who is ``planted`` in
    them, which of them one annotator, ``judged_by``, has judged, of edits from which ``sources`` they come, the
    ``texts`` that annotators wrote, and which pictures a generator made for several prompts (``shared``).
    """

    seeds: bool = False
    planted: bool = False
    judged_by: str = ""
    sources: bool = False
    texts: bool = False
    shared: bool = False


class Sums(Protocol[R_co]):
    """What is added up for a need. Parts of a study may be added up apart, in any order, and then merged."""

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        ...

    def merge(self, other: Self) -> None:
        """Add what another one, begun for the same plan, has added up."""
        ...

    def result(self) -> R_co:
        """Return the outcome."""
        ...


class Need(Protocol[R_co]):
    """A kind of evidence with its settings. Equal needs of several methods are added up once; they must be hashable."""

    @property
    def requires(self) -> Requires:
        """What must be known besides what annotators say."""
        ...

    def begin(self, plan: Plan) -> Sums[R_co]:
        """Return sums of nothing."""
        ...


def add_up(plan: Plan, needs: Iterable[Need[Any]], batches: Iterable[Batch]) -> list[Sums[Any]]:
    """Return what batches of images add up to, for all needs at once and in their order."""
    sums = [need.begin(plan) for need in needs]
    for batch in batches:
        for kind in sums:
            kind.add(batch)
    return sums


@dataclass(frozen=True)
class Evidence:
    """What was added up for a study: its plan, and the result for each need."""

    plan: Plan
    results: Mapping[Need[Any], Any]

    def __getitem__(self, need: Need[R]) -> R:
        return cast("R", self.results[need])

    @classmethod
    def of(cls, plan: Plan, needs: Iterable[Need[Any]], batches: Iterable[Batch] = ()) -> Evidence:
        """Add all batches up, for all needs at once."""
        wanted = list(needs)
        return cls.joined(plan, wanted, [add_up(plan, wanted, batches)])

    @classmethod
    def joined(cls, plan: Plan, needs: Sequence[Need[Any]], parts: Iterable[Sequence[Sums[Any]]]) -> Evidence:
        """Merge what parts of a study add up to, each in the order of the needs; no parts are a study of nothing."""
        rest = iter(parts)
        sums = next(rest, None) or [need.begin(plan) for need in needs]
        for part in rest:
            for whole, other in zip(sums, part, strict=True):
                whole.merge(other)
        return Evidence(plan, {need: whole.result() for need, whole in zip(needs, sums, strict=True)})

    @classmethod
    def given(cls, plan: Plan, needs: Iterable[Need[Any]], results: Mapping[type, Any]) -> Evidence:
        """Return evidence whose results are known by their kind; of a kind that is not given nothing was added up."""
        return Evidence(plan, {n: results[type(n)] if type(n) in results else n.begin(plan).result() for n in needs})

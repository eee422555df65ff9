"""Edits beside what they were made from: what each annotator perceived before and after.

What was edited shows one person. An edit may show several: numbers are then averaged over them, and a group is known
only if all of them are perceived as of the same one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence.described_images import NONE, Described
from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule, gaps
from portrayal.records import Attribute
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.store.tables.keys import Keys

__all__ = ["INCONSISTENT", "Edited", "Edits", "perceived"]

INCONSISTENT = "inconsistent_"
"""How the reason begins that the people of an image are perceived as of different groups of the attribute after it."""
NOT_ANNOTATED = "not annotated"

Words = NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class Edits:
    """The need: these attributes of every edit and of its source. The result maps annotators to :class:`Edited`."""

    attributes: tuple[str, ...]
    requires: ClassVar[Requires] = Requires(sources=True)

    def begin(self, plan: Plan) -> EditSums:
        """Return sums of nothing."""
        return EditSums(self.attributes, plan)


@dataclass(frozen=True)
class Edited:
    """Edits as one annotator saw them, one entry each, and their sources by their place in the plan.

    ``before`` and ``after`` hold numbers, or the number of the group; nan where there is none, and then
    ``why_before`` and ``why_after`` say why.
    """

    cell: Ints
    source: Ints
    key: Keys
    people: Ints
    after: Mapping[str, Array]
    why_after: Mapping[str, Words]
    source_key: Keys
    before: Mapping[str, Array]
    why_before: Mapping[str, Words]

    @cached_property
    def unchanged(self) -> NDArray[np.bool_]:
        """Edits that are the very picture they were made from."""
        return np.asarray(self.key == self.source_key[self.source])


@dataclass(frozen=True)
class _Looks:
    """Images as they were perceived; ``why`` are places in a list of reasons, 0: none is missing."""

    cell: Ints
    source: Ints
    key: Keys
    people: Ints
    values: Mapping[str, Array]
    why: Mapping[str, Ints]

    def take(self, rows: Ints | NDArray[np.bool_]) -> _Looks:
        values = {name: column[rows] for name, column in self.values.items()}
        why = {name: column[rows] for name, column in self.why.items()}
        return _Looks(
            self.cell[rows], self.source[rows], self.key[rows], people=self.people[rows], values=values, why=why
        )

    def renamed(self, numbers: Ints) -> _Looks:
        why = {name: numbers[column] for name, column in self.why.items()}
        return replace(self, why=why)


@dataclass
class EditSums:
    """What was perceived in every edit and source, kept until both are there: some 50 bytes an image."""

    attributes: tuple[str, ...]
    plan: Plan
    kept: dict[str, list[_Looks]] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=lambda: {"": 0})

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        assert batch.source is not None
        annotator = batch.images.annotator
        entries = np.flatnonzero(batch.source != NONE)
        if not len(entries):
            return
        cell, image = batch.cell[entries], batch.image[entries]
        edits = self._edits[cell]
        values: dict[str, Array] = {}
        why: dict[str, Ints] = {}
        for name in self.attributes:
            told = perceived(batch.images, self.plan.design.attributes[name])
            of = told if name in self.plan.design.annotators[annotator] else _silent(batch.images)
            codes = self._codes(of.names)
            blocked = np.where(edits, batch.reasons(Rule("each"))[entries], batch.reasons(Rule("one"))[entries])
            reason = np.where(blocked != NONE, self._codes(batch.images.names)[blocked], codes[of.why[image]])
            values[name] = np.where(reason == 0, of.values[image], np.nan)
            why[name] = reason
        keys, people = batch.images.keys[image], batch.images.people[image]
        looks = _Looks(cell, batch.source[entries], keys, people=people, values=values, why=why)
        self.kept.setdefault(annotator, []).append(looks)

    def merge(self, other: EditSums) -> None:
        """Add what another has kept; its reasons have numbers of its own."""
        numbers = self._codes(list(other.reasons))
        for annotator, kept in other.kept.items():
            self.kept.setdefault(annotator, []).extend(looks.renamed(numbers) for looks in kept)

    def result(self) -> Mapping[str, Edited]:
        """Return the edits of each annotator, by cell and source, whatever the order in which they came."""
        return {annotator: self._edited(_joined(kept)) for annotator, kept in sorted(self.kept.items())}

    def _edited(self, looks: _Looks) -> Edited:
        looks = looks.take(np.lexsort((looks.key, looks.source, looks.cell)))
        edits, sources = (looks.take(self._edits[looks.cell] == wanted) for wanted in (True, False))
        words = np.array([*self.reasons, NOT_ANNOTATED])
        size = len(self.plan.sources)
        key = np.zeros(size, dtype=np.uint64)
        key[sources.source] = sources.key
        before = {name: np.full(size, np.nan) for name in self.attributes}
        why_before = {name: np.full(size, NOT_ANNOTATED, dtype=words.dtype) for name in self.attributes}
        for name in self.attributes:
            before[name][sources.source] = sources.values[name]
            why_before[name][sources.source] = words[sources.why[name]]
        why_after = {name: words[column] for name, column in edits.why.items()}
        about = (edits.cell, edits.source, edits.key, edits.people, edits.values, why_after)
        return Edited(*about, key, before, why_before)

    @cached_property
    def _edits(self) -> NDArray[np.bool_]:
        """Which cells are of prompts that edit."""
        prompts = self.plan.design.prompts
        return np.array([bool(prompts[prompt].edits) for _, prompt in self.plan.cells], dtype=bool)

    def _codes(self, names: Sequence[str]) -> Ints:
        """Return our number of each reason; the last place stands for none, as NONE points there."""
        return np.array([*(self.reasons.setdefault(name, len(self.reasons)) for name in names), 0], dtype=np.int64)


@dataclass(frozen=True)
class PerImage:
    """An attribute of each image: a number or a group's place, or else why not, as a place in ``names`` or NONE."""

    values: Array
    why: Ints
    names: Sequence[str]


def perceived(images: Described, attribute: Attribute) -> PerImage:
    """Return an attribute of all people of each image together: the mean of a number, the group that all share."""
    size = len(images.keys)
    names = [*images.names, INCONSISTENT + attribute.name]
    why = gaps(images, np.arange(size), attribute.name, images.told(attribute))
    if attribute.is_numeric:
        rows, numbers = images.values(attribute.name)
        count = np.bincount(images.image[rows], minlength=size)
        total = np.bincount(images.image[rows], weights=numbers, minlength=size)
        mean = np.divide(total, count, out=np.full(size, np.nan), where=count > 0)
        return PerImage(mean, np.where(count > 0, NONE, why), names)
    rows, masses = images.masses(attribute.name, len(attribute.groups))
    group, image = masses.argmax(axis=1), images.image[rows]
    low, high = np.full(size, len(attribute.groups)), np.full(size, -1)
    np.minimum.at(low, image, group)
    np.maximum.at(high, image, group)
    why = np.where((why == NONE) & (low < high), len(names) - 1, why)
    return PerImage(np.where(why == NONE, low, np.nan), why, names)


def _silent(images: Described) -> PerImage:
    """Return nothing of any image: the annotator does not tell the attribute."""
    size = len(images.keys)
    return PerImage(np.full(size, np.nan), np.full(size, images.codes["nothing_observed"]), images.names)


def _joined(parts: Sequence[_Looks]) -> _Looks:
    def whole(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    names = parts[0].values
    values = {name: np.concatenate([part.values[name] for part in parts]) for name in names}
    why = {name: np.concatenate([part.why[name] for part in parts]) for name in names}
    return _Looks(whole("cell"), whole("source"), whole("key"), people=whole("people"), values=values, why=why)

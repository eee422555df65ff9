"""What was perceived in each image, kept image by image: whether an image fails depends on two things seen in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from portrayal.evidence import Batch, Plan, Requires, Rule
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.store.tables.keys import Keys

__all__ = ["Look", "Looks"]

Key = tuple[str, str]
"""Annotator and attribute."""


@dataclass(frozen=True)
class Look:
    """One entry for each image: its name as a number, its cell, and what was perceived.

    That is a number, or the place of a group or a text in ``names``.
    """

    key: Keys
    cell: Ints
    value: Array
    names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Looks:
    """The need: these attributes, image by image. The result maps annotator and attribute to a :class:`Look`."""

    rule: Rule
    attributes: tuple[str, ...]
    requires: ClassVar[Requires] = Requires(texts=True)

    def begin(self, plan: Plan) -> LookSums:
        """Return sums of nothing."""
        return LookSums(self, plan)


@dataclass
class _Kept:
    """What came so far; texts have numbers of their own here, in the order in which they came."""

    parts: list[tuple[Keys, Ints, Array]] = field(default_factory=list)
    texts: dict[str, int] = field(default_factory=dict)

    def result(self, groups: Sequence[str]) -> Look:
        key, cell, value = (np.concatenate(arrays) for arrays in zip(*self.parts, strict=True))
        order = np.lexsort((key, cell))
        names = sorted(self.texts)  # not in the order in which they came
        if names:
            rank = np.empty(len(names))
            rank[[self.texts[name] for name in names]] = np.arange(len(names))
            value = rank[value.astype(np.int64)]
        return Look(key[order], cell[order], value[order], groups or names)


@dataclass
class LookSums:
    """What was kept, by annotator and attribute."""

    need: Looks
    plan: Plan
    kept: dict[Key, _Kept] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        annotator = batch.images.annotator
        for name in self.need.attributes:
            if name in self.plan.design.annotators[annotator]:
                self._add(batch, name)

    def _add(self, batch: Batch, name: str) -> None:
        attribute, images = self.plan.design.attributes[name], batch.images
        kept = self.kept.setdefault((images.annotator, name), _Kept())
        seen: Ints | Array
        if attribute.is_text:
            rows, seen = images.texts(name)
        elif attribute.is_numeric:
            rows, seen = images.values(name)
        else:
            rows, masses = images.masses(name, len(attribute.groups), raw=True)
            seen = masses.argmax(axis=1)
        entries, chosen = batch.of_rows(rows, self.need.rule)
        values = np.asarray(seen[chosen], dtype=float)
        if attribute.is_text:
            values = _renumbered(kept.texts, images.spelled, values.astype(np.int64))
        kept.parts.append((images.keys[batch.image[entries]], batch.cell[entries], values))

    def merge(self, other: LookSums) -> None:
        """Add what another has kept."""
        for key, theirs in other.kept.items():
            ours = self.kept.setdefault(key, _Kept())
            is_text = self.plan.design.attributes[key[1]].is_text
            spelled = list(theirs.texts)
            for keys, cells, values in theirs.parts:
                moved = _renumbered(ours.texts, spelled, values.astype(np.int64)) if is_text else values
                ours.parts.append((keys, cells, moved))

    def result(self) -> Mapping[Key, Look]:
        """Return what was kept, image by image in the order of cells and names."""
        attributes, kept = self.plan.design.attributes, self.plan.design.ordered(self.kept)
        return {key: looked.result(attributes[key[1]].groups) for key, looked in kept.items() if looked.parts}


def _renumbered(numbers: dict[str, int], spelled: Sequence[str], chosen: Ints) -> Array:
    """Return the numbers that texts have here; a text that is new gets the next one."""
    different, place = np.unique(chosen, return_inverse=True)
    renumbered = [numbers.setdefault(spelled[number], len(numbers)) for number in different.tolist()]
    return np.array(renumbered, dtype=float)[place] if renumbered else np.zeros(0)

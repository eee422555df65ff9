"""People by picture: of how many an attribute is told, and of which group. Those of one picture resemble each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from portrayal.evidence.design import Plan
from portrayal.evidence.need import Batch, Requires
from portrayal.evidence.usable import Rule
from portrayal.records import PERSON, Attribute
from portrayal.stats.exact import Ints
from portrayal.stats.likeliest import likeliest

__all__ = ["PeopleByPicture", "PictureSums"]

Key = tuple[str, str]
"""Annotator and attribute."""


@dataclass
class PictureSums:
    """By cell, over pictures that tell an attribute of ``m`` people, ``x`` of whom are of a group: how many pictures,
    the sums of m squared (cells), of x squared, and of x times m (cells, groups). Numbers have no groups.
    """

    pictures: Ints
    people_squared: Ints
    group_squared: Ints
    group_people: Ints

    @classmethod
    def nothing(cls, plan: Plan, groups: int) -> PictureSums:
        """Return sums over no picture."""
        return cls(plan.zeros(), plan.zeros(), plan.zeros(groups), plan.zeros(groups))

    def add(self, other: PictureSums) -> None:
        """Add further pictures."""
        for name in ("pictures", "people_squared", "group_squared", "group_people"):
            getattr(self, name)[:] += getattr(other, name)


@dataclass(frozen=True, slots=True)
class PeopleByPicture:
    """The need: people by picture, where each of them counts. The result maps annotator and attribute to the sums.

    Keys that no image tells are not there.
    """

    rule: Rule
    requires: ClassVar[Requires] = Requires()

    def begin(self, plan: Plan) -> PeopleByPictureSums:
        """Return sums of nothing."""
        return PeopleByPictureSums(self.rule, plan)


@dataclass
class PeopleByPictureSums:
    """Sums by annotator and attribute."""

    rule: Rule
    plan: Plan
    sums: dict[Key, PictureSums] = field(default_factory=dict)

    def add(self, batch: Batch) -> None:
        """Add a batch of images."""
        annotator = batch.images.annotator
        for name in self.plan.design.annotators[annotator]:
            attribute = self.plan.design.attributes[name]
            if name != PERSON and not attribute.is_text:
                self._add(batch, (annotator, name), attribute)

    def merge(self, other: PeopleByPictureSums) -> None:
        """Add what another has added up."""
        for key, theirs in other.sums.items():
            self._of(key).add(theirs)

    def result(self) -> Mapping[Key, PictureSums]:
        """Return the sums."""
        return self.plan.design.ordered(self.sums)

    def _add(self, batch: Batch, key: Key, attribute: Attribute) -> None:
        groups = len(attribute.groups)
        if groups:
            rows, masses = batch.images.masses(attribute.name, groups, raw=True)
            group = likeliest(masses.T)
        else:
            rows = batch.images.told(attribute)
            group = np.zeros(len(rows), dtype=np.int64)
        entries, chosen = batch.of_rows(rows, self.rule)
        if not len(entries):
            return
        entry, place = np.unique(entries, return_inverse=True)
        people = np.bincount(place)
        shown = np.bincount(place * max(groups, 1) + group[chosen], minlength=len(entry) * max(groups, 1))
        of_group = shown.reshape(len(entry), -1)[:, :groups]
        cells, sums = batch.cell[entry], self._of(key)
        np.add.at(sums.pictures, cells, 1)
        np.add.at(sums.people_squared, cells, people**2)
        np.add.at(sums.group_squared, cells, of_group**2)
        np.add.at(sums.group_people, cells, of_group * people[:, None])

    def _of(self, key: Key) -> PictureSums:
        if key not in self.sums:
            self.sums[key] = PictureSums.nothing(self.plan, len(self.plan.design.attributes[key[1]].groups))
        return self.sums[key]

"""What is added up about images, cell by cell: moments of their masses, and why some cannot be used."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.methods import Aligned, Alignment
from portrayal.records import aspect
from portrayal.stats.intervals import Array
from portrayal.stats.moments import Moments
from portrayal.study.pivot import NONE, Ints, Looked

__all__ = ["Cell", "Keys", "Missing", "Sums", "locate", "missing_table"]

Cell = tuple[str, str]
"""Generator and prompt."""
Keys = NDArray[np.uint64]
ByPeople = dict[tuple[str, int], Moments]
"""By annotator and by the number of people that a prompt asks for."""
Missing = dict[tuple[str, str, str], Ints]
"""By annotator ("": no image), attribute ("": the whole image) and reason: how many images of each cell."""

_OWN_REASONS = ("group", "hallucination", "nothing_observed", "one_person", "several_people")
_MISSING = pa.schema(
    [(name, pa.string()) for name in ("generator", "prompt", "annotator", "attribute", "reason")]
).append(pa.field("count", pa.float64()))


@dataclass
class Sums:
    """What has been added up so far, by annotator and by the number of people that a prompt asks for.

    ``annotators`` tells the attributes of each, ``people`` how many people the prompt of each cell asks for,
    ``labelled`` which images people judged, in order.
    """

    alignment: Alignment
    annotators: Mapping[str, Collection[str]]
    people: Ints
    labelled: Keys
    missing: Missing
    aligned: ByPeople = field(default_factory=dict)
    seen: dict[str, Ints] = field(default_factory=dict)
    _kept: dict[str, list[_Lines]] = field(default_factory=dict)

    def add(self, looked: Looked, image: Ints, cell: Ints) -> None:
        """Add images as one annotator saw them, each to the cells it belongs to."""
        np.add.at(self.seen.setdefault(looked.annotator, np.zeros_like(self.people)), cell, 1)
        reason = self._reasons(looked, image, self.people[cell])
        self._count(looked.annotator, "", [*_OWN_REASONS, *looked.names], cell, reason)
        image, cell = image[reason == NONE], cell[reason == NONE]
        self._count_gaps(looked, image, cell)
        self._add(self.aligned, looked.annotator, cell, looked.mass[image])
        if len(self.labelled):
            begins, ends = locate(self.labelled, looked.keys[image])
            image, cell = image[begins < ends], cell[begins < ends]
            self._kept.setdefault(looked.annotator, []).append(_Lines(looked.keys[image], cell, looked.mass[image]))

    def count_unseen(self, made: Ints) -> None:
        """Count the images that an annotator has not looked at; ``made`` is how many each cell has."""
        for annotator in self.annotators:
            self.missing[annotator, "", "not annotated"] = made - self.seen.get(annotator, 0)

    def match(self) -> tuple[ByPeople, ByPeople]:
        """Return moments of what each annotator saw, and of what people said, over the images that both could use."""
        matched: ByPeople = {}
        labelled: ByPeople = {}
        human = _Lines.joined(self._kept.get(self.alignment.human, ()))
        for annotator, kept in self._kept.items():
            if annotator != self.alignment.human:
                own = _Lines.joined(kept)
                mine, theirs = np.isin(own.names, human.names), np.isin(human.names, own.names)
                self._add(matched, annotator, own.cell[mine], own.mass[mine])
                self._add(labelled, annotator, human.cell[theirs], human.mass[theirs])
        return matched, labelled

    def tables(self, sums: Mapping[tuple[str, int], Moments], cells: Sequence[Cell]) -> dict[str, list[Aligned]]:
        """Return the moments with the names of their cells, in an order that does not depend on who came first."""
        found: dict[str, list[Aligned]] = {}
        for annotator in self.annotators:
            for people in sorted(number for name, number in sums if name == annotator):
                names = [cells[place] for place in np.flatnonzero(self.people == people).tolist()]
                found.setdefault(annotator, []).append(Aligned(people, names, sums[annotator, people]))
        return found

    @cached_property
    def _rank(self) -> Ints:
        """The place of each cell among those that ask for as many people."""
        rank = np.zeros_like(self.people)
        for people in np.unique(self.people):
            rank[self.people == people] = np.arange(np.count_nonzero(self.people == people))
        return rank

    def _reasons(self, looked: Looked, image: Ints, asked: Ints) -> Ints:
        """Return why each image cannot be used for its cell: a place in our own reasons and then the names, or NONE.

        In a group of any size (0) there is nobody of whom a prompt could have asked something: it is left out.
        """
        found, said = looked.people[image], looked.reason[image]
        # Whoever looked may have been asked for another number of people than this cell's prompt asks for.
        fits = np.array([(name.startswith("one_"), name.startswith("several_")) for name in (*looked.names, "")])
        blocked = (said != NONE) & ~((found == asked) & fits[said, asked - 1])
        tests = [asked == 0, ~looked.person[image], blocked, found == 0, found < asked, found > asked]
        group, nobody, nothing, one, several = range(len(_OWN_REASONS))
        return np.select(tests, [group, nobody, said + len(_OWN_REASONS), nothing, one, several], NONE)

    def _count_gaps(self, looked: Looked, image: Ints, cell: Ints) -> None:
        """Count usable images in which an attribute of one of the people asked for is missing."""
        names = ["nothing_observed", *looked.names]
        first = 0
        for number, (attribute, size) in enumerate(self.alignment.columns):
            if attribute in self.annotators[looked.annotator]:
                absent = np.isnan(looked.mass[image, :, first])
                gap = absent[:, 0] | (absent[:, 1] & (self.people[cell] > 1))
                self._count(looked.annotator, attribute, names, cell[gap], looked.why[image[gap], number] + 1)
            first += size

    def _count(self, annotator: str, attribute: str, names: Sequence[str], cell: Ints, reason: Ints) -> None:
        for code in np.flatnonzero(np.bincount(reason[reason != NONE])).tolist():
            counts = self.missing.setdefault((annotator, attribute, names[code]), np.zeros_like(self.people))
            np.add.at(counts, cell[reason == code], 1)

    def _add(self, sums: ByPeople, annotator: str, cell: Ints, mass: Array) -> None:
        for people in np.unique(self.people[cell]).tolist():
            mine = self.people[cell] == people
            if (annotator, people) not in sums:
                sums[annotator, people] = self._empty(people)
            own = mass[mine, :people]
            sums[annotator, people].add(self._rank[cell[mine]], own.reshape(len(own), -1))

    def _empty(self, people: int) -> Moments:
        columns = self.alignment.columns
        aspects = [(aspect(name, side, people), size) for side in range(people) for name, size in columns]
        return Moments.empty(aspects, int(np.count_nonzero(self.people == people)))


@dataclass(frozen=True, slots=True)
class _Lines:
    """Images with their cells and masses; few, as only those that people labelled are kept."""

    key: Keys
    cell: Ints
    mass: Array

    @classmethod
    def joined(cls, parts: Sequence[_Lines]) -> _Lines:
        if not parts:
            return cls(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64), np.zeros((0, 0, 0)))
        arrays = ([getattr(part, name) for part in parts] for name in ("key", "cell", "mass"))
        return cls(*(np.concatenate(own) for own in arrays))

    @property
    def names(self) -> NDArray[np.void]:
        """Image and cell as one value, to compare by."""
        return np.rec.fromarrays([self.key, self.cell])


def locate(ordered: Keys, keys: Keys) -> tuple[Ints, Ints]:
    """Return where each key begins and ends among those ``ordered``; both are the same where it is not there."""
    order = np.argsort(keys)
    begins, ends = np.empty(len(keys), dtype=np.int64), np.empty(len(keys), dtype=np.int64)
    begins[order] = np.searchsorted(ordered, keys[order])  # in order, since near places share the cache
    ends[order] = np.searchsorted(ordered, keys[order], side="right")
    return begins, ends


def missing_table(missing: Missing, cells: Sequence[Cell]) -> pa.Table:
    """Return the counts as a table, a row for each cell and reason."""
    rows = [
        (*cells[cell], annotator, attribute, reason, float(counts[cell]))
        for (annotator, attribute, reason), counts in missing.items()
        for cell in np.flatnonzero(counts).tolist()
    ]
    return pa.Table.from_pylist([dict(zip(_MISSING.names, row, strict=True)) for row in sorted(rows)], _MISSING)

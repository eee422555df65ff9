"""Who was seen in images: the rows of observations, one for each image, annotator and person, as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence.described_images import NONE, Described
from portrayal.evidence.observations import COLUMNS, ENCODED, ObservationReader
from portrayal.records import Attribute
from portrayal.stats.exact import Ints
from portrayal.store.tables.table import Table
from portrayal.study.tables.filling import FilledColumns

__all__ = ["KEY", "REASON", "ROW", "SUBJECT", "read_people"]

KEY, SUBJECT, ROW, REASON = " key", " subject", " row", " reason"
"""Columns that are no attribute's; no attribute has such a name."""
_FIXED = {KEY: np.dtype(np.uint64), SUBJECT: np.dtype(np.int32), ROW: np.dtype(np.int64), REASON: np.dtype(np.int32)}
_ROWS = 60_000


@dataclass(frozen=True, slots=True)
class _Reasons:
    """Numbers what could not be told of a person, which may be several things."""

    texts: dict[str, int] = field(default_factory=dict)

    def numbers(self, described: Described, people: _Persons) -> Ints:
        """Return of each person the number of the text, NONE: nothing is missing."""
        text_numbers = np.full(len(people.first), NONE)
        rows, whose = people.each(np.flatnonzero(described.rows.reason != NONE))
        whom, order = np.unique(whose, return_inverse=True)
        if not len(whom):
            return text_numbers
        pairs = np.column_stack([described.rows.attribute[rows], described.rows.reason[rows]])
        kinds, kind = np.unique(pairs, axis=0, return_inverse=True)
        # One column for each thing that may be missing: people of whom the same is missing have equal rows.
        missing = np.zeros((len(whom), len(kinds)), dtype=bool)
        missing[order, kind.reshape(-1)] = True
        words = [_worded(described.names, *kind_of_reason) for kind_of_reason in kinds.tolist()]
        packed, same = np.unique(np.packbits(missing, axis=1), axis=0, return_inverse=True)
        masks = np.unpackbits(packed, axis=1, count=len(kinds)).astype(bool)
        texts = ["; ".join(words[place] for place in np.flatnonzero(mask)) for mask in masks]
        numbers = np.array([self.texts.setdefault(text, len(self.texts)) for text in texts])
        text_numbers[whom] = numbers[same.reshape(-1)]
        return text_numbers


def _worded(names: Sequence[str], attribute: int, reason: int) -> str:
    return names[reason] if attribute == NONE else f"{names[attribute]}: {names[reason]}"


def read_people(
    observations: Table, attributes: Mapping[str, Sequence[Attribute]]
) -> tuple[dict[str, FilledColumns], list[str]]:
    """Return what each annotator told of its attributes, and the texts that the numbers of reasons stand for.

    There is a row for each person of each image, or for an image of which nothing could be judged, with the columns
    ``KEY``, the image; ``SUBJECT``, NONE where nobody is spoken of; ``ROW``, the number of the first observation;
    ``REASON``, the number of what could not be told, and why; and for each attribute its masses or its value (nan: not
    told), or the number of the observation that has the words (NONE: there is none).
    """
    reader, reasons, room = ObservationReader(attributes, _ROWS), _Reasons(), observations.count()
    people = {name: FilledColumns(room, _FIXED | {a.name: _type(a) for a in told}) for name, told in attributes.items()}
    for described in reader.images(observations.scan(COLUMNS, ENCODED)):
        people[described.annotator].add(_people(described, attributes[described.annotator], reasons))
    return people, list(reasons.texts)


def _type(attribute: Attribute) -> np.dtype[Any]:
    if attribute.is_text or attribute.is_numeric:
        return np.dtype(np.int64 if attribute.is_text else np.float64)
    return np.dtype((np.float32, (len(attribute.groups),)))


def _people(described: Described, attributes: Sequence[Attribute], reasons: _Reasons) -> dict[str, NDArray[Any]]:
    rows, people = described.rows, _Persons.of(described)
    first = people.first
    columns: dict[str, NDArray[Any]] = {
        KEY: rows.key[first],
        SUBJECT: rows.subject[first],
        ROW: rows.position[first],
        REASON: reasons.numbers(described, people),
    }
    for attribute in attributes:
        mine, told, nothing = _told(described, attribute)
        columns[attribute.name] = np.full((len(first), *told.shape[1:]), nothing, dtype=told.dtype)
        columns[attribute.name][people.person[mine]] = told
    return columns


def _told(described: Described, attribute: Attribute) -> tuple[Ints, NDArray[Any], float]:
    """Return the rows that tell an attribute, what they tell, and what stands where none does."""
    if attribute.is_text:
        rows = described.rows
        mine = np.flatnonzero((rows.attribute == described.codes.get(attribute.name, NONE - 1)) & (rows.reason == NONE))
        return mine, rows.position[mine], NONE
    if attribute.is_numeric:
        return *described.values(attribute.name), np.nan
    mine, masses = described.masses(attribute.name, len(attribute.groups), raw=True)
    return mine, masses, np.nan


@dataclass(frozen=True, slots=True)
class _Persons:
    """The first row of each person, whose image that is, the image of each row, and the person of each row.

    What is said of a whole image is a person of its own only where there is no other: else it counts for all of them.
    """

    first: Ints
    whose: Ints
    image: Ints
    person: Ints

    @classmethod
    def of(cls, described: Described) -> _Persons:
        image, subject = described.image, described.rows.subject
        first, person = _runs(image * (int(subject.max(initial=NONE)) + 2) + subject + 1)
        whose, somebody = image[first], subject[first] != NONE
        shown = np.zeros(len(described.keys), dtype=bool)
        shown[whose[somebody]] = True
        kept = somebody | ~shown[whose]
        number = np.where(kept, np.cumsum(kept) - 1, NONE)
        return cls(first[kept], whose[kept], image, number[person])

    def each(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return rows with the person each is about; one about a whole image as often as there are people in it."""
        person = self.person[rows]
        whole = rows[person == NONE]
        start, end = (np.searchsorted(self.whose, self.image[whole], side) for side in ("left", "right"))
        count = end - start
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        about = np.r_[person[person != NONE], np.repeat(start, count) + within]
        return np.r_[rows[person != NONE], np.repeat(whole, count)], about


def _runs(code: Ints) -> tuple[Ints, Ints]:
    """Return the first place of each number, in the order of the numbers, and the place of each among them."""
    if (code[1:] >= code[:-1]).all():  # as annotators write them
        new = np.r_[True, code[1:] != code[:-1]]
        return np.flatnonzero(new), np.cumsum(new) - 1
    _, first, place = np.unique(code, return_index=True, return_inverse=True)
    return first, place

"""Images as one annotator described them: its rows about them as numbers, and what these say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from portrayal.records import JOINT, PERSON, Attribute, known_reasons
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.store.tables.keys import Keys

__all__ = ["NONE", "Described", "ObservationRows"]

NONE = -1
_LARGEST = 1e150
_DIGITS = 7
"""As many decimals of a mass survive single precision; so 0.8 is read as 0.8 and not as a little more."""


@dataclass(frozen=True, slots=True)
class ObservationRows:
    """Rows as numbers. The mass of a row begins at ``start`` in ``masses`` and has ``size`` groups; nan: no value.

    ``text`` is the number of a row's words; NONE: it has none, or nobody needs them. ``position`` counts the rows read
    before it.
    """

    key: Keys
    annotator: Ints
    subject: Ints
    attribute: Ints
    reason: Ints
    value: Array
    start: Ints
    size: Ints
    text: Ints
    position: Ints
    masses: NDArray[np.float32]

    def take(self, chosen: slice | NDArray[np.bool_]) -> ObservationRows:
        """Return some of the rows."""
        return ObservationRows(**{name: getattr(self, name)[chosen] for name in _PER_ROW}, masses=self.masses)

    @classmethod
    def joined(cls, parts: Sequence[ObservationRows]) -> ObservationRows:
        """Return the rows of stretches that follow one another."""
        masses = [part.masses[part.start[0] :] if len(part.start) else part.masses[:0] for part in parts]
        joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _PER_ROW}
        before = np.cumsum([0, *(len(some) for some in masses[:-1])])
        starts = [part.start - part.start[:1] + shift for part, shift in zip(parts, before, strict=True)]
        return cls(**{**joined, "start": np.concatenate(starts)}, masses=np.concatenate(masses))


_PER_ROW = tuple(column.name for column in fields(ObservationRows) if column.name != "masses")


@dataclass(frozen=True)
class Described:
    """Images as one annotator described them: the rows of each stand together.

    ``names`` is what numbers stand for, ``spelled`` what those of texts do.
    """

    annotator: str
    rows: ObservationRows
    names: Sequence[str]
    spelled: Sequence[str] = ()
    _masses: dict[tuple[str, int, bool], tuple[Ints, Array]] = field(default_factory=dict)

    @cached_property
    def _starts(self) -> Ints:
        return np.flatnonzero(np.r_[True, self.rows.key[1:] != self.rows.key[:-1]])

    @cached_property
    def keys(self) -> Keys:
        """The images."""
        return self.rows.key[self._starts]

    @cached_property
    def image(self) -> Ints:
        """Which image each row is about."""
        return np.repeat(np.arange(len(self._starts)), np.diff(np.r_[self._starts, len(self.rows.key)]))

    @cached_property
    def codes(self) -> dict[str, int]:
        """Names to numbers."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def about_people(self) -> NDArray[np.bool_]:
        """Rows about an attribute of a depicted person, told or not; whether anyone is shown describes nobody."""
        rows = self.rows
        told = (rows.subject != NONE) & (rows.attribute != NONE)
        return np.asarray(told & (rows.attribute != self.codes[PERSON]))

    @cached_property
    def _extent(self) -> tuple[Ints, Ints]:
        """The lowest and the highest number of the people described in each image; above it where there are none."""
        counted, subject = self.about_people, self.rows.subject
        lowest = np.minimum.reduceat(np.where(counted, subject, np.iinfo(np.int64).max), self._starts)
        return lowest, np.maximum.reduceat(np.where(counted, subject, NONE), self._starts)

    @cached_property
    def people(self) -> Ints:
        """How many people each image describes."""
        lowest, highest = self._extent
        count = np.where(highest == NONE, 0, np.where(highest == lowest, 1, 2))
        if (many := highest - np.minimum(lowest, highest) > 1).any():
            rows = self.about_people & many[self.image]
            whom = np.unique(np.column_stack([self.image[rows], self.rows.subject[rows]]), axis=0)
            count[many] = np.bincount(whom[:, 0], minlength=len(self.keys))[many]
        return count

    @cached_property
    def is_later(self) -> NDArray[np.bool_]:
        """Rows about another person than the first."""
        return np.asarray(self.rows.subject > self._extent[0][self.image])

    @cached_property
    def said(self) -> Ints:
        """Why each image as a whole cannot be used, as its annotator says; of several reasons one that is not about
        the number of people.
        """
        said = np.full(len(self.keys), NONE)
        blocked = np.flatnonzero((self.rows.subject == NONE) & (self.rows.reason != NONE))
        numbers = {self.codes[reason.code] for reason in known_reasons().values() if reason.blocks != "image"}
        counts = np.isin(self.rows.reason[blocked], list(numbers))
        for chosen in (blocked[counts], blocked[~counts]):
            said[self.image[chosen]] = self.rows.reason[chosen]
        return said

    @cached_property
    def shows_person(self) -> Array:
        """The probability that each image shows people at all; nan where nothing is said of it."""
        probability = np.full(len(self.keys), np.nan)
        rows, masses = self.masses(PERSON, 2)
        probability[self.image[rows]] = masses[:, 0]
        return probability

    def masses(self, attribute: str, groups: int, *, raw: bool = False) -> tuple[Ints, Array]:
        """Return the rows that tell an attribute, and their masses (rows, groups); ``raw`` are those as stored.

        The masses of a group are one stretch of memory.
        """
        key = (attribute, groups, raw)
        if key not in self._masses:
            self._masses[key] = self._read_masses(attribute, groups) if raw else self._rounded(attribute, groups)
        return self._masses[key]

    def _rounded(self, attribute: str, groups: int) -> tuple[Ints, Array]:
        rows, masses = self.masses(attribute, groups, raw=True)
        return rows, np.round(masses.T, _DIGITS).T

    def _read_masses(self, attribute: str, groups: int) -> tuple[Ints, Array]:
        if JOINT in attribute:
            return self._joint_masses(attribute.split(JOINT), groups)
        rows = self.rows
        number = self.codes.get(attribute, NONE - 1)
        mine = np.flatnonzero((rows.attribute == number) & (rows.subject != NONE) & (rows.size == groups))
        columns, start = np.empty((groups, len(mine))), rows.start[mine]
        for group in range(groups):
            columns[group] = rows.masses[start + group]
        if np.isnan(columns).any():
            whole = ~np.isnan(columns).any(axis=0)
            mine, columns = mine[whole], columns[:, whole]
        return mine, columns.T

    def _joint_masses(self, parts: Sequence[str], groups: int) -> tuple[Ints, Array]:
        """Return the masses of several attributes of one person: the products, in the row that tells the first of them.

        An annotator tells each attribute by itself, so that the product is what is known of them together. A person of
        whom one of them is not told has none.
        """
        rows, joint, whom = np.zeros(0, dtype=np.int64), np.ones((0, 1)), np.zeros(0, dtype=np.int64)
        most = int(self.rows.subject.max(initial=0)) + 2
        for number, part in enumerate(parts):
            size = self._groups_of(part)
            own, masses = self.masses(part, size, raw=True)
            person = self.image[own] * most + self.rows.subject[own]
            person, first = np.unique(person, return_index=True)
            if not number:
                rows, joint, whom = own[first], masses[first], person
                continue
            whom, before, after = np.intersect1d(whom, person, assume_unique=True, return_indices=True)
            both = joint[before][:, :, None] * masses[first][after][:, None, :]
            rows, joint = rows[before], both.reshape(len(before), joint.shape[1] * size)
        if joint.shape[1] != groups:
            return np.zeros(0, dtype=np.int64), np.zeros((0, groups))
        order = np.argsort(rows, kind="stable")
        return rows[order], joint[order]

    def _groups_of(self, attribute: str) -> int:
        """Return how many groups an attribute has, by the rows that tell it; 0 where none does."""
        rows = self.rows
        mine = (rows.attribute == self.codes.get(attribute, NONE - 1)) & (rows.subject != NONE)
        return int(rows.size[mine].max(initial=0))

    def told(self, attribute: Attribute) -> Ints:
        """Return the rows that tell an attribute, be it by a mass or by a number."""
        if attribute.is_numeric:
            return self.values(attribute.name)[0]
        return self.masses(attribute.name, len(attribute.groups), raw=True)[0]

    def values(self, attribute: str) -> tuple[Ints, Array]:
        """Return the rows that tell a number, and the numbers; one whose square is beyond all numbers is none."""
        rows = self.rows
        number = self.codes.get(attribute, NONE - 1)
        mine = np.flatnonzero((rows.attribute == number) & (rows.subject != NONE) & (np.abs(rows.value) < _LARGEST))
        return mine, rows.value[mine]

    def texts(self, attribute: str) -> tuple[Ints, Ints]:
        """Return the rows that tell an attribute in words, and the numbers of the words in ``spelled``."""
        rows = self.rows
        number = self.codes.get(attribute, NONE - 1)
        mine = np.flatnonzero((rows.attribute == number) & (rows.subject != NONE) & (rows.text != NONE))
        return mine, rows.text[mine]

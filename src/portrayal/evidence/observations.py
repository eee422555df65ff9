"""From rows of the observations table to images as one annotator described them.

Rows of one image by one annotator stand together in the table, since they are written together. Batches are put
together until there are enough, for the table may consist of many small ones; the last image waits for its other rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.records import PERSON, Attribute, known_reasons
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.store.keys import Keys, names_to_keys

__all__ = ["COLUMNS", "ENCODED", "NONE", "TEXT", "Described", "ObservationReader", "ObservationRows"]

NONE = -1
COLUMNS = ("image", "annotator", "subject", "attribute", "mass", "value", "reason")
ENCODED = ("image", "annotator", "attribute", "reason")
TEXT = "text"
"""One more column, encoded too, for who needs the words that annotators wrote."""
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


_PER_ROW = tuple(own.name for own in fields(ObservationRows) if own.name != "masses")


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
        own, subject = self.about_people, self.rows.subject
        lowest = np.minimum.reduceat(np.where(own, subject, np.iinfo(np.int64).max), self._starts)
        return lowest, np.maximum.reduceat(np.where(own, subject, NONE), self._starts)

    @cached_property
    def people(self) -> Ints:
        """How many people each image describes."""
        lowest, highest = self._extent
        count = np.where(highest == NONE, 0, np.where(highest == lowest, 1, 2))
        if (many := highest - np.minimum(lowest, highest) > 1).any():
            own = self.about_people & many[self.image]
            whom = np.unique(np.column_stack([self.image[own], self.rows.subject[own]]), axis=0)
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
        found = np.full(len(self.keys), np.nan)
        rows, masses = self.masses(PERSON, 2)
        found[self.image[rows]] = masses[:, 0]
        return found

    def masses(self, attribute: str, groups: int, *, raw: bool = False) -> tuple[Ints, Array]:
        """Return the rows that tell an attribute, and their masses (rows, groups); ``raw`` are those as stored."""
        key = (attribute, groups, raw)
        if key not in self._masses:
            self._masses[key] = self._read_masses(attribute, groups) if raw else self._rounded(attribute, groups)
        return self._masses[key]

    def _rounded(self, attribute: str, groups: int) -> tuple[Ints, Array]:
        rows, masses = self.masses(attribute, groups, raw=True)
        return rows, np.asarray(np.round(masses, _DIGITS))

    def _read_masses(self, attribute: str, groups: int) -> tuple[Ints, Array]:
        rows = self.rows
        number = self.codes.get(attribute, NONE - 1)
        mine = np.flatnonzero((rows.attribute == number) & (rows.subject != NONE) & (rows.size == groups))
        found = rows.masses[rows.start[mine][:, None] + np.arange(groups)].astype(np.float64)
        if np.isnan(found).any():
            whole = ~np.isnan(found).any(axis=1)
            mine, found = mine[whole], found[whole]
        return mine, found

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


class ObservationReader:
    """Reads batches of observations; rows of annotators not named are left out, and so are texts not in the batches."""

    def __init__(self, annotators: Collection[str], size: int) -> None:
        self.annotators = annotators
        self.size = size
        # Names become numbers, the same in every batch.
        self._numbers = {name: number for number, name in enumerate([PERSON, *known_reasons()])}
        self._texts: dict[str, int] = {}
        self._spelled: list[str] = []
        self._rows = 0

    @property
    def names(self) -> Sequence[str]:
        """What numbers stand for: attributes, reasons and annotators met so far."""
        return list(self._numbers)

    def images(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Described]:
        """Yield images by annotator, those of about ``size`` rows at a time."""
        waiting: list[ObservationRows] = []
        for batch in batches:
            waiting.append(self._read(batch))
            if sum(len(rows.key) for rows in waiting) >= self.size:
                rows = ObservationRows.joined(waiting)
                others = np.flatnonzero(rows.key != rows.key[-1])
                cut = int(others[-1]) + 1 if len(others) else 0
                yield from self._by_annotator(rows.take(slice(cut)))
                waiting = [rows.take(slice(cut, None))]
        if waiting:
            yield from self._by_annotator(ObservationRows.joined(waiting))

    def _read(self, batch: pa.RecordBatch) -> ObservationRows:
        annotator, attribute, reason = (self._codes(batch[name]) for name in ("annotator", "attribute", "reason"))
        mass = batch["mass"]
        ends = mass.offsets.to_numpy().astype(np.int64)
        size = np.where(np.asarray(mass.is_valid()), np.diff(ends), 0)
        masses = mass.values.slice(ends[0], ends[-1] - ends[0]).to_numpy(zero_copy_only=False)
        value = batch["value"].to_numpy(zero_copy_only=False)
        key, subject = names_to_keys(batch["image"]), _filled(batch["subject"])
        start, text = ends[:-1] - ends[0], self._text_numbers(batch)
        position = np.arange(self._rows, self._rows + batch.num_rows)
        self._rows += batch.num_rows
        return ObservationRows(key, annotator, subject, attribute, reason, value, start, size, text, position, masses)

    def _text_numbers(self, batch: pa.RecordBatch) -> Ints:
        if TEXT not in batch.schema.names:
            return np.full(batch.num_rows, NONE)
        column = batch[TEXT]
        numbers = []
        for text in column.dictionary.to_pylist():
            number = self._texts.setdefault(text, len(self._texts))
            if number == len(self._spelled):
                self._spelled.append(text)
            numbers.append(number)
        return np.array([*numbers, NONE])[_filled(column.indices)]

    def _codes(self, array: pa.DictionaryArray) -> Ints:
        numbers = [self._numbers.setdefault(name, len(self._numbers)) for name in array.dictionary.to_pylist()]
        return np.array([*numbers, NONE])[_filled(array.indices)]

    def _by_annotator(self, rows: ObservationRows) -> Iterator[Described]:
        names = self.names
        for code in np.flatnonzero(np.bincount(rows.annotator + 1, minlength=1)[1:]).tolist():
            if names[code] in self.annotators:
                yield Described(names[code], rows.take(rows.annotator == code), names, self._spelled)


def _filled(array: pa.Array) -> Ints:
    return np.asarray(array.fill_null(NONE).to_numpy(zero_copy_only=False), dtype=np.int64)

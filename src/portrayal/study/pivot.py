"""From rows of the observations table to one line per image: masses side by side, or why there are none.

Rows of one image by one annotator stand together in the table, since they are written together. Batches are put
together until there are enough, for the table may consist of many small ones; the last image waits for its other rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.methods import Alignment
from portrayal.records import PERSON, SIDES
from portrayal.stats.intervals import Array

__all__ = ["COLUMNS", "ENCODED", "NONE", "Ints", "Looked", "Pivot"]

Ints = NDArray[np.int64]
COLUMNS = ("image", "annotator", "subject", "attribute", "mass", "reason")
ENCODED = ("image", "annotator", "attribute", "reason")
NONE = -1
_DIGITS = 7
"""As many decimals of a mass survive single precision; so 0.8 is read as 0.8 and not as a little more."""


@dataclass(frozen=True, slots=True)
class Looked:
    """Images as one annotator saw them.

    ``people`` counts the people described (3: more than two; 0: nothing could be told of any), ``mass`` (images, 2,
    columns) holds the first's masses and the last's, ``person`` says whether the image passed the person check.
    ``reason`` is why the whole image cannot be used, ``why`` (images, attributes) why an attribute is missing; both
    are places in ``names``, or NONE.
    """

    keys: NDArray[np.uint64]
    annotator: str
    people: Ints
    mass: Array
    person: NDArray[np.bool_]
    reason: Ints
    why: Ints
    names: Sequence[str]


class Pivot:
    """Reads batches of observations for one alignment; rows of annotators not named are left out."""

    def __init__(self, alignment: Alignment, annotators: Collection[str], size: int) -> None:
        self.alignment = alignment
        self.annotators = annotators
        self.size = size
        # Names become numbers, the same in every batch: first those of the columns, then PERSON, then what comes.
        self._numbers = {name: number for number, name in enumerate([*dict(alignment.columns), PERSON])}

    def images(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Looked]:
        """Yield images by annotator, those of about ``size`` rows at a time."""
        waiting: list[_Rows] = []
        for batch in batches:
            waiting.append(self._read(batch))
            if sum(len(rows.key) for rows in waiting) >= self.size:
                rows = _Rows.joined(waiting)
                others = np.flatnonzero(rows.key != rows.key[-1])
                cut = int(others[-1]) + 1 if len(others) else 0
                yield from self._by_annotator(rows.take(slice(cut)))
                waiting = [rows.take(slice(cut, None))]
        if waiting:
            yield from self._by_annotator(_Rows.joined(waiting))

    def _read(self, batch: pa.RecordBatch) -> _Rows:
        annotator, attribute, reason = (self._codes(batch[name]) for name in ("annotator", "attribute", "reason"))
        image, mass = batch["image"], batch["mass"]
        key = np.append(_keys(image.dictionary), np.uint64(0))[_filled(image.indices)]
        ends = mass.offsets.to_numpy().astype(np.int64)
        size = np.where(np.asarray(mass.is_valid()), np.diff(ends), 0)
        values = mass.values.slice(ends[0], ends[-1] - ends[0]).to_numpy(zero_copy_only=False)
        return _Rows(key, annotator, _filled(batch["subject"]), attribute, reason, ends[:-1] - ends[0], size, values)

    def _codes(self, array: pa.DictionaryArray) -> Ints:
        numbers = [self._numbers.setdefault(name, len(self._numbers)) for name in array.dictionary.to_pylist()]
        return np.array([*numbers, NONE])[_filled(array.indices)]

    def _by_annotator(self, rows: _Rows) -> Iterator[Looked]:
        names = list(self._numbers)
        for code in np.flatnonzero(np.bincount(rows.annotator + 1, minlength=1)[1:]):
            if names[code] in self.annotators:
                yield self._look(rows.take(rows.annotator == code), names)

    def _look(self, rows: _Rows, names: Sequence[str]) -> Looked:
        starts = np.flatnonzero(np.r_[True, rows.key[1:] != rows.key[:-1]])
        image = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(rows.key)]))
        annotator, columns = names[rows.annotator[0]], len(self.alignment.columns)
        people, place = _people(rows, image, starts, columns)
        mass, told = self._masses(rows, image, place, corrected=annotator != self.alignment.human)
        person = np.ones(len(starts), dtype=bool)
        checked = (rows.attribute == columns) & (rows.size == 2)
        person[image[checked]] = rows.masses(checked, 2)[:, 0] >= self.alignment.person
        why = np.full((len(starts), columns), NONE)
        gaps = (rows.reason != NONE) & (rows.subject != NONE) & (rows.attribute != NONE) & (rows.attribute < columns)
        why[image[gaps], rows.attribute[gaps]] = rows.reason[gaps]
        reason = _whole(rows, image, len(starts), names)
        return Looked(rows.key[starts], annotator, np.where(told, people, 0), mass, person, reason, why, names)

    def _masses(self, rows: _Rows, image: Ints, place: Ints, *, corrected: bool) -> tuple[Array, NDArray[np.bool_]]:
        """Return the masses (images, 2, columns) and which images have any. What people say is not corrected."""
        count = int(image[-1]) + 1
        matrix = np.full((count, len(SIDES), sum(size for _, size in self.alignment.columns)), np.nan)
        told = np.zeros(count, dtype=bool)
        first = 0
        for number, (name, size) in enumerate(self.alignment.columns):
            mine = np.flatnonzero((rows.attribute == number) & (rows.subject != NONE) & (rows.size == size))
            mass = rows.masses(mine, size)
            if np.isnan(mass).any():
                whole = ~np.isnan(mass).any(axis=1)
                mine, mass = mine[whole], mass[whole]
            if corrected:
                mass = self.alignment.profile.align(name, mass)
            matrix[image[mine], place[mine], first : first + size] = mass
            told[image[mine]] = True
            first += size
        return matrix, told


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows as numbers. The mass of a row begins at ``start`` in ``values`` and has ``size`` groups."""

    key: NDArray[np.uint64]
    annotator: Ints
    subject: Ints
    attribute: Ints
    reason: Ints
    start: Ints
    size: Ints
    values: NDArray[np.float32]

    def take(self, chosen: slice | NDArray[np.bool_]) -> _Rows:
        """Return some of the rows."""
        return _Rows(**{name: getattr(self, name)[chosen] for name in _PER_ROW}, values=self.values)

    @classmethod
    def joined(cls, parts: Sequence[_Rows]) -> _Rows:
        """Return the rows of stretches that follow one another."""
        values = [part.values[part.start[0] :] if len(part.start) else part.values[:0] for part in parts]
        joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _PER_ROW}
        before = np.cumsum([0, *(len(some) for some in values[:-1])])
        starts = [part.start - part.start[:1] + shift for part, shift in zip(parts, before, strict=True)]
        return cls(**{**joined, "start": np.concatenate(starts)}, values=np.concatenate(values))

    def masses(self, chosen: NDArray[np.bool_] | Ints, size: int) -> Array:
        """Return the masses of the chosen rows (rows, groups)."""
        found = self.values[self.start[chosen][:, None] + np.arange(size)]
        return np.asarray(np.round(found.astype(np.float64), _DIGITS))


_PER_ROW = tuple(field.name for field in fields(_Rows) if field.name != "values")


def _filled(array: pa.Array) -> Ints:
    return np.asarray(array.fill_null(NONE).to_numpy(zero_copy_only=False), dtype=np.int64)


def _keys(images: pa.StringArray) -> NDArray[np.uint64]:
    """Return the first 64 of the 256 bits of each image's name, 64 hexadecimal digits.

    Among 15 million images the chance that any two agree in them is 1 in 160,000.
    """
    if not len(images):
        return np.zeros(0, dtype=np.uint64)
    _, offsets, text = images.buffers()
    starts = np.frombuffer(offsets, dtype=np.int32)[images.offset : images.offset + len(images)]
    digits = np.frombuffer(text, dtype=np.uint8)[starts[:, None] + np.arange(16)]
    values = (digits & 15) + 9 * (digits >> 6)  # "a" is 0x61: its low half is 1, and it stands for 10
    packed = np.ascontiguousarray(values[:, ::2] << 4 | values[:, 1::2])
    return packed.view(">u8")[:, 0].astype(np.uint64)


def _people(rows: _Rows, image: Ints, starts: Ints, person: int) -> tuple[Ints, Ints]:
    """Return how many people each image describes, and of each row whether it is about the first or another.

    Whoever lacks a mass, but has an attribute that could not be told, is there too; ``person`` describes nobody.
    """
    described = (rows.subject != NONE) & (rows.attribute != NONE) & (rows.attribute != person)
    lowest = np.minimum.reduceat(np.where(described, rows.subject, np.iinfo(np.int64).max), starts)
    highest = np.maximum.reduceat(np.where(described, rows.subject, NONE), starts)
    people = (highest != NONE).astype(np.int64) + (highest > lowest)
    people[image[described & (rows.subject > lowest[image]) & (rows.subject < highest[image])]] = 3
    return people, (rows.subject > lowest[image]).astype(np.int64)


def _whole(rows: _Rows, image: Ints, count: int, names: Sequence[str]) -> Ints:
    """Return why each image cannot be used; of several reasons one that does not merely count people."""
    reason = np.full(count, NONE)
    counts = np.array([name.startswith(("one_", "several_")) for name in names])
    blocked = np.flatnonzero((rows.subject == NONE) & (rows.reason != NONE))
    for chosen in (blocked[counts[rows.reason[blocked]]], blocked[~counts[rows.reason[blocked]]]):
        reason[image[chosen]] = rows.reason[chosen]
    return reason

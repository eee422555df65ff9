"""Planted people as numbers: of the many images that generators with a known truth draw, few people differ."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.records import Person
from portrayal.stats.exact import Ints

__all__ = ["PlantedCodes", "planted_people"]

_NOT_ONE = -1


def planted_people(planted: pa.ListArray) -> list[list[Person] | None]:
    """Return who is planted in each image, None: not known. Equal people are one object, made once."""
    persons: pa.MapArray = planted.values
    keys, items = persons.keys.dictionary_encode(), persons.items.dictionary_encode()
    names, groups = keys.dictionary.to_pylist(), items.dictionary.to_pylist()
    words = np.column_stack([keys.indices.to_numpy(), items.indices.fill_null(len(groups)).to_numpy()]).tolist()
    spelled, met = [*groups, None], dict[tuple[tuple[int, int], ...], Person]()
    ends, people = persons.offsets.to_pylist(), list[Person]()
    pairs = list(map(tuple, words))
    for start, end in itertools.pairwise(ends):
        key = tuple(pairs[start:end])
        if key not in met:
            met[key] = {names[name]: spelled[group] for name, group in key}
        people.append(met[key])
    rows = zip(itertools.pairwise(planted.offsets.to_pylist()), planted.is_valid().to_pylist(), strict=True)
    return [people[start:end] if known else None for (start, end), known in rows]


class PlantedCodes:
    """Gives each different person a number, the same in every batch."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._persons: list[Person] = []
        self._words: dict[tuple[str, str], int] = {}

    @property
    def persons(self) -> Sequence[Person]:
        """The people met so far, by number."""
        return self._persons

    def numbers(self, planted: pa.ListArray) -> Ints:
        """Return the number of the one person planted in each image; -1: none, several, or not known."""
        ends = planted.offsets.to_numpy().astype(np.int64)
        rows = np.flatnonzero(np.asarray(planted.is_valid()) & (np.diff(ends) == 1))
        persons = np.full(len(planted), _NOT_ONE)
        if len(rows):
            marks = self._marks(planted.values)[ends[rows]]
            different, where = np.unique(marks, return_index=True)
            for mark, row in zip(different.tolist(), rows[where].tolist(), strict=True):
                if mark not in self._numbers:
                    self._numbers[mark] = len(self._persons)
                    (person,) = planted[row].as_py(maps_as_pydicts="strict")
                    self._persons.append(person)
            numbers = np.array([self._numbers[mark] for mark in different.tolist()])
            persons[rows] = numbers[np.searchsorted(different, marks)]
        return persons

    def _marks(self, persons: pa.MapArray) -> NDArray[np.uint64]:
        """Return a number for each person that depends on attributes and groups, not on their order."""
        keys, items = persons.keys.dictionary_encode(), persons.items.dictionary_encode()
        names, groups = keys.dictionary.to_pylist(), items.dictionary.to_pylist()
        table = np.array([[self._word(name, group) for group in groups] for name in names], dtype=np.uint64)
        words = table[keys.indices.to_numpy(), items.indices.to_numpy()] if len(keys) else np.zeros(0, dtype=np.uint64)
        ends = persons.offsets.to_numpy().astype(np.int64)
        sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(words, dtype=np.uint64)])
        return np.asarray(sums[ends[1:]] - sums[ends[:-1]])

    def _word(self, name: str, group: str) -> int:
        """Return 64 random bits for an attribute and a group, always the same ones."""
        if (name, group) not in self._words:
            seed = list(f"{name}\x1f{group}".encode())
            self._words[name, group] = int(np.random.default_rng(seed).integers(2**64, dtype=np.uint64))
        return self._words[name, group]

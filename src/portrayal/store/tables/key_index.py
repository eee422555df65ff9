"""An index of names as numbers that takes few bytes a name, and a set of names of which none passes for another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.stats.exact import Ints
from portrayal.store.tables.keys import DIGITS, Keys, names_to_keys

__all__ = ["KeyIndex", "KeySet"]

_TAIL = np.uint64(3)
_ORDINARY = np.uint64(1 << 61)
_STRETCH = 1 << 16


class KeyIndex:
    """Keys in order, each with a few small numbers; filled batch by batch, then searched. It takes 17 bytes a key.

    ``room`` is how many keys there will be, as far as is known; ``fields`` names the numbers and how many bits each
    has, 50 together at most. The same key may stand there several times.

    A key and its numbers are one complex number, since arrays of those are sorted in place, by real part and then by
    imaginary part. The real part has the first 61 bits of the key in the place of a floating point number's bits, after
    a bit that makes it an ordinary number; such numbers are in the order of their bits. The imaginary part is a whole
    number made of the other three bits and the fields.
    """

    BITS: ClassVar = 50

    def __init__(self, room: int, fields: Mapping[str, int] | None = None) -> None:
        self._fields = dict(fields or {})
        if sum(self._fields.values()) > self.BITS:
            raise ValueError(f"the fields {self._fields} need more than {self.BITS} bits")
        self._numbers = np.empty(room, dtype=np.complex128)
        self._size = 0
        self._starts: NDArray[np.uint32] | None = None
        self._shift = np.uint64(0)
        self._steps = 0
        self._repeated = False

    def __len__(self) -> int:
        return self._size

    def __getstate__(self) -> dict[str, Any]:
        # In order, so that nobody who is handed it has to sort it, and several may share its memory.
        self._sort()
        return {**self.__dict__, "_numbers": self._numbers[: self._size]}

    def add(self, keys: Keys, **fields: Ints) -> None:
        """Add keys with what belongs to them; only before the first search."""
        if self._starts is not None:
            raise ValueError("keys cannot be added to an index that was searched already")
        payload = (keys & np.uint64(7)).astype(np.int64)
        for name, bits in self._fields.items():
            payload = payload << bits | fields[name]
        end = self._size + len(keys)
        if end > len(self._numbers):  # somebody has added to the table since it was counted
            self._numbers = np.concatenate([self._numbers[: self._size], np.empty(end, dtype=np.complex128)])
        self._words[self._size : end] = _word(keys)
        self._numbers.imag[self._size : end] = payload
        self._size = end

    def find(self, keys: Keys) -> tuple[Ints, dict[str, Ints]]:
        """Return every match: its place among ``keys``, and the numbers of what is found there."""
        places, rows = self._search(keys)
        # Of two keys that differ in their last three bits only, one was found with the other.
        there, found = self._unpacked(rows)
        same = there == keys[places]
        if same.all():
            return places, found
        return places[same], {name: numbers[same] for name, numbers in found.items()}

    def has(self, keys: Keys, **fields: Ints) -> NDArray[np.bool_]:
        """Return which keys are there, with numbers equal to those given."""
        places, found = self.find(keys)
        same = np.ones(len(places), dtype=bool)
        for name, wanted in fields.items():
            same &= found[name] == wanted[places]
        answer = np.zeros(len(keys), dtype=bool)
        answer[places[same]] = True
        return answer

    def ordered(self) -> tuple[Keys, dict[str, Ints]]:
        """Return all keys in order, and their numbers."""
        self._sort()
        return self._unpacked(slice(self._size))

    def _unpacked(self, rows: slice | Ints) -> tuple[Keys, dict[str, Ints]]:
        """Return the keys and numbers that stand at some rows."""
        payload = self._numbers.imag[rows].astype(np.int64)
        numbers: dict[str, Ints] = {}
        for name, bits in reversed(self._fields.items()):
            numbers[name] = payload & ((1 << bits) - 1)
            payload >>= bits
        return (self._words[rows] ^ _ORDINARY) << _TAIL | payload.astype(np.uint64), numbers

    def distinct(self) -> int:
        """Return how many different keys there are."""
        return sum(int((keys[1:] != keys[:-1]).sum()) + 1 for keys, _ in self.stretches())

    def stretches(self) -> Iterator[tuple[Keys, dict[str, Ints]]]:
        """Yield the keys in order with their numbers, some at a time; equal keys are never torn apart."""
        self._sort()
        words, start = self._words[: self._size], 0
        while start < self._size:
            last = words[min(start + _STRETCH, self._size) - 1]
            end = int(np.searchsorted(words, last, side="right"))
            yield self._unpacked(slice(start, end))
            start = end

    @property
    def _words(self) -> Keys:
        """The real parts, as bits."""
        return self._numbers.view(np.uint64)[::2]

    def _sort(self) -> NDArray[np.uint32]:
        """Put the keys in order, and write down where those begin that share their first bits: about eight do."""
        if self._starts is None:
            numbers = self._numbers[: self._size]
            numbers.sort()
            bits = max(self._size // 8, 1).bit_length()
            self._shift = np.uint64(61 - bits)
            counts = np.zeros((1 << bits) + 1, dtype=np.uint32)
            for start in range(0, self._size, _STRETCH):
                words = self._words[start : min(start + _STRETCH + 1, self._size)]
                self._repeated |= bool((words[1:] == words[:-1]).any())
                buckets = ((words[:_STRETCH] ^ _ORDINARY) >> self._shift).astype(np.int64)
                mine = np.bincount(buckets - buckets[0]).astype(np.uint32)
                counts[buckets[0] + 1 : buckets[0] + 1 + len(mine)] += mine
            self._steps = int(counts.max()).bit_length()
            self._starts = np.cumsum(counts, dtype=np.uint32)
        return self._starts

    def _search(self, keys: Keys) -> tuple[Ints, Ints]:
        """Return which of the keys are here, by their first 61 bits, and where; as often as they are."""
        starts = self._sort()
        words = _word(keys)
        bucket = ((words ^ _ORDINARY) >> self._shift).astype(np.int64)
        begins, ends = starts[bucket].astype(np.int64), starts[bucket + 1].astype(np.int64)
        low = self._bisect(words, begins, ends, after=False)
        if not self._repeated:
            here = np.flatnonzero(self._words[np.minimum(low, self._size - 1)] == words) if self._size else low[:0]
            here = here[low[here] < self._size]
            return here, low[here]
        counts = self._bisect(words, begins, ends, after=True) - low
        later = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(np.arange(len(keys)), counts), np.repeat(low, counts) + later

    def _bisect(self, words: Keys, low: Ints, high: Ints, *, after: bool) -> Ints:
        """Return where each word would stand between two places: before those equal to it, or after them."""
        sorted_words, low, high = self._words[: self._size], low.copy(), high.copy()
        for _ in range(self._steps):
            middle = (low + high) // 2
            there = sorted_words[np.minimum(middle, self._size - 1)] if self._size else words
            right = (low < high) & ((there <= words) if after else (there < words))
            low, high = np.where(right, middle + 1, low), np.where(right, high, middle)
        return low


def _word(keys: Keys) -> Keys:
    return keys >> _TAIL | _ORDINARY


class KeySet:
    """Names of which none must pass for another: they are told apart by 114 bits."""

    def __init__(self, room: int) -> None:
        self._index = KeyIndex(room, {"more": KeyIndex.BITS})

    def add(self, names: pa.Array) -> None:
        """Add names; only before the first search."""
        self._index.add(names_to_keys(names), more=self._more(names))

    def has(self, names: pa.Array) -> NDArray[np.bool_]:
        """Return which of the names are there."""
        return self._index.has(names_to_keys(names), more=self._more(names))

    def count(self, names: pa.Array) -> Ints:
        """Return how often each of the names is there."""
        more = self._more(names)
        places, found = self._index.find(names_to_keys(names))
        return np.bincount(places[found["more"] == more[places]], minlength=len(names))

    @staticmethod
    def _more(names: pa.Array) -> Ints:
        return (names_to_keys(names, DIGITS) >> np.uint64(64 - KeyIndex.BITS)).astype(np.int64)

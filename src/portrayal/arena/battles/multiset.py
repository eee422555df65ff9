"""A multiset from which items are drawn at random in constant time."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

import numpy as np

__all__ = ["Multiset"]

T = TypeVar("T", bound=Hashable)


class Multiset(Generic[T]):
    """Items with how many times each is in there.

    >>> items = Multiset()
    >>> items.add("a", 2), items.add("a", -1), len(items)
    (None, None, 1)
    >>> items.sample(np.random.default_rng(0))
    'a'
    """

    def __init__(self) -> None:
        self._counts: dict[T, int] = {}
        self._items: list[T] = []
        self._positions: dict[T, int] = {}

    def add(self, item: T, step: int = 1) -> None:
        """Put an item in so many times more, or fewer if ``step`` is negative."""
        count = self._counts.get(item, 0) + step
        if count > 0:
            self._counts[item] = count
            if item not in self._positions:
                self._positions[item] = len(self._items)
                self._items.append(item)
        elif item in self._positions:
            del self._counts[item]
            # The last one takes its position, so that nothing has to move up.
            position, last = self._positions.pop(item), self._items.pop()
            if last != item:
                self._items[position] = last
                self._positions[last] = position

    def sample(self, rng: np.random.Generator) -> T:
        """Return one of the different items, each as likely as any other."""
        return self._items[int(rng.integers(len(self._items)))]

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Multiset) and self._counts == other._counts

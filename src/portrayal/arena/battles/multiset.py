"""A bag to draw from at random in constant time."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

import numpy as np

__all__ = ["Bag"]

T = TypeVar("T", bound=Hashable)


class Bag(Generic[T]):
    """Things with how many times each is in there.

    >>> bag = Bag()
    >>> bag.add("a", 2), bag.add("a", -1), len(bag)
    (None, None, 1)
    >>> bag.draw(np.random.default_rng(0))
    'a'
    """

    def __init__(self) -> None:
        self._counts: dict[T, int] = {}
        self._order: list[T] = []
        self._places: dict[T, int] = {}

    def add(self, thing: T, step: int = 1) -> None:
        """Put a thing in so many times more, or fewer if ``step`` is negative."""
        count = self._counts.get(thing, 0) + step
        if count > 0:
            self._counts[thing] = count
            if thing not in self._places:
                self._places[thing] = len(self._order)
                self._order.append(thing)
        elif thing in self._places:
            del self._counts[thing]
            # The last one takes its place, so that nothing has to move up.
            place, last = self._places.pop(thing), self._order.pop()
            if last != thing:
                self._order[place] = last
                self._places[last] = place

    def draw(self, rng: np.random.Generator) -> T:
        """Return one of the different things, each as likely as any other."""
        return self._order[int(rng.integers(len(self._order)))]

    def __len__(self) -> int:
        return len(self._order)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bag) and self._counts == other._counts

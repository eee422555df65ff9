"""What has been dealt and judged so far, counted as it happens, so that a deal need not look at everything."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping
from itertools import combinations
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from portrayal.apps.arena.battles.battle import ASPECTS, Battle, Choice, ImagePool

__all__ = ["BattleCounts", "JudgedImages", "Multiset"]

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


JudgedImages = tuple[str, str, str]
"""A prompt and the two pictures of it that someone judged, the first model's first."""

_SCORES: Mapping[Choice, float] = {"left": 1.0, "draw": 0.5, "right": 0.0}
"""What the left side gets; a skip is no score."""


class BattleCounts:
    """Counts of the battles that are given to it: dealt by pair of models, prompt and image, and how they ended.

    ``pair_numbers`` numbers the pairs of models in the order of ``pairs``; ``by_pair`` counts battles by that number.
    Attention checks and models that are not in the pool do not count.
    """

    def __init__(self, pool: ImagePool) -> None:
        self.model_numbers: Mapping[str, int] = {model: number for number, model in enumerate(pool.models)}
        self.pairs: list[tuple[str, str]] = list(combinations(pool.models, 2))
        self.pair_numbers: Mapping[tuple[str, str], int] = {pair: number for number, pair in enumerate(self.pairs)}
        self.by_pair: npt.NDArray[np.int64] = np.zeros(len(self.pairs), np.int64)
        self.by_pair_and_prompt: Counter[tuple[int, str]] = Counter()
        self.by_prompt: Counter[str] = Counter()
        self.by_image: Counter[str] = Counter()
        self.judged: defaultdict[int, Multiset[JudgedImages]] = defaultdict(Multiset)
        self.wins: npt.NDArray[np.float64] = np.zeros((len(ASPECTS), len(self.model_numbers), len(self.model_numbers)))
        """By aspect: how often the first model beat the second; a draw is half a win for each."""

    def pair_number(self, battle: Battle) -> int | None:
        """Return the number of a battle's pair of models; None for a check or a model the pool does not have."""
        if battle.check:
            return None
        first, second = sorted((battle.left_model, battle.right_model))
        return self.pair_numbers.get((first, second))

    def add(self, battle: Battle) -> None:
        """Count a battle as it stands: dealt, and judged if it was answered."""
        self._count(battle, 1)

    def remove(self, battle: Battle) -> None:
        """Undo what :meth:`add` did for the same battle."""
        self._count(battle, -1)

    def _count(self, battle: Battle, step: int) -> None:
        pair = self.pair_number(battle)
        if pair is None:
            return
        self.by_pair[pair] += step
        # Not deleted when they fall to zero: a counter compares equal either way.
        self.by_pair_and_prompt[pair, battle.prompt] += step
        self.by_prompt[battle.prompt] += step
        self.by_image[battle.left_image] += step
        self.by_image[battle.right_image] += step
        if battle.choices is None:
            return
        self.judged[pair].add(self._judged_images(battle), step)
        left, right = self.model_numbers[battle.left_model], self.model_numbers[battle.right_model]
        for place, aspect in enumerate(ASPECTS):
            score = _SCORES.get(battle.choices[aspect])
            if score is not None:
                self.wins[place, left, right] += step * score
                self.wins[place, right, left] += step * (1 - score)

    def _judged_images(self, battle: Battle) -> JudgedImages:
        if battle.left_model < battle.right_model:
            return battle.prompt, battle.left_image, battle.right_image
        return battle.prompt, battle.right_image, battle.left_image

"""What has been dealt and judged so far, counted as it happens, so that a deal need not look at everything."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt

from portrayal.arena.battles.battle import ASPECTS, Battle, Choice, ImagePool
from portrayal.arena.battles.multiset import Multiset

__all__ = ["Counts", "Judged"]

Judged = tuple[str, str, str]
"""A prompt and the two pictures of it that someone judged, the first model's first."""

_SCORES: Mapping[Choice, float] = {"left": 1.0, "draw": 0.5, "right": 0.0}
"""What the left side gets; a skip is no score."""


class Counts:
    """Counts of the battles that are given to it: dealt per pair of models, prompt and picture, and how they ended.

    ``pairs`` numbers the pairs of models in the order of ``ends``; ``dealt`` counts battles by that number. Attention
    checks and models that are not in the pool do not count.
    """

    def __init__(self, pool: ImagePool) -> None:
        self.models: Mapping[str, int] = {model: place for place, model in enumerate(pool.models)}
        self.ends: list[tuple[str, str]] = list(combinations(pool.models, 2))
        self.pairs: Mapping[tuple[str, str], int] = {ends: number for number, ends in enumerate(self.ends)}
        self.dealt: npt.NDArray[np.int64] = np.zeros(len(self.ends), np.int64)
        self.cells: Counter[tuple[int, str]] = Counter()
        self.prompts: Counter[str] = Counter()
        self.images: Counter[str] = Counter()
        self.judged: defaultdict[int, Multiset[Judged]] = defaultdict(Multiset)
        self.wins: npt.NDArray[np.float64] = np.zeros((len(ASPECTS), len(self.models), len(self.models)))
        """By aspect: how often the first model beat the second; a draw is half a win for each."""

    def pair(self, battle: Battle) -> int | None:
        """Return the number of a battle's pair of models; None for a check or a model the pool does not have."""
        if battle.check:
            return None
        first, second = sorted((battle.left_model, battle.right_model))
        return self.pairs.get((first, second))

    def add(self, battle: Battle) -> None:
        """Count a battle as it stands: dealt, and judged if it was answered."""
        self._count(battle, 1)

    def remove(self, battle: Battle) -> None:
        """Undo what :meth:`add` did for the same battle."""
        self._count(battle, -1)

    def _count(self, battle: Battle, step: int) -> None:
        pair = self.pair(battle)
        if pair is None:
            return
        self.dealt[pair] += step
        # Not deleted when they fall to zero: a counter compares equal either way.
        self.cells[pair, battle.prompt] += step
        self.prompts[battle.prompt] += step
        self.images[battle.left_image] += step
        self.images[battle.right_image] += step
        if battle.choices is None:
            return
        self.judged[pair].add(self._judged(battle), step)
        left, right = self.models[battle.left_model], self.models[battle.right_model]
        for place, aspect in enumerate(ASPECTS):
            score = _SCORES.get(battle.choices[aspect])
            if score is not None:
                self.wins[place, left, right] += step * score
                self.wins[place, right, left] += step * (1 - score)

    def _judged(self, battle: Battle) -> Judged:
        if battle.left_model < battle.right_model:
            return battle.prompt, battle.left_image, battle.right_image
        return battle.prompt, battle.right_image, battle.left_image

"""May an annotator stand in for people? The alternative annotator test of Calderon, Reichart and Dror (2025).

Each rater in turn is left out, and the annotator is put in their place: of each item, who agrees better with the other
raters? The annotator wins against a rater if it is surely not the worse one more often than the rater is, give or take
what its lower cost is worth (``allowance``: 0.2 for experts, 0.15 for skilled raters, 0.1 for a crowd). It may stand in
for people if it wins against half of them or more, all tests together corrected by Benjamini and Yekutieli (2001).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from portrayal.stats.intervals import Array
from portrayal.stats.multiple import benjamini_yekutieli

__all__ = ["ENOUGH_ITEMS", "ENOUGH_RATERS", "AltTest", "RaterDuel", "alt_test"]

ENOUGH_RATERS = 3
ENOUGH_ITEMS = 30
"""Items that a rater must share with another, so that the test of them says something."""
FALSE_WINS = 0.05
POWER = 0.8
NOBODY = -1


@dataclass(frozen=True, slots=True)
class RaterDuel:
    """The annotator in place of one rater: ``advantage`` is how often it agrees with the others as well or better, and
    ``rater_advantage`` how often the rater does, of ``items``; ``p`` and whether it ``wins``. ``items_needed`` are as
    many as would show it in four of five tests if things are as they seem; inf: no number would.
    """

    rater: int
    items: int
    advantage: float
    rater_advantage: float
    p: float
    items_needed: float
    wins: bool = False


@dataclass(frozen=True, slots=True)
class AltTest:
    """The duels with all raters who share enough items with another; too few of them decide nothing."""

    duels: Sequence[RaterDuel]

    @property
    def enough(self) -> bool:
        """Whether there are enough raters with enough items."""
        return len(self.duels) >= ENOUGH_RATERS

    @property
    def winning_rate(self) -> float:
        """Against which share of the raters the annotator wins."""
        return float(np.mean([duel.wins for duel in self.duels])) if self.duels else float("nan")

    @property
    def advantage(self) -> float:
        """How often the annotator agrees with the others as well as a rater or better, over all raters."""
        return float(np.mean([duel.advantage for duel in self.duels])) if self.duels else float("nan")

    @property
    def items_needed(self) -> float:
        """As many items of each rater as would probably show that the annotator wins against half of them."""
        needed = sorted(duel.items_needed for duel in self.duels)
        return needed[(len(needed) - 1) // 2] if needed else math.inf

    @property
    def passes(self) -> bool:
        """Whether the annotator may stand in for people."""
        return self.enough and self.winning_rate >= 0.5


def alt_test(raters: NDArray[np.int64], annotator: NDArray[np.int64], allowance: float = 0.2) -> AltTest:
    """Return the test of ``annotator`` (items) in place of ``raters`` (raters, items); -1 is no answer.

    >>> truth = np.tile([0, 1], 30)
    >>> found = alt_test(np.array([truth, truth, truth]), truth)
    >>> found.passes, found.winning_rate, found.advantage
    (True, 1.0, 1.0)
    """
    duels = [duel for rater in range(len(raters)) if (duel := _duel(raters, annotator, rater, allowance))]
    adjusted = benjamini_yekutieli([duel.p for duel in duels])
    return AltTest([replace(duel, wins=bool(p <= FALSE_WINS)) for duel, p in zip(duels, adjusted, strict=True)])


def _duel(raters: NDArray[np.int64], annotator: NDArray[np.int64], place: int, allowance: float) -> RaterDuel | None:
    rater, others = raters[place], np.delete(raters, place, axis=0)
    answered = others != NOBODY
    both = (rater != NOBODY) & (annotator != NOBODY) & answered.any(axis=0)
    if both.sum() < ENOUGH_ITEMS:
        return None
    counts = answered[:, both].sum(axis=0)
    mine = (others[:, both] == annotator[both]).sum(axis=0) / counts
    theirs = (others[:, both] == rater[both]).sum(axis=0) / counts
    gaps = (theirs >= mine).astype(float) - (mine >= theirs)
    return RaterDuel(
        place,
        int(both.sum()),
        advantage=float(np.mean(mine >= theirs)),
        rater_advantage=float(np.mean(theirs >= mine)),
        p=_not_above(gaps, allowance),
        items_needed=_items_needed(gaps, allowance, len(raters)),
    )


def _not_above(gaps: Array, allowance: float) -> float:
    """Return the p-value of Student's test that the mean gap is at least as large as what is allowed."""
    from scipy.special import stdtr  # scipy takes a moment to load

    n, spread = len(gaps), float(gaps.std(ddof=1))
    away = float(gaps.mean()) - allowance
    if spread == 0:  # all items agree: nothing varies
        return 0.0 if away < 0 else 1.0
    return float(stdtr(n - 1, away / (spread / np.sqrt(n))))


def _items_needed(gaps: Array, allowance: float, raters: int) -> float:
    """Return how many items show such gaps to be smaller than what is allowed, where half of the raters must be won."""
    from scipy.special import ndtri  # scipy takes a moment to load

    away = allowance - float(gaps.mean())
    if away <= 0:
        return math.inf
    level = FALSE_WINS / 2 / float((1 / np.arange(1, raters + 1)).sum())
    needed = (float(ndtri(1 - level)) + float(ndtri(POWER))) ** 2 * float(gaps.var(ddof=1)) / away**2
    return float(max(math.ceil(needed), ENOUGH_ITEMS))

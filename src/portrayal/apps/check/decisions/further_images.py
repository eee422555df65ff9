"""How many further images would decide, four times in five.

The truth is not known, only what images have shown so far: it is taken to lie as Jeffreys' posterior says, further
images to be drawn from it, and all images to be judged together. So the number is right on average over studies, and
not only if the share seen happened to be the true one. Images go on missing as often as they did.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.decisions.seen_images import SeenImages
from portrayal.stats.intervals import Array

__all__ = ["OFTEN", "FurtherNumbers", "FurtherShares", "images_to_decide"]

OFTEN = 0.8
"""How often so many further images decide."""
MOST = 1_000_000
"""More images than this are no advice."""
_TRUTHS = 200


def images_to_decide(decided: Callable[[int], float]) -> int | None:
    """Return about the least number of further images with which ``decided`` is often enough; None where none is.

    >>> images_to_decide(lambda images: 1 - 0.5 ** (images / 100))
    234
    """
    high = 1
    while decided(high) < OFTEN:
        high *= 2
        if high > MOST:
            return None
    low = high // 2
    while high - low > max(high // 100, 1):
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) >= OFTEN else (middle, high)
    return high


@dataclass(frozen=True)
class FurtherShares:
    """What further images would make of a share within limits, each bound failing with a chance of ``tail``."""

    images: SeenImages
    limits: Limits
    tail: float

    def decided(self, further: int) -> float:
        """Return how often so many further independent images would decide."""
        from scipy.special import bdtr  # scipy takes a moment to load

        passes, fails_below, fails_above = self._regions(further)
        truths = self._truths

        def up_to(count: int) -> Array:
            return bdtr(count, further, truths) if count >= 0 else np.zeros(_TRUTHS)

        likely = up_to(fails_below - 1) + 1 - up_to(fails_above - 1)
        if passes[0] < passes[1]:
            likely = likely + up_to(passes[1] - 1) - up_to(passes[0] - 1)
        return float(likely.mean())

    @cached_property
    def _truths(self) -> Array:
        from scipy.special import betaincinv

        chances = (np.arange(_TRUTHS) + 0.5) / _TRUTHS
        return np.asarray(betaincinv(self.images.seen + 0.5, self.images.others + 0.5, chances))

    def _regions(self, further: int) -> tuple[tuple[int, int], int, int]:
        """Return with how many further images of the group it passes (from, to), or fails: below, from."""

        def judged(count: int, limits: Limits) -> Verdict:
            return self.images.grown(count, further).judge(limits, self.tail)

        least, most = Limits(self.limits.least, 1.0), Limits(0.0, self.limits.most)
        first = _first(further + 1, lambda count: judged(count, least) is Verdict.PASS)
        last = _first(further + 1, lambda count: judged(count, most) is not Verdict.PASS)
        below = _first(further + 1, lambda count: judged(count, least) is not Verdict.FAIL)
        above = _first(further + 1, lambda count: judged(count, most) is Verdict.FAIL)
        return (first, last), below, above


@dataclass(frozen=True, slots=True)
class FurtherNumbers:
    """What further images would make of a number from ``images``: its interval reaches ``z`` standard errors far.

    ``error`` shrinks as images grow; ``fixed``, the error of a baseline, and ``unknown``, how much further the interval
    reaches for missing images, do not.
    """

    value: float
    error: float
    images: float
    limits: Limits
    z: float
    fixed: float = 0.0
    unknown: float = 0.0

    def decided(self, further: int) -> float:
        """Return how often so many further images would decide."""
        from scipy.special import ndtr  # scipy takes a moment to load

        part = self.images / (self.images + further)
        half = self.z * math.hypot(self.error * math.sqrt(part), self.fixed) + self.unknown
        # The number so far is a part of the one to come.
        spread = max(self.error * math.sqrt(1 - part), 1e-300)

        def below(bound: float) -> float:
            return float(ndtr((bound - self.value) / spread))

        inside = below(self.limits.most - half) - below(self.limits.least + half)
        outside = below(self.limits.least - half) + 1 - below(self.limits.most + half)
        return max(inside, 0.0) + outside


def _first(end: int, holds: Callable[[int], bool]) -> int:
    """Return the first of 0 … end - 1 that holds, if all after it do; ``end`` where none does."""
    low, high = 0, end
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low

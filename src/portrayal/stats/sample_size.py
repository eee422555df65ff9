"""How many images answer a question: a share known so well, a deviation or a difference found, a decision made.

A question is asked of one number and says how often so many independent images answer it (``power``). Tests and
intervals are those that reports use: Clopper's and Pearson's of a share, the exact test of a deviation, the test of
:mod:`portrayal.stats.two_sides.two_shares` for a difference. They are about *these prompts*; where prompts differ,
the same number of images says a little more, never less.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np

from portrayal.stats.intervals import Array, clopper_pearson
from portrayal.stats.targets.target import ShareTest
from portrayal.stats.two_sides.two_shares import difference_p, power_about

__all__ = ["Decision", "Deviation", "Difference", "HalfWidth", "Question", "expected_power", "images_for", "smallest"]

_REACH = 6.0
"""Standard deviations from its mean within which a number of images is looked for; beyond lies nothing that counts."""
_QUADRATURE = (np.arange(15) + 0.5) / 15
_MANY = 400
"""With as many images of each side the arcsine says what the test of a difference does, and enumerating takes long."""
_MOST = 10_000_000
_BEFORE = 0.85


class Question(Protocol):
    """What is asked of one number."""

    def power(self, images: int) -> float:
        """Return how often so many independent usable images answer it."""
        ...


@dataclass(frozen=True)
class HalfWidth:
    """The 95 % interval of a share is at most twice ``size`` wide."""

    size: float
    share: float

    def power(self, images: int) -> float:
        """Return how often the interval is as narrow as that.

        >>> [round(HalfWidth(0.1, share).power(100), 2) for share in (0.5, 0.2)]
        [0.06, 1.0]
        """
        seen, likely = _numbers_seen(images, self.share)
        low, high = clopper_pearson(seen / images, images)
        return float(likely[(high - low) / 2 <= self.size + 1e-12].sum())


@dataclass(frozen=True)
class Deviation:
    """A share that truly lies ``size`` from its target, to the side that has more room, has a p-value of ``level``."""

    size: float
    target: float
    level: float = 0.05

    def power(self, images: int) -> float:
        """Return how often it is found.

        >>> round(Deviation(0.3, 0.5, 0.01).power(24), 2)
        0.66
        """
        side = 1.0 if self.target <= 0.5 else -1.0
        return ShareTest(self.target, images, self.target).power(side * self.size, self.level)


@dataclass(frozen=True)
class Difference:
    """Two shares that truly lie ``size`` apart, of which one is ``share``, differ with a p-value of ``level``."""

    size: float
    share: float
    level: float = 0.05

    @cached_property
    def other(self) -> float:
        """The other share, to the side that has more room."""
        side = 1.0 if self.share <= 0.5 else -1.0
        return min(max(self.share + side * self.size, 0.0), 1.0)

    def power(self, images: int) -> float:
        """Return how often the difference is found by so many images of each side.

        >>> round(Difference(0.2, 0.5).power(100), 2)
        0.83
        """
        if images > _MANY:
            return power_about(self.share, self.other, images, p=self.level)
        from scipy.special import bdtr, bdtrc  # scipy takes a moment to load

        seen, likely = _numbers_seen(images, self.share)
        fewest, most = (bound[seen.astype(int)] for bound in _critical(images, self.level))
        few = np.where(fewest >= 0, bdtr(np.maximum(fewest, 0), images, self.other), 0.0)
        many = np.where(most <= images, bdtrc(np.maximum(most - 1.0, -1.0), images, self.other), 0.0)
        return float((likely * (few + many)).sum())


@dataclass(frozen=True)
class Decision:
    """Whether a share lies within ``size`` of its target is decided: the 95 % interval lies inside, or outside.

    ``share`` is the true one.
    """

    size: float
    target: float
    share: float

    def power(self, images: int) -> float:
        """Return how often it is decided, and rightly.

        >>> [round(Decision(0.1, 0.5, share).power(400), 2) for share in (0.5, 0.6, 0.7)]
        [0.96, 0.02, 0.99]
        """
        seen, likely = _numbers_seen(images, self.share)
        low, high = clopper_pearson(seen / images, images)
        least, most = self.target - self.size - 1e-12, self.target + self.size + 1e-12
        inside = (low >= least) & (high <= most)
        outside = (high < least) | (low > most)
        truly = abs(self.share - self.target) <= self.size + 1e-12
        return float(likely[inside if truly else outside].sum())


def expected_power(question: Question, images: int, missing: float = 0.0, prompts: int = 1) -> float:
    """Return how often so many images answer a question, of which each is missing with a chance.

    Prompts count alike, so that images which are missing from some of them more than from others cost a few more.

    >>> round(expected_power(Deviation(0.3, 0.5), 24), 2), round(expected_power(Deviation(0.3, 0.5), 24, 0.5), 2)
    (0.81, 0.45)
    """
    counts, parts = _usable(images, missing, prompts)
    powers = (question.power(int(count)) if count else 0.0 for count in counts)
    return math.fsum(part * power for part, power in zip(parts, powers, strict=True))


def images_for(question: Question, power: float, missing: float = 0.0, prompts: int = 1) -> int | None:
    """Return how many images of all prompts answer a question so often; None: no number that one could draw.

    >>> [images_for(question, 0.8) for question in (Deviation(0.2, 0.5), HalfWidth(0.1, 0.5), HalfWidth(0.1, 0.05))]
    [49, 104, 38]
    """

    def answered(number: int) -> bool:
        return expected_power(question, number * prompts, missing, prompts) >= power

    most = 1
    while not answered(most):
        most *= 2
        if most * prompts > _MOST:
            return None
    first = most // 2 + 1
    enough = first + bisect_left(range(first, most), True, key=answered)
    # Exact tests come in steps: a few images fewer may do better than a few more.
    fewer = range(max(int(_BEFORE * enough), 1), enough, max(enough // 100, 1))
    return prompts * next(filter(answered, fewer), enough)


def smallest(
    ask: Callable[[float], Question], images: int, power: float, missing: float = 0.0, prompts: int = 1
) -> float:
    """Return the smallest size of which so many images answer the question so often; inf: not even of the largest.

    >>> round(smallest(lambda size: Deviation(size, 0.5), 24, 0.5), 2)
    0.23
    """

    def answered(size: float) -> bool:
        return expected_power(ask(size), images, missing, prompts) >= power

    low, high = 0.0, 1.0
    if not answered(high):
        return math.inf
    for _ in range(14):
        middle = (low + high) / 2
        low, high = (low, middle) if answered(middle) else (middle, high)
    return high


@lru_cache(maxsize=256)
def _critical(images: int, level: float) -> tuple[Array, Array]:
    """Return, for each number of images of one side that show a group, which numbers of the other side differ from it:
    those of at most the first and of at least the second number returned."""
    one = np.arange(images + 1, dtype=float)
    near, far = one.copy(), np.full(images + 1, images + 1.0)
    while (far - near > 1).any():
        middle = np.floor((near + far) / 2)
        differs = difference_p(one / images, images, np.minimum(middle, images) / images, images) <= level
        near, far = np.where(differs, near, middle), np.where(differs, middle, far)
    # Showing a group less often is showing its rest more often.
    return images - far[::-1], far


def _numbers_seen(images: int, share: float) -> tuple[Array, Array]:
    """Return in how many images a group may be seen, and how likely each number is."""
    from scipy.special import bdtr  # scipy takes a moment to load

    reach = _REACH * math.sqrt(images * share * (1 - share)) + _REACH
    least, most = max(math.floor(images * share - reach), 0), min(math.ceil(images * share + reach), images)
    seen = np.arange(least, most + 1, dtype=float)
    below = bdtr(np.arange(max(least - 1, 0), most + 1, dtype=float), images, share)
    return seen, np.diff(below, prepend=0.0) if least == 0 else np.diff(below)


def _usable(images: int, missing: float, prompts: int) -> tuple[Array, Array]:
    """Return how many images the usable ones may be worth, and how likely each number is, in fifteen equal parts."""
    if not missing:
        return np.array([images]), np.array([1.0])
    from scipy.stats import binom  # scipy takes a moment to load

    # The mean of as many prompts is worth their harmonic mean: less by the squared relative spread of their images.
    uneven = (1 - 1 / prompts) * missing * prompts / (images * (1 - missing))
    worth = binom.ppf(_QUADRATURE, images, 1 - missing) * max(1 - uneven, 0.0)
    counts, times = np.unique(np.rint(worth), return_counts=True)
    return counts.astype(int), times / len(_QUADRATURE)

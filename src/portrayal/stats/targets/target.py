"""How surprising a number would be if it aimed at its target, and how large a deviation must be to be found.

Tests, intervals and what they can find are one thing seen from three sides: an interval of any confidence leaves the
target out exactly where the p-value is below what is left to certainty.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

from portrayal.stats.intervals import Interval, clopper_pearson

__all__ = ["CorrectedShareTest", "NumberTest", "ShareTest", "images_about"]


@dataclass(frozen=True)
class ShareTest:
    """A share of as many independent images as it is worth, against its target: the exact binomial test.

    The p-value has a value for shares that no whole number of images shows, too: it is made of beta functions.
    """

    share: float
    worth: float
    target: float

    @property
    def deviation(self) -> float:
        """How far the share lies from its target."""
        return self.share - self.target

    @cached_property
    def p(self) -> float:
        """The two-sided p-value.

        >>> round(ShareTest(1.0, 10, 0.5).p, 4), round(ShareTest(0.6, 10, 0.5).p, 4)
        (0.002, 0.7539)
        """
        from scipy.special import betainc  # scipy takes a moment to load

        if not self.worth > 0:
            return 1.0
        seen, others = max(self.share, 0.0) * self.worth, max(1 - self.share, 0.0) * self.worth
        as_many = float(betainc(seen, others + 1, self.target)) if seen > 0 else 1.0
        as_few = float(betainc(others, seen + 1, 1 - self.target)) if others > 0 else 1.0
        return min(1.0, 2 * min(as_many, as_few))

    def bounds(self, confidence: float) -> Interval:
        """Return the interval of the deviation."""
        low, high = clopper_pearson(self.share, self.worth, confidence)
        return Interval(float(low) - self.target, float(high) - self.target)

    def power(self, deviation: float, p: float) -> float:
        """Return how often a true deviation would have a p-value of at most ``p`` in as many images.

        >>> round(ShareTest(0.5, 24, 0.5).power(0.3, 0.01), 2)
        0.66
        """
        from scipy.special import bdtr, bdtrc  # scipy takes a moment to load

        n, truth = max(round(self.worth), 1), min(max(self.target + deviation, 0.0), 1.0)
        fewest, most = self._critical(n, p)
        few = float(bdtr(fewest, n, truth)) if fewest >= 0 else 0.0
        many = float(bdtrc(most - 1, n, truth)) if most <= n else 0.0
        return few + many

    def _critical(self, n: int, p: float) -> tuple[int, int]:
        """Return the largest number of images that is too few for chance, and the smallest that is too many."""
        from scipy.special import bdtr, bdtrc

        few = bisect_left(range(n + 1), True, key=lambda seen: 2 * float(bdtr(seen, n, self.target)) > p)
        many = bisect_left(range(1, n + 1), True, key=lambda seen: 2 * float(bdtrc(seen - 1, n, self.target)) <= p)
        return few - 1, many + 1

    def detectable(self, power: float, p: float) -> float:
        """Return the smallest deviation, to the side that has more room, that is found so often; inf: none is.

        >>> round(ShareTest(0.5, 24, 0.5).detectable(0.5, 0.05), 2), ShareTest(0.5, 3, 0.5).detectable(0.5, 0.05)
        (0.23, inf)
        """
        side = 1.0 if self.target <= 0.5 else -1.0
        room = max(self.target, 1 - self.target)
        if self.power(side * room, p) < power:
            return math.inf
        low, high = 0.0, room
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (low, middle) if self.power(side * middle, p) >= power else (middle, high)
        return high


@dataclass(frozen=True)
class NumberTest:
    """A number that has no exact test of its own, against its target, from the bounds of its 95 % interval.

    ``exact`` is the p-value of a test of the method's own, where it has one. The halves of the interval need not be
    equal: that which faces the target counts. ``freedom`` are the degrees of freedom behind it.
    """

    value: float
    low: float
    high: float
    target: float
    freedom: float = math.inf
    exact: float | None = None

    @property
    def deviation(self) -> float:
        """How far the number lies from its target."""
        return self.value - self.target

    @cached_property
    def p(self) -> float:
        """The p-value; 1 where the 95 % interval holds the target: nothing is said that it does not carry.

        >>> round(NumberTest(0.6, 0.55, 0.65, 0.5, freedom=39).p, 4)
        0.0002
        """
        from scipy.special import stdtr, stdtrit  # scipy takes a moment to load

        half = self.value - self.low if self.deviation > 0 else self.high - self.value
        if self.low <= self.target <= self.high or not half > 0:
            return 1.0
        if self.exact is not None:
            return self.exact
        return 2 * float(stdtr(self.freedom, -abs(self.deviation) / half * float(stdtrit(self.freedom, 0.975))))

    def bounds(self, confidence: float) -> Interval:
        """Return the interval of the deviation, each half as much wider as the distribution of Student has it."""
        from scipy.special import stdtrit  # scipy takes a moment to load

        wider = float(stdtrit(self.freedom, (1 + confidence) / 2) / stdtrit(self.freedom, 0.975))
        low, high = self.value - wider * (self.value - self.low), self.value + wider * (self.high - self.value)
        return Interval(low - self.target, high - self.target)


@dataclass(frozen=True)
class CorrectedShareTest(NumberTest):
    """A share that labels put right, against its target, from the 95 % interval that labels and images leave together.

    ``freedom`` is one less than the labels: of few labels an interval of more confidence is the wider for it.
    """

    def bounds(self, confidence: float) -> Interval:
        """Return the interval of the deviation; no share lies below 0 or above 1.

        >>> CorrectedShareTest(0.9, 0.8, 0.98, 0.5, freedom=30).bounds(0.9999).high
        0.5
        """
        found = super().bounds(confidence)
        return Interval(max(found.low, -self.target), min(found.high, 1 - self.target))

    @property
    def as_read(self) -> ShareTest:
        """The test of a share that so many images would know as well, if they were read right.

        >>> round(CorrectedShareTest(0.5, 0.4, 0.6, 0.5).as_read.worth)
        96
        """
        error = max((self.high - self.low) / 2 / 1.96, 1e-6)
        middle = min(max(self.value, 0.05), 0.95)
        return ShareTest(self.value, middle * (1 - middle) / error**2, self.target)


def images_about(target: float, deviation: float, *, power: float, p: float) -> float:
    """Return about how many independent images find a deviation so often, by the arcsine.

    >>> round(images_about(0.5, 0.2, power=0.8, p=0.05), 1)
    46.3
    """
    from scipy.special import ndtri  # scipy takes a moment to load

    apart = abs(math.asin(math.sqrt(_beside(target, deviation))) - math.asin(math.sqrt(target)))
    reach = float(ndtri(1 - p / 2)) + float(ndtri(power))
    return (reach / (2 * apart)) ** 2


def _beside(target: float, deviation: float) -> float:
    """Return the share so far from the target, to the side that has more room."""
    side = 1.0 if target <= 0.5 else -1.0
    return min(max(target + side * deviation, 0.0), 1.0)

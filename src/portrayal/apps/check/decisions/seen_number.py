"""A score as a method gives it, with its 95 % interval; an interval of more confidence is as much wider."""

from __future__ import annotations

import math
from dataclasses import dataclass

from portrayal.stats.intervals import Interval, t_value
from portrayal.stats.targets.target import NumberTest

__all__ = ["SeenNumber"]

_USUAL = 0.95


@dataclass(frozen=True, slots=True)
class SeenNumber:
    """A number, the bounds of its 95 % interval, and how many images it rests on.

    ``least`` and ``most`` are what such a number can be: a distance is never negative, however wide its interval.
    """

    value: float
    low: float
    high: float
    images: float
    least: float = -math.inf
    most: float = math.inf

    @property
    def error(self) -> float:
        """The standard error that fits the interval."""
        return (self.high - self.low) / 2 / t_value(_USUAL)

    def interval(self, tail: float) -> Interval:
        """Return the bounds, each of which fails with a chance of about its tail.

        >>> found = SeenNumber(0.5, 0.4, 0.6, 100).interval(0.005)
        >>> round(found.low, 3), round(found.high, 3)
        (0.369, 0.631)
        >>> SeenNumber(0.02, 0.0, 0.05, 100, least=0.0).interval(0.005).low
        0.0
        """
        bounds = NumberTest(self.value, self.low, self.high, 0.0).bounds(1 - 2 * tail)
        return Interval(max(bounds.low, self.least), min(bounds.high, self.most))

"""The difference of two shares that labels of their own put right."""

from __future__ import annotations

import math

from portrayal.stats.intervals import Interval

__all__ = ["difference_bounds"]


def difference_bounds(one: tuple[float, Interval], other: tuple[float, Interval]) -> Interval:
    """Return the 95 % interval of ``one`` less ``other``, each with its own.

    Independent shares lie off as far as both together (Zou and Donner 2008), each to the side on which it counts.

    >>> found = difference_bounds((0.5, Interval(0.4, 0.6)), (0.2, Interval(0.1, 0.35)))
    >>> round(found.low, 3), round(found.high, 3)
    (0.12, 0.441)
    """
    (value, ends), (other_value, other_ends) = one, other
    below = math.hypot(value - ends.low, other_ends.high - other_value)
    above = math.hypot(ends.high - value, other_value - other_ends.low)
    return Interval(max(value - other_value - below, -1.0), min(value - other_value + above, 1.0))

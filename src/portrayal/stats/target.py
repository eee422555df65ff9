"""How surprising a number would be if it aimed at its target: p-values that agree with the intervals printed.

The other way round: how far from its target a number must lie to be as surprising as is asked for.
"""

from __future__ import annotations

import math
from bisect import bisect_left

from scipy.special import betainc, stdtr, stdtrit

__all__ = ["least_difference", "least_share", "number_p", "share_p"]


def share_p(share: float, low: float, high: float, target: float, n: float, prompts: int = 1) -> float:
    """Return the two-sided p-value of a share against its target; 1 where its 95 % interval holds the target.

    Of one prompt it is the exact binomial one, on the beta function, so that a mean of probabilities has one too. Over
    several prompts the interval itself says how far prompts differ: the distance from the target is counted in halves
    of it, on the scale of arcsines, where the width of an interval hardly depends on the share, and is then looked up
    in Student's distribution with a degree of freedom less than there are prompts.

    >>> round(share_p(1.0, 0.72, 1.0, 0.5, 10), 4), share_p(0.6, 0.31, 0.83, 0.5, 10)
    (0.002, 1.0)
    """
    if low <= target <= high:
        return 1.0
    if prompts > 1:
        return _beyond(_arc(share), _arc(low if target < share else high), _arc(target), prompts - 1)
    seen = min(max(share * n, 0.0), n)
    as_many = float(betainc(seen, n - seen + 1, target)) if seen > 0 else 1.0
    as_few = float(betainc(n - seen, seen + 1, 1 - target)) if seen < n else 1.0
    return min(1.0, 2 * min(as_many, as_few))


def number_p(value: float, low: float, high: float, target: float, prompts: int) -> float:
    """Return the p-value of a number that has no bounds of its own, from its interval over several prompts.

    >>> round(number_p(0.6, 0.55, 0.65, 0.5, 40), 4)
    0.0002
    """
    if low <= target <= high or prompts < 2:
        return 1.0
    return _beyond(value, low if target < value else high, target, prompts - 1)


def least_share(low: float, high: float, target: float, n: float, prompts: int, p: float) -> list[float]:
    """Return the smallest deviations from ``target``, below and above, that would have this p-value by :func:`share_p`.

    One that so little data cannot show, however large it is, is left out. Over several prompts the interval is taken
    for as wide as it is, on the scale of arcsines.

    >>> least_share(0.31, 0.69, 0.5, 24, 1, 0.05), least_share(0.0, 0.8, 0.5, 1, 1, 0.05)
    ([0.25, 0.25], [])
    """
    if prompts > 1:
        below, above = (_least_arc(low, high, goal, prompts, p) for goal in (1 - target, target))
    else:
        below, above = (_least_seen(goal, n, p) for goal in (1 - target, target))
    return [found for found in (below, above) if found is not None]


def _least_arc(low: float, high: float, target: float, prompts: int, p: float) -> float | None:
    half = (_arc(high) - _arc(low)) / 2
    needed = _arc(target) + half * _widened(p, prompts - 1)
    return math.sin(needed) ** 2 - target if half > 0 and needed <= math.pi / 2 else None


def _least_seen(target: float, n: float, p: float) -> float | None:
    """Return how far above the target the fewest images that are too many for chance lie."""
    counts = range(math.floor(target * n) + 1, math.floor(n) + 1)
    place = bisect_left(counts, True, key=lambda seen: 2 * float(betainc(seen, n - seen + 1, target)) <= p)
    return counts[place] / n - target if place < len(counts) else None


def least_difference(low: float, high: float, prompts: int, p: float) -> list[float]:
    """Return the smallest difference from 0 that would have this p-value by :func:`number_p`, if any would."""
    return [(high - low) / 2 * _widened(p, prompts - 1)] if prompts > 1 and high > low else []


def _widened(p: float, freedom: float) -> float:
    """Return how many halves of a 95 % interval a distance must have for a p-value."""
    return float(stdtrit(freedom, 1 - p / 2) / stdtrit(freedom, 0.975))


def _arc(share: float) -> float:
    return math.asin(math.sqrt(min(max(share, 0.0), 1.0)))


def _beyond(value: float, bound: float, target: float, freedom: float) -> float:
    half = abs(value - bound)
    if half == 0:  # nothing tells how sure the number is
        return 1.0
    return 2 * float(stdtr(freedom, -abs(value - target) / half * float(stdtrit(freedom, 0.975))))

"""How surprising a number would be if it aimed at its target: p-values that agree with the intervals printed."""

from __future__ import annotations

import math

from scipy.special import betainc, stdtr, stdtrit

__all__ = ["number_p", "share_p"]


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


def _arc(share: float) -> float:
    return math.asin(math.sqrt(min(max(share, 0.0), 1.0)))


def _beyond(value: float, bound: float, target: float, freedom: float) -> float:
    half = abs(value - bound)
    if half == 0:  # nothing tells how sure the number is
        return 1.0
    return 2 * float(stdtr(freedom, -abs(value - target) / half * float(stdtrit(freedom, 0.975))))

"""Two shares of independent images: how much they differ, how sure one can be of it, and what would have been seen.

The bounds are those of Miettinen and Nurminen (1985): differences that a score test does not refuse. They suit shares
near 0 and 1, where the textbook's interval has no width. The p-value is that of the same test or, where it is larger,
the mid-p of Fisher's exact one: where one side has few images and the other many, the score test alone sees too much. A
bound that this larger p-value does not carry stops at no difference, so that test and interval never contradict.
"""

from __future__ import annotations

import math
from functools import cache, partial

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.intervals import Array, t_value
from portrayal.stats.two_sides.refused import in_pieces, last_refused

__all__ = [
    "detectable_difference",
    "detectable_differences",
    "difference_bounds",
    "difference_p",
    "images_for_difference",
    "power_about",
]

_MANY = 20_000
"""With as many images on both sides the exact test says what the score test does, and takes long."""
_PLENTY, _SURE, _CHANCE = 20, 1e-9, 0.2
"""Where more images than this are to be expected of each kind, tests agree on what is as sure, or as far from it."""


def difference_bounds(
    share: ArrayLike,
    n: ArrayLike,
    other: ArrayLike,
    other_n: ArrayLike,
    *,
    confidence: float = 0.95,
    p: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """Return the bounds of ``share - other``, of which ``n`` and ``other_n`` independent images tell.

    ``p`` is :func:`difference_p` of the same, where that is known already.

    >>> low, high = difference_bounds([0.5, 1.0], 10, [0.1, 0.0], 10)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([-0.013, 0.664], [0.705, 1.0])
    """
    x, n_x, y, n_y = np.broadcast_arrays(*(np.asarray(each, dtype=float) for each in (share, n, other, other_n)))
    low, high = in_pieces(partial(_not_refused, z=t_value(confidence)), x, n_x, y, n_y)
    unsure = (difference_p(x, n_x, y, n_y) if p is None else np.asarray(p)) > 1 - confidence
    return np.where(unsure, np.minimum(low, 0.0), low), np.where(unsure, np.maximum(high, 0.0), high)


def difference_p(share: ArrayLike, n: ArrayLike, other: ArrayLike, other_n: ArrayLike) -> Array:
    """Return the two-sided p-value of each difference.

    >>> difference_p([0.5, 0.11], [10, 100], [0.1, 0.47], [10, 100]).round(4).tolist()
    [0.0759, 0.0]
    """
    from scipy.special import ndtr  # scipy takes a moment to load

    x, n_x, y, n_y = np.broadcast_arrays(*(np.asarray(each, dtype=float) for each in (share, n, other, other_n)))
    by_score = 2 * ndtr(-np.abs(_score(x, n_x, y, n_y, np.zeros(x.shape))))
    seen = (x * n_x + y * n_y) / (n_x + n_y) * np.minimum(n_x, n_y)
    plain = (np.minimum(seen, np.minimum(n_x, n_y) - seen) > _PLENTY) & ((by_score < _SURE) | (by_score > _CHANCE))
    few = (np.minimum(n_x, n_y) < _MANY) & ~plain
    exact = np.zeros(x.shape)
    if few.any():
        exact[few] = in_pieces(_mid_p, x[few], n_x[few], y[few], n_y[few])
    return np.asarray(np.minimum(np.maximum(by_score, exact), 1.0))


def detectable_difference(share: float, n: float, other_n: float, *, power: float, p: float) -> float:
    """Return how far the other share must truly lie from ``share``, to the side with more room, to be seen so often.

    By the arcsine of the root of a share, whose variance hardly depends on the share; inf where no share lies so far.

    >>> round(detectable_difference(0.5, 100, 100, power=0.8, p=0.05), 3)
    0.193
    """
    return float(detectable_differences(share, n, other_n, power=power, p=p))


def detectable_differences(share: ArrayLike, n: ArrayLike, other_n: ArrayLike, *, power: float, p: float) -> Array:
    """Return the same of many at once.

    >>> detectable_differences([0.5, 0.5], [100, 3], 100, power=0.8, p=0.05).round(3).tolist()
    [0.193, inf]
    """
    middle, one, other = np.broadcast_arrays(*(np.asarray(each, dtype=float) for each in (share, n, other_n)))
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = _reach(power, p) * np.sqrt(1 / one + 1 / other) / 2
    angle = np.arcsin(np.sqrt(np.clip(middle, 0.0, 1.0)))
    up, down = angle + reach, angle - reach
    more = np.where(up <= np.pi / 2, np.sin(np.minimum(up, np.pi / 2)) ** 2 - middle, -np.inf)
    less = np.where(down >= 0, middle - np.sin(np.maximum(down, 0.0)) ** 2, -np.inf)
    largest = np.maximum(more, less)
    return np.where((np.minimum(one, other) > 0) & np.isfinite(largest), largest, np.inf)


def images_for_difference(share: float, difference: float, *, power: float, p: float) -> int:
    """Return how many independent images of each side see a difference so often, to the side that has more room.

    >>> images_for_difference(0.5, 0.2, power=0.8, p=0.05)
    93
    """
    side = 1.0 if share <= 0.5 else -1.0
    there = min(max(share + side * difference, 0.0), 1.0)
    apart = abs(math.asin(math.sqrt(there)) - math.asin(math.sqrt(share)))
    return math.ceil(2 * (_reach(power, p) / (2 * apart)) ** 2)


def power_about(share: float, other: float, images: float, *, p: float) -> float:
    """Return about how often so many images of each side see that two shares differ, by the arcsine as above.

    >>> round(power_about(0.5, 0.7, 93, p=0.05), 2)
    0.8
    """
    from scipy.special import ndtr, ndtri  # scipy takes a moment to load

    apart = abs(math.asin(math.sqrt(share)) - math.asin(math.sqrt(other)))
    return float(ndtr(2 * apart / math.sqrt(2 / images) - ndtri(1 - p / 2)))


@cache
def _reach(power: float, p: float) -> float:
    from scipy.special import ndtri  # scipy takes a moment to load

    return float(ndtri(1 - p / 2) + ndtri(power))


def _not_refused(x: Array, n_x: Array, y: Array, n_y: Array, *, z: float) -> Array:
    """Return the least and the greatest difference that the score test does not refuse."""
    seen = x - y
    low = last_refused(np.full(seen.shape, -1.0), seen, lambda d: _score(x, n_x, y, n_y, d) - z)
    high = last_refused(np.full(seen.shape, 1.0), seen, lambda d: -_score(x, n_x, y, n_y, d) - z)
    return np.stack([low, high])


def _score(x: Array, n_x: Array, y: Array, n_y: Array, difference: Array) -> Array:
    """Return the score statistic of a true difference: shares with that difference that fit best give the variance."""
    one, two = _restricted(x, n_x, y, n_y, difference)
    total = n_x + n_y
    variance = (one * (1 - one) / n_x + two * (1 - two) / n_y) * total / np.maximum(total - 1, 1e-9)
    apart = x - y - difference
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(apart) < 1e-12, 0.0, apart / np.sqrt(variance))


def _restricted(x: Array, n_x: Array, y: Array, n_y: Array, difference: Array) -> tuple[Array, Array]:
    """Return the two shares of that difference that fit best: the root of a cubic (Farrington and Manning 1990)."""
    ratio = n_y / n_x
    a = 1 + ratio
    b = -(a + x + ratio * y + difference * (ratio + 2))
    c = difference**2 + difference * (2 * x + a) + x + ratio * y
    d = -x * difference * (1 + difference)
    v = b**3 / (27 * a**3) - b * c / (6 * a**2) + d / (2 * a)
    u = np.where(v < 0, -1.0, 1.0) * np.sqrt(np.maximum(b**2 / (9 * a**2) - c / (3 * a), 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        angle = (np.pi + np.arccos(np.clip(np.where(u == 0, 0.0, v / u**3), -1, 1))) / 3
    one = np.clip(2 * u * np.cos(angle) - b / (3 * a), np.maximum(difference, 0.0), np.minimum(1 + difference, 1.0))
    return one, one - difference


def _mid_p(x: Array, n_x: Array, y: Array, n_y: Array) -> Array:
    """Return the mid-p of Fisher's exact test on whole images, of which no more count than there are."""
    from scipy.stats import hypergeom  # scipy takes a moment to load

    one, two = np.maximum(np.floor(n_x + 1e-9), 1), np.maximum(np.floor(n_y + 1e-9), 1)
    seen, of_both = np.rint(x * one), np.rint(x * one) + np.rint(y * two)
    here = hypergeom.pmf(seen, one + two, of_both, one)
    below = hypergeom.cdf(seen - 1, one + two, of_both, one)
    return np.asarray(2 * np.minimum(below, np.maximum(1 - below - here, 0.0)) + here)

"""Two shares of pictures that belong together in pairs: drawn with the same seed, or the same picture seen by two.

Only pairs that disagree say anything of a difference. The bounds are those of Tango (1998): differences that a score
test does not refuse; they have a width where no pair disagrees, too. The p-value is that of the same test, McNemar's,
so that test and interval never contradict.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.intervals import Array, t_value
from portrayal.stats.two_sides.refused import last_refused

__all__ = ["paired_bounds", "paired_detectable", "paired_p", "pairs_for_difference"]


def paired_bounds(
    difference: ArrayLike, apart: ArrayLike, n: ArrayLike, *, confidence: float = 0.95
) -> tuple[Array, Array]:
    """Return the bounds of a mean difference of ``n`` pairs, a part ``apart`` of which disagree.

    Of 44 pairs none of which disagree a difference of up to 1.96² / (44 + 1.96²) remains possible.

    >>> low, high = paired_bounds([0.2, 0.0], [0.4, 0.0], [50, 44])
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.026, -0.08], [0.365, 0.08])
    """
    mean, square, pairs = _given(difference, apart, n)
    z = t_value(confidence)
    low = last_refused(np.full(mean.shape, -1.0), mean, lambda d: _score(mean, square, pairs, d) - z)
    high = last_refused(np.full(mean.shape, 1.0), mean, lambda d: -_score(mean, square, pairs, d) - z)
    return low, high


def paired_p(difference: ArrayLike, apart: ArrayLike, n: ArrayLike) -> Array:
    """Return the two-sided p-value of each difference.

    >>> paired_p([0.2, 0.0], [0.4, 0.0], [50, 44]).round(4).tolist()
    [0.0253, 1.0]
    """
    from scipy.special import ndtr  # scipy takes a moment to load

    mean, square, pairs = _given(difference, apart, n)
    return np.asarray(2 * ndtr(-np.abs(_score(mean, square, pairs, np.zeros(mean.shape)))))


def paired_detectable(apart: float, n: float, *, power: float, p: float) -> float:
    """Return how large a true difference is found so often, where such a part of pairs disagrees; inf: none is.

    As many pairs disagree as did, and two more that are made up: pairs that all agree do not prove that all do.

    >>> round(paired_detectable(0.4, 100, power=0.8, p=0.05), 3)
    0.178
    """
    from scipy.special import ndtri  # scipy takes a moment to load

    if not n > 0:
        return math.inf
    spread = (apart * n + 1) / (n + 2)
    reach = float(ndtri(1 - p / 2) + ndtri(power))
    size = max(reach * math.sqrt(spread / n), _one_way(power, p) / n)
    return size if size <= 1 else math.inf


def pairs_for_difference(apart: float, difference: float, *, power: float, p: float) -> int:
    """Return how many pairs find a difference so often, where such a part of them disagrees.

    >>> pairs_for_difference(0.4, 0.2, power=0.8, p=0.05), pairs_for_difference(0.0, 0.2, power=0.8, p=0.05)
    (79, 30)
    """
    from scipy.special import ndtri  # scipy takes a moment to load

    reach = float(ndtri(1 - p / 2) + ndtri(power))
    return math.ceil(max(reach**2 * apart / difference**2, _one_way(power, p) / difference))


def _one_way(power: float, p: float) -> float:
    """Return how many pairs must be expected to disagree that so many are found to, all of them one way."""
    from scipy.special import ndtri  # scipy takes a moment to load

    sure, likely = float(ndtri(1 - p / 2)), float(ndtri(power))
    return ((likely + math.sqrt(likely**2 + 4 * sure**2)) / 2) ** 2


def _given(difference: ArrayLike, apart: ArrayLike, n: ArrayLike) -> tuple[Array, Array, Array]:
    mean, square, pairs = np.broadcast_arrays(*(np.asarray(each, dtype=float) for each in (difference, apart, n)))
    return mean, np.clip(square, np.abs(mean), 1.0), pairs


def _score(mean: Array, square: Array, n: Array, difference: Array) -> Array:
    """Return the score statistic of a true difference, by the chances of that difference that fit best."""
    fewer = n * (square - mean) / 2
    b = -n * square + (2 * n - n * mean) * difference
    c = -fewer * difference * (1 - difference)
    chance = (np.sqrt(np.maximum(b**2 - 8 * n * c, 0.0)) - b) / (4 * n)
    variance = np.maximum(2 * chance + difference * (1 - difference), 0.0) / n
    gap = mean - difference
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(gap) < 1e-12, 0.0, gap / np.sqrt(variance))

"""Bounds of a mean over few seeds: Student's, wider where seeds move unequally, and a width where all agree.

Student's interval of a skewed number is too short on the long side. That of Hall (1992), which transforms Student's
ratio by the skewness that is seen, is not, but the skewness of a few seeds can be anything, so that it reaches at most
twice as far. The outer bounds of both hold from three seeds on (``docs/validity.md``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["FEWEST", "mean_bounds", "unseen_share"]

FEWEST = 3
"""Seeds that an interval of a mean needs: two tell next to nothing of how seeds differ."""
_LEVEL = 0.975
_FURTHEST = 2.0
"""How many times as far as Student's bounds may reach. Without a limit means of six skewed seeds have intervals of 1.8
times the width of Student's on average, and hold no more often by a point."""
_TIED = 1e-9
"""Residuals below this, as a part of a clear change, are rounding: the seeds agree."""


def mean_bounds(value: Array, residuals: Array, seeds: Ints, most: float = 1.0) -> tuple[Array, Array]:
    """Return the bounds of each row's mean; nan from fewer than three seeds.

    Parameters
    ----------
    value
        The mean of each row.
    residuals
        How far each seed lies from it (rows, seeds), 0 where there is no data.
    seeds
        How many seeds each row has.
    most
        The largest change that the study shows. Where all seeds of a row agree, some faces there could be may still
        move by so much: :func:`unseen_share` says how many.

    >>> moved = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    >>> low, high = mean_bounds(moved.mean(axis=1), moved - moved.mean(axis=1, keepdims=True), np.array([3, 3]))
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([-0.48, -0.71], [4.48, 0.71])
    """
    from scipy.special import stdtrit  # scipy takes a moment to load

    n = np.where(seeds < FEWEST, np.nan, seeds.astype(float))
    spread = np.sqrt((residuals**2).sum(axis=1) / (n - 1))
    quantile = stdtrit(n - 1, _LEVEL)
    tied = spread <= _TIED
    # The moment of a few seeds is too small by these factors.
    third = (residuals**3).sum(axis=1) * n / ((n - 1) * (n - 2))
    skew = np.divide(third, spread**3, out=np.zeros_like(n), where=spread > _TIED)
    reach = spread * quantile / np.sqrt(n)
    above = np.clip(-spread * _untransformed(-quantile, skew, n), reach, _FURTHEST * reach)
    below = np.clip(spread * _untransformed(quantile, skew, n), reach, _FURTHEST * reach)
    alike = unseen_share(n) * most
    return value - np.where(tied, alike, below), value + np.where(tied, alike, above)


def _untransformed(ratio: Array, skew: Array, n: Array) -> Array:
    """Return how many standard deviations the mean lies off where Hall's transformed ratio is ``ratio``."""
    plain = np.abs(skew) < 1e-6
    bent = np.where(plain, 1.0, skew)
    cube = 1 + bent * (ratio / np.sqrt(n) - bent / (6 * n))
    return np.asarray(np.where(plain, ratio / np.sqrt(n), (np.cbrt(cube) - 1) * 3 / bent))


def unseen_share(n: ArrayLike) -> Array:
    """Return which share of all faces there could be may be different though all ``n`` seeds agree.

    >>> unseen_share([3, 9, 18]).round(2).tolist()
    [0.71, 0.34, 0.19]
    """
    return np.asarray(1 - (1 - _LEVEL) ** (1 / np.asarray(n, dtype=float)))

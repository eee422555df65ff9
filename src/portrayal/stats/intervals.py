"""Intervals with a formula: no resampling, no random numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "Interval", "clopper_pearson", "last_refused", "t_value", "wilson", "wilson_modified"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """The bounds of a confidence interval; both nan when there is no data."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """The distance between the bounds."""
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def t_value(confidence: float, freedom: float = math.inf) -> float:
    """Return Student's quantile of a two-sided interval; with infinite freedom it is the normal one.

    >>> round(t_value(0.95), 6), round(t_value(0.95, 3), 6)
    (1.959964, 3.182446)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, got {confidence}")
    from scipy.special import stdtrit  # scipy takes a moment to load

    return float(stdtrit(freedom, (1 + confidence) / 2))


def clopper_pearson(share: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the exact interval of Clopper and Pearson (1934) of each share seen in ``n`` images.

    It holds the truth at least as often as it says, whatever the truth is. ``n`` need not be whole: the bounds are
    quantiles of the beta distribution. A share of 0 or 1 is a bound itself, and no images give nan.

    >>> low, high = clopper_pearson([0.0, 0.5, 1.0], 24)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.291, 0.858], [0.142, 0.709, 1.0])
    """
    from scipy.special import betaincinv  # scipy takes a moment to load

    shares, images = np.broadcast_arrays(np.asarray(share, dtype=float), np.asarray(n, dtype=float))
    images = np.where(images > 0, images, np.nan)
    seen, others = shares * images, (1 - shares) * images
    tail = (1 - confidence) / 2
    some, not_all = shares > 1e-12, shares < 1 - 1e-12
    low = np.where(some, betaincinv(np.where(some, seen, 1.0), others + 1, tail), 0.0) + 0 * images
    high = np.where(not_all, betaincinv(seen + 1, np.where(not_all, others, 1.0), 1 - tail), 1.0) + 0 * images
    return np.minimum(low, shares), np.maximum(high, shares)


def wilson(share: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return Wilson's score interval (1927) of each share seen in ``n`` images.

    Unlike the textbook interval it has a width when all images agree, and it stays within 0 and 1. A share may be a
    mean of probabilities: those vary less than yes and no with the same mean, so the interval is then conservative.
    ``n`` need not be whole, and no images give nan.

    >>> low, high = wilson([0.5, 1.0], 10)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.2366, 0.7225], [0.7634, 1.0])
    """
    shares, images = np.asarray(share, dtype=float), np.asarray(n, dtype=float)
    images = np.where(images > 0, images, np.nan)
    z2 = t_value(confidence) ** 2
    centre = (shares + z2 / (2 * images)) / (1 + z2 / images)
    half = np.sqrt(z2 * (shares * (1 - shares) / images + z2 / (4 * images**2))) / (1 + z2 / images)
    # A share of exactly 0 or 1 is its own bound; rounding must not push the bound past it.
    low = np.where(shares == 0, shares, np.clip(centre - half, 0, shares)) + 0 * images
    high = np.where(shares == 1, shares, np.clip(centre + half, shares, 1)) + 0 * images
    return low, high


def wilson_modified(share: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return Wilson's interval with the bounds near 0 and 1 mended as Brown, Cai and DasGupta (2001) do.

    When a group shows in one, two or three images, or in all but so many, Wilson's interval stops short: of 16 images
    with a true share of 0.99 it covers in 85 % of cases. There a one-sided Poisson bound is used instead.

    >>> wilson(15 / 16, 16)[1].round(4), wilson_modified(15 / 16, 16)[1].round(4)
    (np.float64(0.9889), np.float64(0.9968))
    """
    shares, images = np.asarray(share, dtype=float), np.asarray(n, dtype=float)
    low, high = wilson(shares, images, confidence)
    low = np.minimum(low, _poisson_low(shares, images, confidence))
    return low, np.maximum(high, 1 - _poisson_low(1 - shares, images, confidence))


def _poisson_low(share: Array, n: Array, confidence: float) -> Array:
    """Return the Poisson low bound of a share shown by three images or fewer, else 1."""
    from scipy.special import gammaincinv  # scipy takes a moment to load

    seen = share * n
    # A count of three times a share may come out a hair above three.
    few = (seen > 1e-9) & (seen < 3 + 1e-9)
    bound = gammaincinv(np.where(few, seen, 1.0), 1 - confidence) / np.where(few, n, 1.0)
    return np.where(few, bound, 1.0)


def last_refused(accepts: Callable[[float], bool], steps: int = 10) -> float:
    """Return the last point before the first accepted one on the way from 0 to 1, or 0 when 0 is accepted.

    Found by halving ``steps`` times, and never after the point sought.

    >>> last_refused(lambda way: way > 0.3)
    0.2998046875
    """
    if accepts(0.0):
        return 0.0
    refused, accepted = 0.0, 1.0
    for _ in range(steps):
        middle = (refused + accepted) / 2
        refused, accepted = (refused, middle) if accepts(middle) else (middle, accepted)
    return refused

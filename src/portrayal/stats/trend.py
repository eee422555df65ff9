"""A straight line through points, and a rank correlation, each with what is not known about it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.intervals import Array, Interval, t_value

__all__ = ["RankCorrelation", "Trend", "linear_trend", "rank_correlation"]

_MOSTLY = 0.6
"""Student's quantile of a two-sided interval of 60 % is passed one time in five: what lies beyond it shows in four."""
_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Trend:
    """A line by least squares: ``slope`` with its interval, and all that its band is made of."""

    slope: float
    low: float
    high: float
    middle: float
    centre: float
    error: float
    spread: float
    n: int
    confidence: float = 0.95

    @property
    def margin(self) -> float:
        """The least slope, up or down, that the data exclude and that would have shown four times in five."""
        reach = t_value(self.confidence, self.n - 2) + t_value(_MOSTLY, self.n - 2)
        return max(reach * self.error / math.sqrt(self.spread), abs(self.low), abs(self.high))

    def at(self, x: ArrayLike) -> Array:
        """Return the line at ``x``."""
        return np.asarray(self.centre + self.slope * (np.asarray(x, dtype=float) - self.middle))

    def band(self, x: ArrayLike) -> tuple[Array, Array]:
        """Return the band of the line at ``x``: where the mean lies, not single points. It widens outwards."""
        away = np.asarray(x, dtype=float) - self.middle
        reach = t_value(self.confidence, self.n - 2) * self.error * np.sqrt(1 / self.n + away**2 / self.spread)
        return self.at(x) - reach, self.at(x) + reach


def linear_trend(x: ArrayLike, y: ArrayLike, confidence: float = 0.95) -> Trend | None:
    """Return the line through points, or None where there are fewer than three, or all at one ``x``.

    ``confidence`` is that of the slope's interval and of the band.

    >>> found = linear_trend([0, 1, 2, 3], [1, 3, 5, 7])
    >>> found and (round(found.slope, 6), round(found.low, 6), round(found.high, 6))
    (2.0, 2.0, 2.0)
    """
    across, up = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    n = len(across)
    if n < 3 or np.ptp(across) == 0:
        return None
    middle, centre = float(across.mean()), float(up.mean())
    spread = float(((across - middle) ** 2).sum())
    slope = float((across - middle) @ (up - centre)) / spread
    rest = up - centre - slope * (across - middle)
    error = math.sqrt(float(rest @ rest) / (n - 2))
    reach = t_value(confidence, n - 2) * error / math.sqrt(spread)
    return Trend(
        slope,
        slope - reach,
        slope + reach,
        middle=middle,
        centre=centre,
        error=error,
        spread=spread,
        n=n,
        confidence=confidence,
    )


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's rho of ``n`` pairs and its interval."""

    rho: float
    interval: Interval
    n: int
    confidence: float = 0.95

    @property
    def margin(self) -> float:
        """The least correlation, of either sign, that the data exclude and that would have shown four times in five."""
        rho = 0.0
        for _ in range(_ROUNDS):
            rho = math.tanh((t_value(self.confidence) + t_value(_MOSTLY)) * _bent_error(rho, self.n))
        return max(rho, abs(self.interval.low), abs(self.interval.high))


def rank_correlation(x: ArrayLike, y: ArrayLike, confidence: float = 0.95) -> RankCorrelation | None:
    """Return Spearman's correlation, or None of fewer than four pairs or where one side does not vary.

    The interval is Fisher's, with the standard error of Bonett and Wright (2000), which holds for ranks.

    >>> found = rank_correlation([1, 2, 3, 4, 5, 6, 7, 8], [1, 3, 2, 4, 5, 7, 6, 8])
    >>> found and round(found.rho, 3)
    0.952
    """
    from scipy.stats import rankdata

    left, right = (rankdata(np.asarray(side, dtype=float)) for side in (x, y))
    n = len(left)
    if n < 4 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return None
    rho = float(np.corrcoef(left, right)[0, 1])
    # At 1 the transformation is infinite; half the least step of ranks below it says how few pairs there are.
    most = 1 - 6 / (n * (n**2 - 1))
    bent = math.atanh(min(max(rho, -most), most))
    reach = t_value(confidence) * _bent_error(rho, n)
    low, high = math.tanh(bent - reach), math.tanh(bent + reach)
    return RankCorrelation(rho, Interval(min(low, rho), max(high, rho)), n, confidence)


def _bent_error(rho: float, n: int) -> float:
    return math.sqrt((1 + rho**2 / 2) / (n - 3))

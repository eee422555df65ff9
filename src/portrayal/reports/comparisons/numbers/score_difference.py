"""Two scores compared by the intervals of both (Zou and Donner 2008): of most there are no counts of images."""

from __future__ import annotations

import math

from portrayal.records import Measurement
from portrayal.stats.intervals import Array, t_value

__all__ = ["score_detectable", "score_difference"]


def score_difference(one: Measurement, other: Measurement) -> tuple[float, float, float, float]:
    """Return the difference, its bounds and its p-value, each score around the value corrected for few images."""
    from scipy.special import ndtr  # scipy takes a moment to load

    (x, x_low, x_high), (y, y_low, y_high) = _estimate(one), _estimate(other)
    value = x - y
    below, above = math.hypot(x - x_low, y_high - y), math.hypot(x_high - x, y - y_low)
    half = below if value > 0 else above
    p = 2 * float(ndtr(-abs(value) / half * t_value(0.95))) if half > 0 else float(value == 0)
    return value, value - below, value + above, p


def score_detectable(low: Array, high: Array, *, power: float, p: float) -> Array:
    """Return how large a true difference is found so often, from the width of the interval."""
    from scipy.special import ndtri  # scipy takes a moment to load

    error = (high - low) / 2 / t_value(0.95)
    return error * float(ndtri(1 - p / 2) + ndtri(power))


def _estimate(row: Measurement) -> tuple[float, float, float]:
    low, high = float(row.low or 0.0), float(row.high or 0.0)
    value = row.value if row.corrected is None or math.isnan(row.corrected) else row.corrected
    return min(max(float(value or 0.0), low), high), low, high

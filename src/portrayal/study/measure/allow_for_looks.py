"""Intervals of adaptive runs: wider by what it costs that a look at the images decided when to stop.

Every number of every method passes here on its way into the table, and carries how many times a p-value counts from
then on (``looks``): findings, comparisons and policies divide their error rates by that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from portrayal.records import Measurement
from portrayal.stats.intervals import clopper_pearson, t_value
from portrayal.study.sampling.drawn_rounds import Allowance, allowance_of
from portrayal.study.study import OpenStudy

__all__ = ["allowed", "allowed_rows"]

_USUAL = 0.95
_SHARES = ("share", "missing")


def allowed_rows(study: OpenStudy, rows: Iterable[Measurement]) -> Iterator[Measurement]:
    """Yield the rows as they may be stated: those of an adaptive run allow for its looks, others stay."""
    given = allowance_of(study)
    return iter(rows) if given is None else map(partial(allowed, given=given), rows)


def allowed(row: Measurement, given: Allowance) -> Measurement:
    """Return a row whose intervals are as sure as ``given`` asks for.

    >>> row = Measurement("m", "share", "g", value=0.5, low=0.291, high=0.709, n=24, worth=24.0)
    >>> wide = allowed(row, Allowance(6, 0.965))
    >>> round(wide.low or 0, 3), round(wide.high or 0, 3), wide.looks
    (0.278, 0.722, 6)
    """
    row = replace(row, looks=given.times)
    low, high = _wider(row, (row.low, row.high), given.confidence)
    if row.worth and row.metric == "share" and row.value is not None and low is not None and high is not None:
        exact = clopper_pearson(min(max(row.value, 0.0), 1.0), row.worth, given.confidence)
        low, high = min(float(row.low or 0.0), float(exact[0])), max(float(row.high or 0.0), float(exact[1]))
    like = _wider(row, (row.like_low, row.like_high), given.confidence)
    return replace(row, low=low, high=high, like_low=like[0], like_high=like[1])


def _wider(
    row: Measurement, bounds: tuple[float | None, float | None], confidence: float
) -> tuple[float | None, float | None]:
    """Return bounds as much further from the value as a normal interval's are; a share stays within 0 and 1."""
    low, high = bounds
    value = row.value if row.corrected is None or math.isnan(row.corrected) else row.corrected
    if value is None or low is None or high is None:
        return bounds
    times = t_value(confidence) / t_value(_USUAL)
    least, most = value - times * (value - low), value + times * (high - value)
    # What cannot be below 0 was not before; a share is no more than 1.
    least = max(least, 0.0) if low >= 0 and row.metric != "difference" else least
    return min(least, low), max(min(most, 1.0) if row.metric in _SHARES else most, high)

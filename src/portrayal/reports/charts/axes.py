"""Axes: where a value lies on a track, and how it is written beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portrayal.language.translation import digits
from portrayal.records import Measurement
from portrayal.reports.text.words import SCORE_DIGITS, decimal, known, percent, percent_range, span

__all__ = [
    "Scale",
    "centred_scale",
    "number_scale",
    "score_scale",
    "share_scale",
    "tight_scale",
    "unit_scale",
]

PERCENTAGES = ("share", "label_share", "missing", "hallucination_rate")
"""Metrics that are shares of images."""


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from ``low`` to ``high``. ``unit`` is ``%`` for shares; other values are printed with ``digits``."""

    low: float
    high: float
    unit: str = ""
    digits: int = 2

    def at(self, value: float | None) -> str | None:
        """Return the position as a percentage of the track, kept on it; None where there is nothing to draw."""
        value = known(value)
        if value is None:
            return None
        fraction = (value - self.low) / (self.high - self.low)
        return f"{100 * min(max(fraction, 0.0), 1.0):.4g}"

    def text(self, value: float, n: int = 0) -> str:
        """Return one value as words."""
        return percent(value, n) if self.unit == "%" else decimal(value, self.digits)

    def between(self, low: float, high: float, n: int = 0) -> str:
        """Return an interval as words."""
        if self.unit == "%":
            return percent_range(low, high, n)
        return span(decimal(low, self.digits), decimal(high, self.digits))

    @property
    def ticks(self) -> list[tuple[str, str]]:
        """The positions and labels of five marks; a narrow axis shows every second one."""
        width = (self.high - self.low) / 4
        values = [self.low + step * width for step in range(5)]
        return [(f"{25 * step}", self._tick(value)) for step, value in enumerate(values)]

    def _tick(self, value: float) -> str:
        if self.unit == "%":
            return digits(f"{100 * value:g}")
        return digits(f"{value:g}").replace("-", "\N{MINUS SIGN}")


def _extent(rows: Iterable[Measurement | None]) -> list[float]:
    values = [value for row in rows if row for value in (row.value, row.low, row.high, row.target, row.planted)]
    return [value for value in values if known(value) is not None and value is not None]


def _top(rows: Iterable[Measurement | None]) -> float:
    """Return the smallest of a few tops, so that charts of one attribute share an axis and small shares stay apart."""
    highest = max(_extent(rows), default=1.0)
    return next((top for top in (0.2, 0.4, 0.6, 0.8) if highest <= top), 1.0)


def share_scale(rows: Iterable[Measurement | None]) -> Scale:
    """Return an axis of percentages that starts at nought."""
    return Scale(0.0, _top(rows), "%")


def unit_scale(rows: Iterable[Measurement | None]) -> Scale:
    """Return an axis for a distance between 0 and 1."""
    return Scale(0.0, _top(rows))


def score_scale(rows: Iterable[Measurement | None]) -> Scale:
    """Return an axis for scores that end at 1: the shortest of a few that holds them all."""
    lowest = min(_extent(rows), default=0.0)
    return Scale(next((low for low in (0.8, 0.6, 0.2) if lowest >= low), 0.0), 1.0, digits=SCORE_DIGITS)


def centred_scale(rows: Iterable[Measurement | None], centre: float) -> Scale:
    """Return an axis with ``centre`` in its middle, wide enough for every value."""
    furthest = max((abs(value - centre) for value in _extent(rows)), default=0.0)
    half = next((half for half in (0.1, 0.2, 0.3, 0.4, 0.5) if furthest <= half), math.ceil(furthest))
    # Rounded, because 0.5 - 0.4 would be written 0.09999999999999998 below the axis.
    return Scale(round(centre - half, 9), round(centre + half, 9), digits=SCORE_DIGITS)


def number_scale(rows: Sequence[Measurement | None]) -> Scale:
    """Return an axis with round ends around every value, and as many decimals as tell values on it apart."""
    values = _extent(rows) or [0.0, 1.0]
    low, high = min(values), max(values)
    digits = 1 if low == high else min(max(math.ceil(1 - math.log10(high - low)), 1), 4)
    step = 4 * 10.0 ** math.floor(math.log10(max(high - low, 1e-6)))
    if (high - low) / step < 0.5:
        step /= 2
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return Scale(low, high if high > low else low + step, digits=digits)


def tight_scale(values: Sequence[float]) -> Scale:
    """Return the shortest axis of four round steps that holds every number.

    >>> tight_scale([-1.4, 1.9])
    Scale(low=-2.0, high=2.0, unit='', digits=1)
    """
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    # Numbers that are all but equal still need marks that can be told apart in the six digits shown.
    least = max(1e-9, 1e-4 * max(abs(low), abs(high)))
    power = 10.0 ** math.floor(math.log10(max((high - low) / 4, least)))
    for step in (factor * power for factor in (1, 2, 2.5, 5, 10, 20)):
        start = math.floor(low / step + 1e-9) * step
        if start + 4 * step >= high - 1e-9 * step:
            break
    # Rounded, because 3 * 0.1 would be written 0.30000000000000004 below the axis.
    return Scale(round(start, 9), round(start + 4 * step, 9), digits=max(0, 1 - math.floor(math.log10(step))))

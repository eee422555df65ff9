"""What missing images could do to verdicts, and which verdicts rest on what a study states of them.

A difference could shrink into the margin, or one could be hidden, if all of one side show the group and none of the
other's. A study may state that shares among missing images lie ``within`` a range of those among the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from portrayal.reports.comparisons.difference import LEAST_IMAGES, DifferenceVerdict
from portrayal.reports.comparisons.numbers.row_columns import RowColumns
from portrayal.stats.intervals import Array

__all__ = ["Missing", "missing_effects"]

Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Missing:
    """What verdicts rest on besides: the intervals, what would have been found, and the margin."""

    low: Array
    high: Array
    detectable: Array
    margin: float


def missing_effects(
    one: RowColumns, other: RowColumns, verdicts: Sequence[DifferenceVerdict], known: Missing, within: float
) -> tuple[list[bool], list[float]]:
    """Return whether missing images could change each verdict, and the range stated where the verdict rests on it."""
    told = one.share & (np.minimum(one.images, other.images) >= LEAST_IMAGES) & (one.missing + other.missing > 0)
    verdict = np.array(verdicts)
    freely = told & _could_change(one, other, verdict, known, 1.0)
    if within >= 1:
        return freely.tolist(), [1.0] * len(verdict)
    unsettled = told & _could_change(one, other, verdict, known, within)
    return unsettled.tolist(), np.where(freely & ~unsettled, within, 1.0).tolist()


def _could_change(
    one: RowColumns, other: RowColumns, verdict: NDArray[np.str_], known: Missing, within: float
) -> Truths:
    (low, high), (other_low, other_high) = _filled(one, within), _filled(other, within)
    least, greatest = low - other_high, high - other_low
    margin = known.margin
    with np.errstate(invalid="ignore"):
        more = least <= np.minimum(margin, np.maximum(known.low, 0.0))
        less = greatest >= -np.minimum(margin, np.maximum(-known.high, 0.0))
    hidden = np.where(
        verdict == DifferenceVerdict.EQUIVALENT, margin, np.maximum(margin, np.minimum(known.detectable, 1.0))
    )
    none = (least < -hidden) | (greatest > hidden)
    found = np.where(verdict == DifferenceVerdict.MORE, more, less)
    sure = (verdict == DifferenceVerdict.MORE) | (verdict == DifferenceVerdict.LESS)
    return np.asarray(np.where(sure, found, none))


def _filled(side: RowColumns, within: float) -> tuple[Array, Array]:
    """Return the least and the greatest share that all images could have, as :func:`portrayal.stats.shares.missing`."""
    with np.errstate(invalid="ignore", divide="ignore"):
        lost = np.where(side.missing > 0, side.missing / (side.n + side.missing), 0.0)
    least, most = np.maximum(side.value - within, 0.0), np.minimum(side.value + within, 1.0)
    return side.value * (1 - lost) + lost * least, side.value * (1 - lost) + lost * most

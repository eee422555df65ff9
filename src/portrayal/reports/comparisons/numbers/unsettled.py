"""What missing images could do to verdicts, and which verdicts rest on what a study states of them.

A difference could shrink into the margin, or until chance explains it, and one could be hidden, if all of one side show
the group and none of the other's. A study may state that shares among missing images lie ``within`` a range of those
among the others.
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
    """What verdicts rest on besides: differences and intervals, what would have been found, and the margin."""

    value: Array
    low: Array
    high: Array
    detectable: Array
    margin: float


def missing_effects(
    one: RowColumns, other: RowColumns, verdicts: Sequence[DifferenceVerdict], known: Missing, within: float
) -> tuple[list[bool], list[float]]:
    """Return whether missing images could change each verdict, and the range stated where the verdict rests on it."""
    told = one.share & (np.minimum(one.images, other.images) >= LEAST_IMAGES) & (one.lost + other.lost > 0)
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
    margin, value = known.margin, known.value
    with np.errstate(invalid="ignore"):
        # Shrunk into the margin, or so small that its interval holds 0.
        more = least <= np.maximum(np.minimum(margin, known.low), value - known.low)
        less = greatest >= -np.maximum(np.minimum(margin, -known.high), known.high - value)
        none_found = np.maximum(margin, np.minimum(known.detectable, 1.0))
        hidden = (least < -none_found) | (greatest > none_found)
        # The whole interval must stay inside the margin.
        apart = (least - (value - known.low) < -margin) | (greatest + (known.high - value) > margin)
    none = np.where(verdict == DifferenceVerdict.EQUIVALENT, apart, hidden)
    found = np.where(verdict == DifferenceVerdict.MORE, more, less)
    sure = (verdict == DifferenceVerdict.MORE) | (verdict == DifferenceVerdict.LESS)
    return np.asarray(np.where(sure, found, none))


def _filled(side: RowColumns, within: float) -> tuple[Array, Array]:
    """Return the least and the greatest share that all images could have, as :mod:`portrayal.stats.shares.missing`.

    Of several prompts those that show the group most may have lost the most: the whole of the loss then counts.
    """
    several, share = side.prompts > 1, side.value
    less, more = (
        np.where(several, np.minimum(side.lost * within, room), side.lost * np.minimum(within, room))
        for room in (share, 1 - share)
    )
    return share - less, share + more

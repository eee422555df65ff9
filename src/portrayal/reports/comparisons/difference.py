"""Differences between two sides: how large, how sure, and a verdict out of five.

A share is compared as so many independent images as it is worth, which allows for prompts: both sides answer the same
prompts, so that only pictures vary. Where pictures of both sides belong together, they are compared pair by pair. A
score is compared by its interval (Zou and Donner 2008).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

import numpy as np

from portrayal.records import Measurement
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.pairing import PairedShare, Pairing
from portrayal.stats.intervals import Array, t_value
from portrayal.stats.multiple import benjamini_hochberg, holm
from portrayal.stats.shares.missing import filled
from portrayal.stats.two_sides.two_paired_shares import paired_bounds, paired_detectable, paired_p, pairs_for_difference
from portrayal.stats.two_sides.two_shares import (
    detectable_difference,
    difference_bounds,
    difference_p,
    images_for_difference,
)

__all__ = ["LEAST_IMAGES", "LEVEL", "Correction", "Difference", "DifferenceVerdict", "differences"]

LEVEL = 0.05
"""Corrected p-values of at most this are called a difference."""
LEAST_IMAGES = 5
"""With fewer images on either side there are no statistics: the counts are given, and that they are too few."""
TELLING = 0.3
"""Where only differences of shares larger than this would have shown, there are too few images to tell."""
POWER = 0.8
_OF_PAIRS = ("difference", "apart", "worth")

Correction = Literal["benjamini-hochberg", "holm"]


class DifferenceVerdict(StrEnum):
    """What may be said of a difference."""

    MORE = "more"
    LESS = "less"
    EQUIVALENT = "equivalent"
    NONE_FOUND = "none_found"
    TOO_FEW = "too_few"


@dataclass(frozen=True, slots=True)
class Difference:
    """``one`` less ``other``, with the bounds of its 95 % interval, its p-value and the one corrected for all.

    ``detectable`` is how large a true difference had to be to show in four of five such studies, ``needed`` how many
    images of each side would show one of twice the margin; 0 where that is not known. ``unsettled`` is whether missing
    images could change the verdict: a difference shrinks into the margin, or one could be hidden, if all of one side
    show the group and none of the other's. ``pairs`` are what was compared pair by pair; None: independent pictures.
    """

    one: Measurement
    other: Measurement
    value: float
    low: float
    high: float
    p: float
    adjusted: float = math.nan
    detectable: float = math.inf
    needed: int = 0
    verdict: DifferenceVerdict = DifferenceVerdict.TOO_FEW
    unsettled: bool = False
    pairs: PairedShare | None = None

    @property
    def images(self) -> float:
        """How many independent images the side with fewer has: the same picture again is none."""
        return min(_images(self.one), _images(self.other))

    def is_within(self, margin: float) -> bool:
        """Return whether the whole interval lies inside the margin."""
        return is_share(self.one) and -margin <= self.low and self.high <= margin


def differences(
    pairs: Sequence[tuple[Measurement, Measurement]],
    margin: float,
    *,
    correction: Correction = "benjamini-hochberg",
    pairing: Pairing | None = None,
    level: float = LEVEL,
    within: float = 1.0,
) -> list[Difference]:
    """Return the difference of every pair of rows, corrected for all of them.

    ``level`` is how often any may be called a difference by chance, where these are a part of what is looked at: then
    corrected p-values are larger in the same measure, and 0.05 is the limit as ever.
    ``margin``: differences of shares up to this are of no concern. ``within``: the share of missing images lies at most
    so far from that of the others. Equivalent is said only of shares, and only where the whole 95 % interval lies
    inside the margin. ``pairing`` finds pictures that belong together.
    """
    measured = _pair_by_pair(_of_shares([pair for pair in pairs if is_share(pair[0])]), pairing)
    measured += [_of_scores(*pair) for pair in pairs if not is_share(pair[0])]
    order = {(id(one), id(other)): place for place, (one, other) in enumerate(pairs)}
    measured.sort(key=lambda each: order[id(each.one), id(each.other)])
    tests = [each.p if each.images >= LEAST_IMAGES else math.nan for each in measured]
    adjust = holm if correction == "holm" else benjamini_hochberg
    adjusted = adjust(tests)
    every = max(sum(not math.isnan(p) for p in tests), 1)
    part = np.minimum(adjusted * (LEVEL / level), 1.0)
    judged = [_judged(each, float(p), margin, level / every) for each, p in zip(measured, part, strict=True)]
    return [replace(each, unsettled=True) if _is_unsettled(each, margin, within) else each for each in judged]


def _of_shares(pairs: Sequence[tuple[Measurement, Measurement]]) -> list[Difference]:
    if not pairs:
        return []
    x, n_x, y, n_y = (
        _column([getattr(pair[side], name) for pair in pairs]) for side in (0, 1) for name in ("value", "worth")
    )
    p = difference_p(x, n_x, y, n_y)
    low, high = difference_bounds(x, n_x, y, n_y, p=p)
    return [
        Difference(one, other, float(x[i] - y[i]), float(low[i]), float(high[i]), float(p[i]))
        for i, (one, other) in enumerate(pairs)
    ]


def _pair_by_pair(measured: Sequence[Difference], pairing: Pairing | None) -> list[Difference]:
    """Return the same, with the difference of pairs where pictures of both sides belong together."""
    if pairing is None:
        return list(measured)
    pairs = [pairing(each.one, each.other) if each.images >= LEAST_IMAGES else None for each in measured]
    known = [paired for paired in pairs if paired is not None]
    if not known:
        return list(measured)
    value, apart, n = (np.array([getattr(paired, name) for paired in known]) for name in _OF_PAIRS)
    numbers = iter(zip(value, *paired_bounds(value, apart, n), paired_p(value, apart, n), strict=True))
    return [
        each if paired is None else _paired(each, paired, next(numbers))
        for each, paired in zip(measured, pairs, strict=True)
    ]


def _paired(each: Difference, paired: PairedShare, numbers: Sequence[float]) -> Difference:
    value, low, high, p = map(float, numbers)
    return replace(each, value=value, low=low, high=high, p=p, pairs=paired)


def _column(values: Sequence[float | None]) -> Array:
    return np.array([math.nan if value is None else value for value in values])


def _of_scores(one: Measurement, other: Measurement) -> Difference:
    """Return the difference of two numbers from their intervals, each around the value corrected for few images."""
    from scipy.special import ndtr  # scipy takes a moment to load

    (x, x_low, x_high), (y, y_low, y_high) = _estimate(one), _estimate(other)
    value = x - y
    below, above = math.hypot(x - x_low, y_high - y), math.hypot(x_high - x, y - y_low)
    half = below if value > 0 else above
    p = 2 * float(ndtr(-abs(value) / half * t_value(0.95))) if half > 0 else float(value == 0)
    return Difference(one, other, value, value - below, value + above, p)


def _estimate(row: Measurement) -> tuple[float, float, float]:
    low, high = float(row.low or 0.0), float(row.high or 0.0)
    value = row.value if row.corrected is None or math.isnan(row.corrected) else row.corrected
    return min(max(float(value or 0.0), low), high), low, high


def _images(row: Measurement) -> float:
    return min(float(row.n), float(row.worth)) if is_share(row) and row.worth is not None else float(row.n)


def _extremes(one: Measurement, other: Measurement, within: float) -> tuple[float, float]:
    """Return the least and the greatest difference that missing images leave possible, whatever chance does."""
    (low, high), (other_low, other_high) = (
        filled(row.value or 0.0, row.n, row.missing, within=within) for row in (one, other)
    )
    return low - other_high, high - other_low


def _is_unsettled(each: Difference, margin: float, within: float) -> bool:
    if each.images < LEAST_IMAGES or not is_share(each.one) or not each.one.missing + each.other.missing:
        return False
    least, greatest = _extremes(each.one, each.other, within)
    if each.verdict is DifferenceVerdict.MORE:
        return least <= min(margin, max(each.low, 0.0))
    if each.verdict is DifferenceVerdict.LESS:
        return greatest >= -min(margin, max(-each.high, 0.0))
    hidden = margin if each.verdict is DifferenceVerdict.EQUIVALENT else max(margin, min(each.detectable, 1.0))
    return least < -hidden or greatest > hidden


def _judged(each: Difference, adjusted: float, margin: float, level: float) -> Difference:
    if each.images < LEAST_IMAGES:
        return replace(each, p=math.nan, low=math.nan, high=math.nan, needed=_needed(each, margin, level))
    detectable = _detectable(each, level)
    verdict = _verdict(each, adjusted, detectable, margin)
    needed = _needed(each, margin, level) if verdict is DifferenceVerdict.TOO_FEW else 0
    return replace(each, adjusted=adjusted, detectable=detectable, needed=needed, verdict=verdict)


def _verdict(each: Difference, adjusted: float, detectable: float, margin: float) -> DifferenceVerdict:
    if adjusted <= LEVEL:
        return DifferenceVerdict.MORE if each.value > 0 else DifferenceVerdict.LESS
    if each.is_within(margin):
        return DifferenceVerdict.EQUIVALENT
    enough = math.isfinite(detectable) and (not is_share(each.one) or detectable <= TELLING)
    return DifferenceVerdict.NONE_FOUND if enough else DifferenceVerdict.TOO_FEW


def _detectable(each: Difference, level: float) -> float:
    if each.pairs is not None:
        return paired_detectable(each.pairs.apart, each.pairs.worth, power=POWER, p=level)
    if is_share(each.one):
        middle = ((each.one.value or 0.0) + (each.other.value or 0.0)) / 2
        worths = float(each.one.worth or 0.0), float(each.other.worth or 0.0)
        return detectable_difference(middle, *worths, power=POWER, p=level)
    from scipy.special import ndtri  # scipy takes a moment to load

    error = (each.high - each.low) / 2 / t_value(0.95)
    return float(error * (ndtri(1 - level / 2) + ndtri(POWER)))


def _needed(each: Difference, margin: float, level: float) -> int:
    """Return how many images of each side show a difference of twice the margin; of scores that is not known."""
    if not is_share(each.one):
        return 0
    if each.pairs is not None:
        independent = min(each.pairs.worth / each.pairs.n, 1.0)
        size = min(2 * margin, 0.9)
        return math.ceil(pairs_for_difference(each.pairs.apart, size, power=POWER, p=level) / max(independent, 1e-9))
    middle = min(max(((each.one.value or 0.0) + (each.other.value or 0.0)) / 2, 0.05), 0.95)
    images = images_for_difference(middle, min(2 * margin, 0.9), power=POWER, p=level)
    independent = min(float(side.worth or side.n) / max(side.n, 1) for side in (each.one, each.other))
    return math.ceil(images / max(independent, 1e-9))

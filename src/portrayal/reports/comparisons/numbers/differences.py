"""All differences between rows of two sides, corrected for all of them, each with its verdict.

A share is compared as so many independent images as it is worth, which allows for prompts: both sides answer the same
prompts, so that only pictures vary. Where pictures of both sides belong together, they are compared pair by pair. A
score is compared by its interval (Zou and Donner 2008). There may be hundreds of thousands: numbers are columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from portrayal.metrics.divergence import OF_SHARES
from portrayal.records import Measurement, range_of_difference
from portrayal.reports.comparisons.difference import (
    LEAST_IMAGES,
    LEVEL,
    TELLING,
    Correction,
    Difference,
    DifferenceVerdict,
    size_to_show,
)
from portrayal.reports.comparisons.numbers.row_columns import RowColumns
from portrayal.reports.comparisons.numbers.score_difference import score_detectable, score_difference
from portrayal.reports.comparisons.numbers.unsettled import Missing, missing_effects
from portrayal.reports.comparisons.pairing import PairedShare, Pairing
from portrayal.stats.intervals import Array, t_value
from portrayal.stats.multiple import benjamini_hochberg, holm
from portrayal.stats.sequential.looks import confidence_at_looks
from portrayal.stats.two_sides.two_paired_shares import paired_bounds, paired_detectable, paired_p, pairs_for_difference
from portrayal.stats.two_sides.two_shares import (
    detectable_differences,
    difference_bounds,
    difference_p,
    images_for_difference,
)

__all__ = ["differences"]

POWER = 0.8
MADE_UP = 4
"""Images of each side that are made up, half of which show the group, to say how many more are needed."""
_OF_PAIRS = ("difference", "apart", "worth")
_VERDICTS = tuple(DifferenceVerdict)
_MORE, _LESS, _EQUIVALENT, _NONE_FOUND, _TOO_FEW = range(len(_VERDICTS))
Pair = tuple[Measurement, Measurement]


@dataclass
class _Found:
    """The numbers of all differences, a place each."""

    value: Array
    low: Array
    high: Array
    p: Array
    pairs: Sequence[PairedShare | None]


def differences(
    pairs: Sequence[Pair],
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
    inside the margin. ``pairing`` finds pictures that belong together. Where images were drawn in rounds, each look
    might have been the last: p-values count as often as there are looks, and intervals allow for them.
    """
    if not pairs:
        return []
    one, other = RowColumns.of(pairs)
    told = np.minimum(one.images, other.images) >= LEAST_IMAGES
    looks = max(row.looks for pair in pairs for row in pair)
    plain = _measured(pairs, one, other, told, pairing)
    found = _allowing(plain, one, other, looks) if looks > 1 else plain
    if looks > 1:  # as wide intervals as that may reach where two numbers cannot differ so much
        least, most = np.array([range_of_difference(row.metric) for row, _ in pairs]).T
        found.low, found.high = np.maximum(found.low, least), np.minimum(found.high, most)
    tests = np.where(told, found.p, np.nan)
    adjust = holm if correction == "holm" else benjamini_hochberg
    adjusted = np.minimum(adjust(tests) * (LEVEL / level), 1.0)
    detectable = _detectable(plain, one, other, level / looks / max(int((~np.isnan(tests)).sum()), 1))
    like_shares = one.share | np.array([row.metric in OF_SHARES for row, _ in pairs])
    verdict = _verdicts(found, adjusted, detectable, margin, shares=one.share, scale=like_shares)
    verdict[~told] = _TOO_FEW
    # With more images those with too few are tested as well: the correction is then for all.
    needed = {
        place: _needed(pairs[place], found.pairs[place], margin, level / looks / len(pairs))
        for place in np.flatnonzero((verdict == _TOO_FEW) & one.share).tolist()
    }
    ends = np.where(told, found.low, np.nan), np.where(told, found.high, np.nan)
    detectable[~told] = math.inf
    said = [_VERDICTS[code] for code in verdict.tolist()]
    effects = missing_effects(one, other, said, Missing(found.value, *ends, detectable, margin), within)
    numbers = (found.value, *ends, tests, np.where(told, adjusted, np.nan), detectable)
    images = [needed.get(place, 0) for place in range(len(pairs))]
    sides: Iterable[Any] = zip(*pairs, strict=True)
    columns = (each.tolist() for each in numbers)
    rows: Iterable[Any] = zip(*sides, *columns, images, said, *effects, found.pairs, strict=True)
    return [Difference(*row) for row in rows]


def _measured(
    pairs: Sequence[Pair], one: RowColumns, other: RowColumns, told: NDArray[np.bool_], pairing: Pairing | None
) -> _Found:
    columns = np.full((4, len(pairs)), np.nan)
    shares = one.share
    if shares.any():
        sides = one.value[shares], one.worth[shares], other.value[shares], other.worth[shares]
        p = difference_p(*sides)
        columns[:, shares] = sides[0] - sides[2], *difference_bounds(*sides, p=p), p
    for place in np.flatnonzero(~shares).tolist():
        columns[:, place] = score_difference(*pairs[place])
    partners: list[PairedShare | None] = [None] * len(pairs)
    if pairing is not None:
        for place in np.flatnonzero(shares & told).tolist():
            partners[place] = pairing(*pairs[place])
        _pair_by_pair(columns, partners)
    value, low, high, p = columns
    return _Found(value, low, high, p, partners)


def _pair_by_pair(columns: Array, partners: Sequence[PairedShare | None]) -> None:
    """Put in the differences of pairs where pictures of both sides belong together."""
    places = [place for place, paired in enumerate(partners) if paired is not None]
    if places:
        known = [paired for paired in partners if paired is not None]
        value, apart, n = (np.array([getattr(paired, name) for paired in known]) for name in _OF_PAIRS)
        columns[:, places] = value, *paired_bounds(value, apart, n), paired_p(value, apart, n)


def _allowing(found: _Found, one: RowColumns, other: RowColumns, looks: int) -> _Found:
    """Return what may be said where any of so many looks might have been the last one."""
    p, sure = np.minimum(found.p * looks, 1.0), confidence_at_looks(LEVEL, looks)
    wider = t_value(sure) / t_value(1 - LEVEL)
    low, high = found.value - wider * (found.value - found.low), found.value + wider * (found.high - found.value)
    shares = one.share & np.array([paired is None for paired in found.pairs])
    if shares.any():
        sides = one.value[shares], one.worth[shares], other.value[shares], other.worth[shares]
        low[shares], high[shares] = difference_bounds(*sides, confidence=sure, p=found.p[shares])
    for place, paired in enumerate(found.pairs):
        if paired is not None:
            bounds = paired_bounds([paired.difference], [paired.apart], [paired.worth], confidence=sure)
            low[place], high[place] = (float(bound[0]) for bound in bounds)
    return _Found(found.value, low, high, p, found.pairs)


def _detectable(found: _Found, one: RowColumns, other: RowColumns, level: float) -> Array:
    middle = (one.value + other.value) / 2
    sizes = detectable_differences(middle, one.worth, other.worth, power=POWER, p=level)
    for place, paired in enumerate(found.pairs):
        if paired is not None:
            sizes[place] = paired_detectable(paired.apart, paired.worth, power=POWER, p=level)
    scores = ~one.share
    sizes[scores] = score_detectable(found.low[scores], found.high[scores], power=POWER, p=level)
    return sizes


def _verdicts(
    found: _Found,
    adjusted: Array,
    detectable: Array,
    margin: float,
    *,
    shares: NDArray[np.bool_],
    scale: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Return verdicts; of what is on the ``scale`` of shares it is known which differences are large."""
    within = shares & (-margin <= found.low) & (found.high <= margin)
    enough = np.isfinite(detectable) & (~scale | (detectable <= TELLING))
    none = np.where(within, _EQUIVALENT, np.where(enough, _NONE_FOUND, _TOO_FEW))
    return np.where(adjusted <= LEVEL, np.where(found.value > 0, _MORE, _LESS), none)


def _needed(pair: Pair, paired: PairedShare | None, margin: float, level: float) -> int:
    """Return how many images of each side show a difference that matters."""
    one, other = pair
    size = size_to_show(margin)
    # A few images do not show how large the share is, nor how many pairs disagree: some more are made up.
    images = min(one.n, other.n)
    seen = min(max(((one.value or 0.0) + (other.value or 0.0)) / 2, 0.05), 0.95)
    middle = (images * seen + MADE_UP / 2) / (images + MADE_UP)
    if paired is not None:
        independent = min(paired.worth / paired.n, 1.0)
        alone = max(2 * middle * (1 - middle), paired.apart)
        apart = max((paired.worth * paired.apart + 2 * MADE_UP * alone) / (paired.worth + 2 * MADE_UP), size)
        return math.ceil(pairs_for_difference(apart, size, power=POWER, p=level) / max(independent, 1e-9))
    independent = min(float(side.worth or side.n) / max(side.n, 1) for side in pair)
    return math.ceil(images_for_difference(middle, size, power=POWER, p=level) / max(independent, 1e-9))

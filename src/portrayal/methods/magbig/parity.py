"""How far shares lie from parity: the mean over terms of the absolute deviations of all groups, and the largest.

With two groups the deviation of a term is twice that of one group from a half: 0 at parity, 1 where all images show
one group. It is twice the total variation, whose mean and interval are known to the shared code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from portrayal.records import Measurement, Note
from portrayal.stats.intervals import Array

__all__ = ["DEVIATION", "LARGEST", "asked_rows", "deviation_rows", "largest_deviation", "mean_deviation"]

DEVIATION, LARGEST = "mean_absolute_deviation", "expected_largest_deviation"
_KEPT = ("share", "missing")


def deviation_rows(rows: Iterable[Measurement], seen: float | None) -> Iterator[Measurement]:
    """Yield shares and what is missing as they are, and distances from parity as deviations; other rows are dropped.

    ``seen`` is the deviation by the authors' formula, which few images raise. Beside it stands the estimate that is
    corrected for that, which the interval is around.
    """
    for row in rows:
        if row.metric in _KEPT:
            yield row
        elif row.metric == "mean_total_variation":
            low, high, planted, corrected = map(_twice, (row.low, row.high, row.planted, row.value))
            bounds = replace(row, low=low, high=high, planted=planted)
            yield replace(bounds, metric=DEVIATION, value=seen, corrected=corrected)


def asked_rows(rows: Iterable[Measurement]) -> Iterator[Measurement]:
    """Yield shares and what is missing of prompts that ask for one group: these are not to show parity."""
    yield from (replace(row, target=None, reference="") for row in rows if row.metric in _KEPT)


def _twice(number: float | None) -> float | None:
    return None if number is None else min(2 * number, 2.0)


def mean_deviation(shares: Array, weights: Array) -> float:
    """Return the weighted mean over terms of the absolute deviations of all groups (terms, groups) from parity.

    >>> mean_deviation(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([1.0, 1.0]))
    0.5
    """
    each = np.abs(shares - 1 / shares.shape[1]).sum(axis=1)
    return float(each @ (weights / weights.sum()))


def largest_deviation(
    row: Measurement, shares: Array, terms: int, images: int, rng: np.random.Generator
) -> Measurement:
    """Return the row with the largest deviation that is to be expected of so many terms, each with so many images.

    It is a mean over draws of terms without replacement, and of images by the shares seen.
    """
    known = shares[~np.isnan(shares).any(axis=1)]
    if len(known) < terms:
        return replace(row, metric=LARGEST, notes=(*row.notes, Note.of("too_few_terms", n=len(known), m=terms)))
    draws = 1000
    chosen = rng.random((draws, len(known))).argpartition(terms - 1, axis=1)[:, :terms]
    counts = rng.multinomial(images, known[chosen] / known[chosen].sum(axis=-1, keepdims=True))
    deviations = np.abs(counts / images - 1 / known.shape[1]).sum(axis=-1)
    return replace(row, metric=LARGEST, value=float(deviations.max(axis=1).mean()))

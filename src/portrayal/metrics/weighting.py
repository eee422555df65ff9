"""Averages with weights: one that needs all its parts, one that does with those there are."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.metrics.divergence import Array

__all__ = ["weighted_mean", "weighted_total"]


def weighted_total(values: ArrayLike, weights: ArrayLike) -> Array:
    """Return the weighted average along the last axis; nan when any part is missing, so no total is made up.

    >>> round(float(weighted_total([0.9, 0.8, 0.5], [0.4, 0.4, 0.2])), 12)
    0.78
    >>> float(weighted_total([0.9, float("nan"), 0.5], [0.4, 0.4, 0.2]))
    nan
    """
    parts, shares = _weighted(values, weights)
    return np.asarray(parts @ (shares / shares.sum()) if len(shares) else np.full(parts.shape[:-1], np.nan))


def weighted_mean(values: ArrayLike, weights: ArrayLike) -> Array:
    """Return the weighted average along the last axis of the values that are not nan; nan when none is left.

    >>> float(weighted_mean([1.0, float("nan"), 4.0], [2, 5, 1]))
    2.0
    """
    parts, shares = _weighted(values, weights)
    known = ~np.isnan(parts)
    with np.errstate(invalid="ignore"):  # 0 / 0: nothing left
        return np.asarray(np.where(known, parts, 0.0) @ shares / (known @ shares))


def _weighted(values: ArrayLike, weights: ArrayLike) -> tuple[Array, Array]:
    parts, shares = np.atleast_1d(np.asarray(values, dtype=float)), np.asarray(weights, dtype=float)
    if shares.shape != parts.shape[-1:]:
        raise ValueError(f"{parts.shape[-1]} values need as many weights, got {shares.size}")
    wrong = shares[~(np.isfinite(shares) & (shares > 0))]
    if wrong.size:
        raise ValueError(f"weights must be numbers above 0, got {wrong[0]:g}")
    return parts, shares

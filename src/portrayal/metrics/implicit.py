"""The implicit bias score of Luo et al. (2024): how much the groups drawn look like the groups there are."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.metrics.divergence import Array, paired

__all__ = ["implicit_score"]

_SAFE = (1e-200, 1e200)
"""Sums of squares in between are exact to rounding; beyond, squares vanish or overflow."""


def implicit_score(generated: ArrayLike, reference: ArrayLike) -> Array:
    """Return (cosine + 1) / 2 of generated and demographic proportions along the last axis; 1 is no bias.

    Proportions are never negative, so the score lies between 0.5 (no group in common) and 1. Without any mass, or with
    a missing share, there is no direction to compare: the answer is nan.

    >>> round(float(implicit_score([0.9, 0.1], [0.5, 0.5])), 6)
    0.890434
    >>> implicit_score([[1.0, 0.0], [0.0, 0.0]], [0.0, 1.0]).tolist()
    [0.5, nan]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        (left, left_squares), (right, right_squares) = (_scaled(side) for side in paired(generated, reference))
        cosine = np.vecdot(left, right) / (np.sqrt(left_squares) * np.sqrt(right_squares))
    # Rounding can lift the cosine of equal directions a hair above 1.
    return np.asarray(np.clip((cosine + 1) / 2, 0.0, 1.0))


def _scaled(mass: Array) -> tuple[Array, Array]:
    """Return the rows and their sums of squares, rows far from 1 brought to a largest entry of 1, zeros to nan."""
    squares = np.asarray(np.vecdot(mass, mass))
    extreme = (squares < _SAFE[0]) | (squares > _SAFE[1])
    if not extreme.any():  # nearly always; finding the largest entries costs more than all the rest
        return mass, squares
    peaks = np.where(extreme, np.abs(mass).max(axis=-1), 1.0)
    rows = mass / np.where(peaks > 0, peaks, np.nan)[..., None]
    return rows, np.asarray(np.vecdot(rows, rows))

"""The bias scores of Luo et al. (2024): explicit, was the group drawn that the prompt asked for; implicit, how much the
groups drawn look like the groups there are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.metrics.divergence import Array, paired

__all__ = ["explicit_score", "implicit_score"]


def explicit_score(mass: ArrayLike, requested: ArrayLike, *, hard: bool = False) -> Array:
    """Return the mean mass that images put on the requested group; 1 is no bias.

    ``mass`` is (..., images, groups), ``requested`` the index of the group, or one index per image. ``hard``: the share
    of images whose largest mass lies there (the first of equal ones). An image whose masses are missing or all zero
    shows nobody and is left out; without images the answer is nan.

    >>> float(explicit_score([[0.9, 0.1], [0.3, 0.7]], 0))
    0.6
    >>> float(explicit_score([[0.9, 0.1], [0.3, 0.7]], 0, hard=True))
    0.5
    """
    images = np.asarray(mass, dtype=float)
    if images.ndim < 2:
        raise ValueError(f"masses must be (..., images, groups), got {images.ndim} axis")
    wanted = np.broadcast_to(_indices(requested, images.shape[-1]), images.shape[:-1])
    seen = images.sum(axis=-1) > 0  # False for nan
    if hard:
        hits = (images.argmax(axis=-1) == wanted).astype(float)
    else:
        hits = np.take_along_axis(images, wanted[..., None], axis=-1)[..., 0]
    with np.errstate(invalid="ignore"):  # 0 / 0: no images
        return np.asarray(np.where(seen, hits, 0.0).sum(axis=-1) / seen.sum(axis=-1))


def _indices(requested: ArrayLike, groups: int) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    wanted = np.asarray(requested)
    # No index at all is an empty list of images, which numpy takes for floats.
    if wanted.size and (wanted.dtype.kind not in "iu" or wanted.min() < 0 or wanted.max() >= groups):
        raise ValueError(f"requested must be an index from 0 to {groups - 1}, got {requested!r}")
    return wanted.astype(np.intp)


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

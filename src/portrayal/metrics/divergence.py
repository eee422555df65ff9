"""How far one distribution over groups lies from another.

Every function works on the last axis and broadcasts over the others. A distribution with a missing share has no
divergence: the answer is nan, never 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["OF_SHARES", "chi_square", "difference", "kl_divergence", "paired", "ratio", "total_variation"]

Array = NDArray[np.float64]
OF_SHARES = frozenset({"total_variation", "mean_total_variation", "mean_absolute_deviation"})
"""Distances on the scale of shares: 0.1 is 10 points."""
_ROUNDING = 1e-9
"""So far below 0 a share may come by rounding, as what is left of 1."""


def paired(p: ArrayLike, q: ArrayLike) -> tuple[Array, Array]:
    """Return both as float arrays, or refuse when they do not speak of the same number of groups.

    >>> paired([0.5, 0.5], [1.0])
    Traceback (most recent call last):
    ValueError: shares over 2 groups cannot be compared with shares over 1
    """
    left, right = np.atleast_1d(np.asarray(p, dtype=float)), np.atleast_1d(np.asarray(q, dtype=float))
    # Broadcasting would happily stretch a single group over all of them.
    if left.shape[-1] != right.shape[-1]:
        raise ValueError(f"shares over {left.shape[-1]} groups cannot be compared with shares over {right.shape[-1]}")
    return left, right


def _distributions(p: ArrayLike, q: ArrayLike) -> tuple[Array, Array]:
    """Return both as arrays of one shape, or refuse shares that no distribution has; missing ones are let through."""
    left, right = np.broadcast_arrays(*paired(p, q))
    for side in (left, right):
        if (side < -_ROUNDING).any():
            raise ValueError(f"a share cannot be negative, and one is {np.nanmin(side):g}")
    return left, right


def total_variation(p: ArrayLike, q: ArrayLike) -> Array:
    """Return half the summed absolute difference: the mass that would have to move to turn ``p`` into ``q``.

    >>> float(total_variation([0.9, 0.1], [0.5, 0.5]))
    0.4
    """
    left, right = _distributions(p, q)
    return np.asarray(np.abs(left - right).sum(axis=-1) / 2)


def kl_divergence(p: ArrayLike, q: ArrayLike) -> Array:
    """Return the Kullback-Leibler divergence of ``p`` from ``q`` in nats.

    A group that ``q`` rules out and ``p`` shows makes it infinite; a group that ``p`` never shows adds nothing.

    >>> round(float(kl_divergence([1.0, 0.0], [0.5, 0.5])), 6)
    0.693147
    >>> float(kl_divergence([0.5, 0.5], [1.0, 0.0]))
    inf
    """
    left, right = _distributions(p, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = left * np.log(left / right)
    terms = np.where((left == 0) & ~np.isnan(right), 0.0, terms)
    # Rounding can leave a sum of exactly cancelling terms a hair below zero; np.maximum keeps nan.
    return np.asarray(np.maximum(terms.sum(axis=-1), 0.0))


def chi_square(p: ArrayLike, q: ArrayLike, n: ArrayLike) -> Array:
    """Return Pearson's statistic ``n * sum((p - q)**2 / q)`` of ``n`` images with shares ``p`` against ``q``.

    A group that ``q`` rules out adds nothing when ``p`` lacks it too, and makes the statistic infinite otherwise.

    >>> float(chi_square([0.75, 0.25], [0.5, 0.5], 16))
    4.0
    """
    left, right = _distributions(p, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = (left - right) ** 2 / right
        terms = np.where((left == 0) & (right == 0), 0.0, terms)
        # No images is no data: 0 times anything would claim a perfect fit.
        images = np.where(np.asarray(n) > 0, np.asarray(n, dtype=float), np.nan)
        return np.asarray(images * terms.sum(axis=-1))


def difference(p: ArrayLike, q: ArrayLike) -> Array:
    """Return by how much each group's share in ``p`` exceeds its share in ``q``.

    >>> difference([0.75, 0.25], [0.5, 0.5]).tolist()
    [0.25, -0.25]
    """
    left, right = paired(p, q)
    return np.asarray(left - right)


def ratio(p: ArrayLike, q: ArrayLike) -> Array:
    """Return how many times its share in ``q`` each group has in ``p``.

    A group absent from ``q`` is infinitely over-represented, unless ``p`` lacks it too: then nothing can be said.

    >>> ratio([0.75, 0.25, 0.0], [0.5, 0.0, 0.0]).tolist()
    [1.5, inf, nan]
    """
    left, right = paired(p, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(left / right)

"""Were the labelled images drawn at random? Whoever chose them by what an annotator read has labels that mislead."""

from __future__ import annotations

import numpy as np

from portrayal.stats.intervals import Array

__all__ = ["drawn_at_random"]

_NEAR = 2.0
"""So few squared standard errors of a group are no cause for doubt."""


def drawn_at_random(labelled: Array, others: Array, rng: np.random.Generator, draws: int = 1999) -> float:
    """Return the p-value that the labelled images are read as any so many of their place would be; 1 if it is large.

    Both are counts (places, as whom they are read): a place is a prompt of a model. What any so many would show is
    drawn without putting back, which is exact for rare groups, too. Two deviations are looked at: of all places added
    up, since labels chosen a little by what is read show in many small places; and of each place by itself, since what
    was chosen in one place may cancel what was chosen in another.

    >>> rng = np.random.default_rng(0)
    >>> drawn_at_random(np.array([[5, 5], [6, 4]]), np.array([[45, 45], [44, 46]]), rng) > 0.05
    True
    >>> drawn_at_random(np.array([[0, 10], [1, 9]]), np.array([[50, 40], [49, 41]]), rng) < 0.01
    True
    >>> drawn_at_random(np.array([[0, 20], [20, 0]]), np.array([[50, 30], [30, 50]]), rng) < 0.01
    True
    """
    pool, taken = labelled + others, labelled.sum(axis=1)
    both = (taken > 0) & (taken < pool.sum(axis=1))
    pool, taken, seen = pool[both], taken[both], labelled[both]
    if not len(taken):
        return 1.0
    whole = pool.sum(axis=1, keepdims=True)
    parts, left = pool / whole, (whole[:, 0] - taken) / np.maximum(whole[:, 0] - 1, 1)
    expected, variance = taken[:, None] * parts, (taken * left)[:, None] * parts * (1 - parts)
    together, each = _squares((seen - expected).sum(axis=0), variance.sum(axis=0)), _squares(seen - expected, variance)
    if together.sum() <= _NEAR * (variance.sum(axis=0) > 0).sum() and each.sum() <= (variance > 0).sum():
        return 1.0
    sums, squares = np.zeros((draws, pool.shape[1])), np.zeros(draws)
    for place, (counts, images) in enumerate(zip(pool.astype(np.int64), taken.astype(np.int64), strict=True)):
        apart = rng.multivariate_hypergeometric(counts, images, size=draws) - expected[place]
        sums += apart
        squares += _squares(apart, variance[place]).sum(axis=1)
    further = _squares(sums, variance.sum(axis=0)).sum(axis=1) >= together.sum() - 1e-9
    beyond = squares >= each.sum() - 1e-9
    # Two chances to be far off count twice.
    return min(2 * (1 + int(min(further.sum(), beyond.sum()))) / (1 + draws), 1.0)


def _squares(apart: Array, variance: Array) -> Array:
    """Return squared standard errors; 0 where nothing can vary."""
    varies = np.broadcast_to(variance > 0, apart.shape)
    return np.divide(apart**2, variance, out=np.zeros(apart.shape), where=varies)

"""Are people of one group misread alike everywhere? A confusion matrix of all places takes that for granted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from portrayal.stats.intervals import Array

__all__ = ["misread_alike"]

Ints = NDArray[np.int64]


def misread_alike(counts: Array, rng: np.random.Generator, draws: int = 499) -> float:
    """Return the p-value that what is made of each group is the same at all places.

    ``counts`` (places, who they are, as whom they are read). Pearson's statistic of each group, added up, is compared
    with that of readings shuffled among the people of a group: exact, however few people a place has.

    >>> same = np.array([[[20, 5], [5, 20]]] * 4)
    >>> misread_alike(same, np.random.default_rng(0)) > 0.5
    True
    >>> misread_alike(np.array([[[25, 0], [0, 25]], [[5, 20], [20, 5]]]), np.random.default_rng(0)) < 0.01
    True
    """
    groups = [_people(counts[:, truth].astype(np.int64)) for truth in range(counts.shape[1])]
    size = (counts.shape[0], counts.shape[2])
    seen = sum(_statistic(places, read, size) for places, read in groups)
    shuffled = [sum(_statistic(places, rng.permutation(read), size) for places, read in groups) for _ in range(draws)]
    return (1 + sum(value >= seen - 1e-9 for value in shuffled)) / (1 + draws)


def _people(table: Ints) -> tuple[Ints, Ints]:
    """Return the place of each person and as whom they are read."""
    places, read = np.indices(table.shape)
    return np.repeat(places.ravel(), table.ravel()), np.repeat(read.ravel(), table.ravel())


def _statistic(places: Ints, read: Ints, size: tuple[int, int]) -> float:
    """Return Pearson's statistic of a table, give or take what is the same for all tables of these margins."""
    table = np.bincount(places * size[1] + read, minlength=size[0] * size[1]).reshape(size).astype(float)
    margins = np.outer(table.sum(axis=1), table.sum(axis=0))
    return len(read) * float(np.divide(table**2, margins, out=np.zeros(size), where=margins > 0).sum())

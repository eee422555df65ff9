"""How far those who judge the same things agree, beyond what chance would bring: Krippendorff's alpha, Cohen's kappa.

Everything is a function of sums over the things judged (units), so that millions of them can stream by, and so that
clusters of them can be resampled: keep the sums of each cluster, add them up with the weights drawn, and ask again.

    >>> labels = [[0, 1, 1, -1], [0, 1, 0, 0], [0, 1, 1, 0]]  # a row for each rater, a column for each unit
    >>> round(krippendorff_alpha(labels, missing=-1), 3)
    0.667

Undefined is nan: when no unit has two judgements, and when all judgements are the same, since then nothing tells
agreement from chance.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from portrayal.stats.intervals import Array

__all__ = [
    "FEW_UNITS",
    "Metric",
    "certain_alpha",
    "cohen_kappa",
    "coincidence_alpha",
    "coincidences",
    "count_labels",
    "krippendorff_alpha",
    "value_alpha",
    "value_sums",
]

Metric = Literal["nominal", "ordinal", "interval", "ratio"]
"""What makes two judgements differ: being different, their ranks, their distance, their distance against their size."""
Ints = NDArray[np.int64]


FEW_UNITS = 10
"""Of fewer units than this an alpha says little, whatever it is."""


def krippendorff_alpha(ratings: ArrayLike, metric: Metric = "nominal", *, missing: float | None = None) -> float:
    """Return alpha of ``ratings`` (raters, units); nan is missing, and so is the number that stands for it, if any.

    >>> round(krippendorff_alpha([[1.0, 2.5, 4.0], [1.5, 2.5, np.nan], [1.0, 3.0, 4.0]], "interval"), 3)
    0.957
    """
    given = np.asarray(ratings, dtype=float)
    given = given if missing is None else np.where(given == missing, np.nan, given)
    if metric == "interval":
        known = given[~np.isnan(given)]
        return float(value_alpha(value_sums(given, centre=float(known.mean()) if len(known) else 0.0)[0]))
    values, place = np.unique(given, return_inverse=True)
    # nan comes last among the values, once.
    groups = int(np.count_nonzero(~np.isnan(values)))
    labels = np.where(place.reshape(given.shape) < groups, place.reshape(given.shape), -1)
    return float(coincidence_alpha(coincidences(count_labels(labels, groups))[0], metric, values[:groups]))


def certain_alpha(units: int, confidence: float = 0.95) -> float:
    """Return the largest low bound that ``units`` without any disagreement allow.

    If a part of all units were judged as by chance, alpha would be what is left. That ``units`` of ``units`` are not
    is the case of Clopper and Pearson; a bootstrap of units that all agree would call alpha certain.

    >>> round(certain_alpha(2), 2), round(certain_alpha(100), 2)
    (0.16, 0.96)
    """
    return float(((1 - confidence) / 2) ** (1 / units)) if units else float("nan")


def count_labels(labels: ArrayLike, groups: int) -> Array:
    """Return how many raters put each unit into each group (units, groups).

    ``labels`` is (raters, units); below 0 it is none.

    >>> count_labels([[0, 1], [0, -1]], 2).tolist()
    [[2.0, 0.0], [0.0, 1.0]]
    """
    chosen = np.asarray(labels)
    counts = np.zeros((chosen.shape[1], groups))
    for row in chosen:  # a unit occurs once in each row, so plain indexing adds all there is
        said = np.flatnonzero(row >= 0)
        counts[said, row[said]] += 1
    return counts


def coincidences(counts: Array, cluster: Ints | None = None, clusters: int = 1) -> Array:
    """Return the coincidence matrices (clusters, groups, groups) of units with ``counts`` of labels (units, groups).

    A unit with m labels gives m (m - 1) ordered pairs, each worth 1 / (m - 1); fewer than two labels give none. The
    matrices of clusters add up to that of all units.

    >>> coincidences(np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))[0].tolist()
    [[2.0, 1.0], [1.0, 0.0]]
    """
    labels = counts.sum(axis=1)
    pairable = labels >= 2
    paired, where = counts[pairable], None if cluster is None else cluster[pairable]
    share = paired / (labels[pairable, None] - 1)
    groups = counts.shape[1]
    matrix = np.zeros((clusters, groups, groups))
    for first in range(groups):
        for second in range(first, groups):
            pairs = share[:, first] * (paired[:, second] - (first == second))
            matrix[:, first, second] = matrix[:, second, first] = (
                pairs.sum() if where is None else np.bincount(where, pairs, clusters)
            )
    return matrix


def coincidence_alpha(matrix: Array, metric: Metric = "nominal", values: ArrayLike | None = None) -> Array:
    """Return alpha of coincidence matrices (..., groups, groups).

    ``values`` are the numbers that the groups stand for, in order; ranks and numbers need them in ascending order.

    >>> float(coincidence_alpha(np.array([[4.0, 0.0], [0.0, 6.0]])))
    1.0
    """
    marginals = matrix.sum(axis=-1)
    total = marginals.sum(axis=-1)
    apart = _distances(metric, marginals, np.arange(matrix.shape[-1]) if values is None else values)
    observed = (matrix * apart).sum(axis=(-2, -1))
    expected = (marginals[..., :, None] * marginals[..., None, :] * apart).sum(axis=(-2, -1))
    return _alpha(observed, expected, total)


def value_sums(values: ArrayLike, cluster: Ints | None = None, clusters: int = 1, *, centre: float = 0.0) -> Array:
    """Return what alpha of numbers needs (clusters, 4): how many, their sum, sum of squares, and disagreement.

    ``values`` is (raters, units) with nan where missing. Only units with two numbers or more count. This is the
    coincidence matrix under the interval metric without the matrix, which would have a row for each number. Sums are
    of distances from ``centre``, which alpha does not depend on; far from the numbers it costs their last digits.

    >>> value_sums([[1.0, 2.0], [3.0, np.nan]]).tolist()
    [[2.0, 4.0, 10.0, 8.0]]
    """
    given = np.asarray(values, dtype=float) - centre
    count = (~np.isnan(given)).sum(axis=0).astype(float)
    pairable = count >= 2
    given, count = given[:, pairable], count[pairable]
    total, squares = np.nansum(given, axis=0), np.nansum(given**2, axis=0)
    # Around the unit's own mean: m * squares - total**2 would lose the digits that matter.
    spread = np.nansum((given - total / count) ** 2, axis=0)
    columns = [count, total, squares, 2 * count * spread / (count - 1)]
    where = np.zeros(len(count), dtype=np.int64) if cluster is None else cluster[pairable]
    return np.column_stack([np.bincount(where, column, clusters) for column in columns])


def value_alpha(sums: Array) -> Array:
    """Return alpha (interval) of sums (..., 4) as :func:`value_sums` gives them.

    >>> round(float(value_alpha(value_sums([[1.0, 2.0, 3.0], [1.0, 2.0, 4.0]])[0])), 4)
    0.878
    """
    count, total, squares, observed = np.moveaxis(np.asarray(sums, dtype=float), -1, 0)
    expected = 2 * (count * squares - total**2)
    # Numbers that are all the same leave a rounding error here, and not 0.
    expected = np.where(expected > 1e-12 * count * squares, expected, 0.0)
    return _alpha(observed, expected, count)


def cohen_kappa(confusion: Array) -> Array:
    """Return Cohen's kappa of confusion matrices (..., groups, groups) of two raters.

    >>> round(float(cohen_kappa(np.array([[20.0, 5.0], [10.0, 15.0]]))), 3)
    0.4
    """
    total = confusion.sum(axis=(-2, -1))
    same = np.trace(confusion, axis1=-2, axis2=-1)
    chance = (confusion.sum(axis=-1) * confusion.sum(axis=-2)).sum(axis=-1)
    possible = total**2 - chance
    defined = possible > 1e-12 * total**2
    return np.asarray(np.divide(total * same - chance, possible, out=np.full(total.shape, np.nan), where=defined))


def _alpha(observed: Array, expected: Array, total: Array) -> Array:
    """Return 1 - observed / expected: sums over pairs within units, and ``total - 1`` times as many over all pairs."""
    ratio = np.divide((total - 1) * observed, expected, out=np.full(np.shape(total), np.nan), where=expected > 0)
    return np.asarray(1 - ratio)


def _distances(metric: Metric, marginals: Array, values: ArrayLike) -> Array:
    """Return squared distances between groups; by rank they depend on how often each group was chosen."""
    if metric == "nominal":
        return np.asarray(1 - np.eye(marginals.shape[-1]))
    scale = np.asarray(values, dtype=float)
    if metric == "ordinal":
        scale = np.cumsum(marginals, axis=-1) - marginals / 2
    apart = scale[..., :, None] - scale[..., None, :]
    if metric == "ratio":
        size = scale[:, None] + scale[None, :]
        apart = np.divide(apart, size, out=np.zeros(apart.shape), where=size != 0)
    return np.asarray(apart**2)

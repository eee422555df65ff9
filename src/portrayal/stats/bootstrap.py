"""Resampling: what the numbers would have been had other prompts, or other images, been drawn."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.intervals import Array, Interval, t_value

__all__ = [
    "bootstrap_means",
    "expanded_percentile",
    "multinomial_shares",
    "plausible_truths",
    "recentred_interval",
    "resampled_counts",
    "shrinking_path",
]

CHUNK = 4_000_000
"""Numbers held at a time: 32 MB, so that a hundred thousand clusters need no more memory than a hundred."""


def bootstrap_means(
    values: ArrayLike, *, weights: ArrayLike | None = None, draws: int, rng: np.random.Generator
) -> Array:
    """Return ``draws`` weighted means of each column of ``values`` (clusters, columns), resampling whole clusters.

    Clusters with missing values are for the caller to leave out. No clusters give nan.

    >>> bootstrap_means([[1.0, 0.0], [1.0, 0.0]], draws=3, rng=np.random.default_rng(0)).tolist()
    [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    """
    rows = np.asarray(values, dtype=float)
    clusters, columns = rows.shape
    if clusters == 0:
        return np.full((draws, columns), np.nan)
    mass = np.ones(clusters) if weights is None else np.asarray(weights, dtype=float)
    totals = np.column_stack([rows * mass[:, None], mass])
    step = max(1, CHUNK // clusters)
    sums = [resampled_counts(len(totals), min(step, draws - start), rng) @ totals for start in range(0, draws, step)]
    drawn = np.concatenate(sums)
    return np.asarray(drawn[:, :-1] / drawn[:, -1:])


def resampled_counts(clusters: int, draws: int, rng: np.random.Generator) -> Array:
    """Return how often each cluster comes in each of ``draws`` resamples of as many clusters (draws, clusters).

    >>> resampled_counts(3, 2, np.random.default_rng(0)).sum(axis=1).tolist()
    [3.0, 3.0]
    """
    # Counting uniform picks gives the same multinomial counts as rng.multinomial, many times faster for many clusters.
    picks = rng.integers(clusters, size=(draws, clusters))
    picks += np.arange(draws)[:, None] * clusters
    return np.bincount(picks.ravel(), minlength=draws * clusters).reshape(draws, clusters).astype(float)


def multinomial_shares(share: ArrayLike, n: ArrayLike, draws: int, rng: np.random.Generator) -> Array:
    """Return ``draws`` shares (draws, groups) that ``n`` images would show if ``share`` were the truth.

    ``n`` may differ from draw to draw; it is rounded to whole images.

    >>> multinomial_shares([1.0, 0.0], 16, 2, np.random.default_rng(0)).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    """
    truth = np.asarray(share, dtype=float)
    images = np.broadcast_to(np.rint(np.asarray(n, dtype=float)), draws).astype(np.int64)
    if images.min(initial=1) <= 0 or np.isnan(truth).any():
        return np.full((draws, truth.shape[-1]), np.nan)
    # Shares averaged from float32 masses can sum to a little over 1, which multinomial refuses.
    return np.asarray(rng.multinomial(images, truth / truth.sum()) / images[:, None])


def expanded_percentile(draws: ArrayLike, clusters: int, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the expanded percentile interval of Hesterberg (2015) along the first axis of ``draws``.

    A plain percentile interval is too narrow for few clusters: it misses the factor sqrt(k / (k - 1)) and uses a
    normal where Student's t with k - 1 degrees of freedom belongs. Both go into the level of the percentiles. It
    cannot reach beyond the clusters seen, so below about six clusters it still covers too rarely. One cluster gives
    nan: nothing is known about how clusters differ.

    >>> low, high = expanded_percentile([[0.0], [0.5], [1.0]], clusters=3)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0], [1.0])
    """
    from scipy.special import ndtr  # scipy takes a moment to load

    drawn = np.asarray(draws, dtype=float)
    if clusters < 2:
        return np.full(drawn.shape[1:], np.nan), np.full(drawn.shape[1:], np.nan)
    reach = math.sqrt(clusters / (clusters - 1)) * t_value(confidence, clusters - 1)
    tail = float(ndtr(-reach))
    # Outward to a drawn value: averaging two draws fails when one is infinite.
    low = np.quantile(drawn, tail, axis=0, method="lower")
    return np.asarray(low), np.asarray(np.quantile(drawn, 1 - tail, axis=0, method="higher"))


def recentred_interval(value: float, draws: ArrayLike, clusters: int) -> Interval:
    """Return the interval of a statistic that resampling as such shifts: the spread of its draws about ``value``.

    A resample has some clusters twice and others not at all, so that whatever counts different things comes out lower
    or higher than in as many clusters that are all different. That shift says nothing about other clusters and is
    taken off. Draws that are no number leave no interval.

    >>> recentred_interval(5.0, [1.0, 2.0, 3.0], clusters=100)
    Interval(low=4.0, high=6.0)
    """
    drawn = np.asarray(draws, dtype=float)
    if math.isnan(value) or not len(drawn) or not np.isfinite(drawn).all():
        return Interval(math.nan, math.nan)
    low, high = expanded_percentile(drawn, clusters)
    shift = value - float(np.median(drawn))
    return Interval(min(float(low) + shift, value), max(float(high) + shift, value))


def shrinking_path(share: Array, target: Array, n: float) -> Callable[[float], Array]:
    """Return the way from ``target`` (at 0) to ``share`` (at 1), on which differences shrink by equal standard errors.

    Groups that differ by chance lose their difference first. Shrinking all in proportion would take chance for
    truth, and the low bound of a total variation over many groups would come out too high.

    >>> shrinking_path(np.array([0.75, 0.25]), np.array([0.5, 0.5]), 16)(0.5).tolist()
    [0.625, 0.375]
    """
    gap, middle = share - target, (share + target) / 2
    error = np.sqrt(middle * (1 - middle) / n)
    most = float(np.max(np.abs(gap) / np.where(error > 0, error, 1.0)))

    def at(way: float) -> Array:
        left = np.sign(gap) * np.maximum(np.abs(gap) - (1 - way) * most * error, 0)
        more, less = left.clip(min=0), -left.clip(max=0)
        kept = min(more.sum(), less.sum())
        if kept <= 0:
            return target
        # What some groups gain the others lose, and rounding takes nothing below 0: else it would be no distribution.
        return np.asarray(target + more * kept / more.sum() - less * kept / less.sum()).clip(min=0)

    return at


def plausible_truths(share: ArrayLike, n: ArrayLike, draws: int, rng: np.random.Generator) -> Array:
    """Return truths (groups, draws, groups) that could have shown ``share`` in ``n`` images, which may differ by draw.

    This is the imprecise Dirichlet model of Walley (1996): the first axis holds one answer for each group that prior
    knowledge worth a single image might favour. With two groups its extremes are the bounds of Clopper and Pearson.

    >>> plausible_truths([1.0, 0.0], 16, 5, np.random.default_rng(0)).shape
    (2, 5, 2)
    """
    shares = np.asarray(share, dtype=float)
    images = np.broadcast_to(np.asarray(n, dtype=float), draws)
    mass = rng.standard_gamma(images[:, None] * shares)
    extra = rng.standard_exponential(size=(draws, 1)) * np.eye(len(shares))[:, None, :]
    return np.asarray((mass + extra) / (mass + extra).sum(axis=-1, keepdims=True))

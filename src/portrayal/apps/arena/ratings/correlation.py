"""Do automatic scores rank models as people do? Spearman's and Kendall's correlation with human ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from portrayal.stats.bootstrap import expanded_percentile
from portrayal.stats.intervals import Array

__all__ = ["FEW_MODELS", "Correlation", "HumanRatings", "correlate"]

FEW_MODELS = 10
"""With fewer models than this a correlation carries a note."""
_EXACT = 8
"""Up to so many models all orders are gone through for Spearman's p-value."""


@dataclass(frozen=True, slots=True)
class HumanRatings:
    """Human ratings of models, and what they were in each draw (draws, models) of ``clusters`` raters."""

    models: Sequence[str]
    rating: Array
    drawn: Array
    clusters: int


@dataclass(frozen=True, slots=True)
class Correlation:
    """Rank correlations of ratings with one score. Intervals hold for these models: only raters are drawn anew."""

    score: str
    models: int
    spearman: float | None = None
    spearman_p: float | None = None
    spearman_low: float | None = None
    spearman_high: float | None = None
    kendall: float | None = None
    kendall_p: float | None = None
    kendall_low: float | None = None
    kendall_high: float | None = None
    note: str = ""


def correlate(rated: HumanRatings, scores: Mapping[str, Mapping[str, float]]) -> list[Correlation]:
    """Return the correlation of ``rated`` with each of ``scores``: score to model to value."""
    return [_one(rated, name, values) for name, values in scores.items()]


def _one(rated: HumanRatings, name: str, values: Mapping[str, float]) -> Correlation:
    shared = [place for place, model in enumerate(rated.models) if model in values]
    # Only their order counts, and differences of huge scores would overflow.
    score = np.unique([values[rated.models[place]] for place in shared], return_inverse=True)[1].astype(float)
    count = len(shared)
    if count < 3:
        return Correlation(name, count, note="fewer than three models have both a rating and this score")
    rating, drawn = rated.rating[shared], rated.drawn[:, shared]
    if np.ptp(score) == 0 or np.ptp(rating) == 0:
        return Correlation(
            name, count, note="all models have the same " + ("score" if np.ptp(score) == 0 else "rating")
        )
    from scipy.stats import kendalltau

    kendall = kendalltau(rating, score)
    drawn_both = np.column_stack([_spearman(drawn, score), _kendall(drawn, score)])
    low, high = expanded_percentile(drawn_both, max(rated.clusters, 2))
    rho, p = _spearman_test(rating, score)
    tau = float(kendall.statistic)
    return Correlation(
        name,
        count,
        spearman=rho,
        spearman_p=p,
        spearman_low=min(float(low[0]), rho),
        spearman_high=max(float(high[0]), rho),
        kendall=tau,
        kendall_p=float(kendall.pvalue),
        kendall_low=min(float(low[1]), tau),
        kendall_high=max(float(high[1]), tau),
        note="few models: only a correlation close to 1 or -1 is clearly not zero" if count < FEW_MODELS else "",
    )


def _centred_ranks(values: Array) -> Array:
    from scipy.stats import rankdata

    # Ratings that differ by rounding alone are the same.
    ranks = rankdata(np.round(values, 9), axis=-1)
    return np.asarray(ranks - ranks.mean(axis=-1, keepdims=True))


def _spearman(drawn: Array, score: Array) -> Array:
    ours, theirs = _centred_ranks(drawn), _centred_ranks(score)
    size = np.sqrt((ours**2).sum(axis=-1) * (theirs**2).sum())
    return np.asarray(np.divide(ours @ theirs, size, out=np.zeros(len(ours)), where=size > 0))


def _kendall(drawn: Array, score: Array) -> Array:
    """Return tau-b of each draw."""
    upper = np.triu_indices(len(score), 1)
    theirs = np.sign(score[upper[0]] - score[upper[1]])
    gap = drawn[:, upper[0]] - drawn[:, upper[1]]
    ours = np.where(np.abs(gap) > 1e-9, np.sign(gap), 0)
    size = np.sqrt((ours**2).sum(axis=1) * (theirs**2).sum())
    return np.asarray(np.divide(ours @ theirs, size, out=np.zeros(len(ours)), where=size > 0))


def _spearman_test(rating: Array, score: Array) -> tuple[float, float]:
    from scipy.stats import spearmanr

    rho = float(_spearman(rating[None], score)[0])
    if len(score) > _EXACT:
        return rho, float(spearmanr(rating, score).pvalue)
    orders: NDArray[np.int64] = np.array(list(permutations(range(len(score)))))
    all_orders = _centred_ranks(rating)[orders] @ _centred_ranks(score)
    this_order = _centred_ranks(rating) @ _centred_ranks(score)
    return rho, float(np.mean(np.abs(all_orders) >= abs(this_order) - 1e-9))

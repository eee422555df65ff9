"""Ranks, how far they may be off, and whether neighbours in the ranking can be told apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr

from portrayal.stats.intervals import Array

__all__ = ["Neighbour", "holm", "neighbours", "order_p_value", "rank_bounds", "ranks"]

Ints = NDArray[np.int64]
_EQUAL = 1e-9
_TAIL = 10
"""With fewer draws than this on the other side, their share is too rough and the spread of the draws is used."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Two models next to each other in the ranking. ``holds``: share of draws in which the order is the same."""

    higher: str
    lower: str
    difference: float
    holds: float
    p: float
    p_adjusted: float


def ranks(rating: Array, component: Ints) -> Ints:
    """Return each model's rank among those of its component; equal ratings share the better rank.

    >>> ranks(np.array([900.0, 1100.0, 1000.0]), np.zeros(3, dtype=np.int64)).tolist()
    [3, 1, 2]
    """
    same = component[:, None] == component[None, :]
    return np.asarray(1 + (same & (rating[None, :] > rating[:, None] + _EQUAL)).sum(axis=1), dtype=np.int64)


def rank_bounds(low: Array, high: Array, rank: Ints, component: Ints) -> tuple[Ints, Ints]:
    """Return the best and the worst rank: only models whose whole interval lies above, or below, are surely apart.

    >>> low, high = np.array([1050.0, 990.0, 900.0]), np.array([1100.0, 1060.0, 950.0])
    >>> best, worst = rank_bounds(low, high, np.array([1, 2, 3]), np.zeros(3, dtype=np.int64))
    >>> best.tolist(), worst.tolist()
    ([1, 1, 3], [2, 2, 3])
    """
    same = component[:, None] == component[None, :]
    ahead = (same & (low[None, :] > high[:, None])).sum(axis=1)
    behind = (same & (high[None, :] < low[:, None])).sum(axis=1)
    return np.minimum(rank, 1 + ahead), np.maximum(rank, same.sum(axis=1) - behind)


def order_p_value(difference: float, drawn: Array, clusters: int, *, one_sided: bool = False) -> float:
    """Return the two-sided p-value of a difference from its ``drawn`` ones: the expanded percentile interval, inverted.

    The share of draws across 0 becomes a normal deviate, which is shrunk and looked up in Student's distribution as
    few raters require. Where almost no draw crosses 0, the spread of the draws decides; not with ``one_sided``
    outcomes, whose draws are too skewed for that.
    """
    if clusters < 2:
        return 1.0
    across = float(np.count_nonzero(drawn * np.sign(difference) <= 0)) if difference else len(drawn) / 2
    shrink, freedom = math.sqrt((clusters - 1) / clusters), clusters - 1
    share = min((across + 1) / (len(drawn) + 1), 0.5)
    p = 2 * float(stdtr(freedom, float(ndtri(share)) * shrink))
    spread = float(np.std(drawn))
    if across < _TAIL and spread > 0 and not one_sided:
        p = min(p, 2 * float(stdtr(freedom, -abs(difference) / spread * shrink)))
    return p


def holm(p: Sequence[float]) -> list[float]:
    """Return p-values adjusted for how many there are, by Holm (1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p)
    steps = np.asarray(p, dtype=float)[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return [float(value) for value in adjusted]


def neighbours(
    models: Sequence[str], rating: Array, drawn: Array, *, clusters: Ints, component: Ints, separated: NDArray[np.bool_]
) -> list[Neighbour]:
    """Return each pair of models next to each other within a component, best first; p-values are adjusted over all."""
    order = np.lexsort((-rating, component))
    pairs = [(one, two) for one, two in pairwise(order) if component[one] == component[two]]
    apart = [(float(rating[one] - rating[two]), drawn[:, one] - drawn[:, two]) for one, two in pairs]
    p = [
        order_p_value(gap, draws, int(clusters[one]), one_sided=bool(separated[one]))
        for (one, _), (gap, draws) in zip(pairs, apart, strict=True)
    ]
    return [
        Neighbour(
            models[one],
            models[two],
            difference=gap,
            holds=float((draws > 0).mean() + (draws == 0).mean() / 2),
            p=single,
            p_adjusted=adjusted,
        )
        for (one, two), (gap, draws), single, adjusted in zip(pairs, apart, p, holm(p), strict=True)
    ]

"""Whom edits change: flips and shifts by the group of the seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from portrayal.methods.biaspainter.scores.changes import Changes
from portrayal.stats.bootstrap import bootstrap_means, expanded_percentile
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array, wilson

__all__ = ["GroupMean", "group_mean", "seed_means"]


@dataclass(frozen=True)
class GroupMean:
    """The mean over the seeds of a group, each counted alike, with bounds; nan bounds: one seed tells no spread."""

    value: float
    low: float
    high: float
    seeds: int
    n: int


def seed_means(changes: Changes, *, size: bool = False) -> tuple[Array, Ints]:
    """Return the mean of each seed over all words and how many edits it rests on; ``size`` counts flips either way."""
    count = changes.count.sum(axis=0)
    total = (np.abs(changes.total) if size else changes.total).sum(axis=0)
    mean = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return mean, count.astype(np.int64)


def group_mean(
    means: Array, counts: Ints, seeds: Ints, *, rng: np.random.Generator, draws: int = 1000, share: bool = False
) -> GroupMean | None:
    """Return the mean over some seeds by a bootstrap over them; a ``share`` is at least as uncertain as Wilson's.

    >>> none, edits = np.array([0.0, 0.0]), np.array([9, 9])
    >>> found = group_mean(none, edits, np.arange(2), rng=np.random.default_rng(0), share=True)
    >>> found.value, round(found.high, 2)
    (0.0, 0.66)
    """
    own = means[seeds]
    told = ~np.isnan(own)
    if not told.any():
        return None
    own, n = own[told], int(counts[seeds][told].sum())
    value, low, high = float(own.mean()), np.nan, np.nan
    if len(own) > 1:
        lower, upper = expanded_percentile(bootstrap_means(own[:, None], draws=draws, rng=rng), len(own))
        low, high = min(value, float(lower[0])), max(value, float(upper[0]))
        if share:
            least, most = wilson(np.clip(value, 0, 1), len(own))
            low, high = min(low, float(least)), max(high, float(most))
    return GroupMean(value, low, high, len(own), n)

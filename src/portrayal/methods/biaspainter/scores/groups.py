"""Whom edits change: flips and shifts by the group of the seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from portrayal.methods.biaspainter.scores.changes import Changes
from portrayal.methods.biaspainter.scores.mean_bounds import FEWEST, mean_bounds
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array, wilson

__all__ = ["SHARE", "GroupMean", "group_mean", "seed_means"]

SHARE = (0.0, 1.0)


@dataclass(frozen=True)
class GroupMean:
    """The mean over the seeds of a group, each counted alike, with bounds; nan bounds: too few seeds."""

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
    means: Array, counts: Ints, seeds: Ints, *, within: tuple[float, float] | None = None, most: float | None = None
) -> GroupMean | None:
    """Return the mean over some seeds with the bounds of :func:`mean_bounds`; there are none from fewer than three.

    ``within`` is the least and the most that a mean can be. Of a share, from 0 to 1, the interval is at least as wide
    as Wilson's: nobody of three is not never. ``most`` is the largest change there is; else it is taken from the means.

    >>> none, edits = np.zeros(3), np.array([9, 9, 9])
    >>> found = group_mean(none, edits, np.arange(3), within=SHARE)
    >>> found.value, round(found.high, 2)
    (0.0, 0.56)
    """
    chosen = means[seeds]
    told = ~np.isnan(chosen)
    if not told.any():
        return None
    chosen, n = chosen[told], int(counts[seeds][told].sum())
    value, low, high = float(chosen.mean()), np.nan, np.nan
    if len(chosen) >= FEWEST:
        widest = float(np.nanmax(np.abs(means))) if most is None else most
        seen = np.array([len(chosen)])
        bounds = mean_bounds(np.array([value]), (chosen - value)[None], seen, 0.0 if within == SHARE else widest)
        low, high = (float(bound[0]) for bound in bounds)
        if within == SHARE:
            lower, upper = wilson(np.clip(value, 0, 1), len(chosen))
            low, high = min(low, float(lower)), max(high, float(upper))
        if within:
            low, high = max(low, within[0]), min(high, within[1])
    return GroupMean(value, low, high, len(chosen), n)

"""Other seeds: what the scores would have been had other faces of the same genders been edited."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from portrayal.methods.biaspainter.scores.changes import Changes
from portrayal.stats.bootstrap import expanded_percentile
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["bounds", "drawn_scores", "means", "resampled_seeds"]


def resampled_seeds(genders: Array, draws: int, rng: np.random.Generator) -> Array:
    """Return how often each seed is drawn (draws, seeds); as many men and as many women as there are."""
    counts = np.zeros((draws, len(genders)))
    groups = np.where(np.isnan(genders), -1.0, genders)
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        counts[:, own] = rng.multinomial(len(own), np.full(len(own), 1 / len(own)), size=draws)
    return counts


def means(changes: Changes, strata: Sequence[Ints]) -> Array:
    """Return the score of each word: the mean over each group of seeds, added up; nan where a group has no data."""
    found = np.zeros(len(changes.total))
    for group in strata:
        count = changes.count[:, group].sum(axis=1)
        found += np.divide(changes.total[:, group].sum(axis=1), count, out=np.full(len(count), np.nan), where=count > 0)
    return found


def drawn_scores(changes: Changes, strata: Sequence[Ints], seeds: Array) -> Array:
    """Return the scores (draws, words) on resampled seeds; nan where a draw has no data.

    Resampling among the men and among the women takes off more spread than the number of all seeds accounts for, so
    where they count together it is put back.
    """
    found = np.zeros((len(seeds), len(changes.total)))
    for group in strata:
        total, count = (seeds[:, group] @ own[:, group].T for own in (changes.total, changes.count))
        found += np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    n, each = seeds.shape[1], max(2, seeds.shape[1] // 2)
    if len(strata) > 1 or n < 3:
        return found
    value = means(changes, strata)
    return np.asarray(value + (found - value) * np.sqrt(each * (n - 1) / ((each - 1) * n)))


def bounds(drawn: Array, clusters: Ints, value: Array) -> tuple[Array, Array]:
    """Return expanded percentile bounds (Hesterberg 2015) of each word, ``clusters`` being its number of seeds."""
    low, high = np.full(len(value), np.nan), np.full(len(value), np.nan)
    whole = np.asarray(~np.isnan(drawn).any(axis=0))
    for size in np.unique(clusters[clusters > 1]).tolist():
        rows = np.flatnonzero((clusters == size) & ~np.isnan(value))
        apart: list[Ints] = [rows[place : place + 1] for place in np.flatnonzero(~whole[rows]).tolist()]
        for some in [rows[whole[rows]], *apart]:
            if len(some):
                own = drawn[:, some]
                lower, upper = expanded_percentile(own[~np.isnan(own).any(axis=1)], size)
                low[some], high[some] = lower, upper
    return np.minimum(low, value), np.maximum(high, value)

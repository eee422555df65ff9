"""Other seeds: what the scores would have been had other faces of the same genders been edited."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from portrayal.methods.biaspainter.scores.changes import Changes
from portrayal.methods.biaspainter.scores.mean_bounds import mean_bounds
from portrayal.stats.bootstrap import expanded_percentile
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.two_sides.paired import matched_bounds

__all__ = ["bounds", "drawn_scores", "gap_bounds", "largest", "means", "resampled_seeds"]


def resampled_seeds(genders: Array, draws: int, rng: np.random.Generator) -> Array:
    """Return how often each seed is drawn (draws, seeds); as many men and as many women as there are."""
    counts = np.zeros((draws, len(genders)))
    groups = np.where(np.isnan(genders), -1.0, genders)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        counts[:, members] = rng.multinomial(len(members), np.full(len(members), 1 / len(members)), size=draws)
    return counts


def means(changes: Changes, strata: Sequence[Ints]) -> Array:
    """Return the score of each word: the mean over each group of seeds, added up; nan where a group has no data."""
    scores = np.zeros(len(changes.total))
    for group in strata:
        count = changes.count[:, group].sum(axis=1)
        scores += np.divide(
            changes.total[:, group].sum(axis=1), count, out=np.full(len(count), np.nan), where=count > 0
        )
    return scores


def drawn_scores(changes: Changes, strata: Sequence[Ints], seeds: Array) -> Array:
    """Return the scores (draws, words) on resampled seeds; nan where a draw has no data.

    Resampling among the men and among the women takes off more spread than the number of all seeds accounts for, so
    where they count together it is put back.
    """
    scores = np.zeros((len(seeds), len(changes.total)))
    for group in strata:
        total, count = (seeds[:, group] @ table[:, group].T for table in (changes.total, changes.count))
        scores += np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    n, each = seeds.shape[1], max(2, seeds.shape[1] // 2)
    if len(strata) > 1 or n < 3:
        return scores
    value = means(changes, strata)
    return np.asarray(value + (scores - value) * np.sqrt(each * (n - 1) / ((each - 1) * n)))


def bounds(changes: Changes, strata: Sequence[Ints], drawn: Array, most: float = 1.0) -> tuple[Array, Array]:
    """Return the bounds of each word: of flips from ``drawn``, its scores on resampled seeds, else :func:`mean_bounds`.

    ``most`` is the largest change that the study shows. Of age and tone there are no bounds from fewer than three
    seeds: one man and one woman, each drawn again from one, do not vary.
    """
    value = means(changes, strata)
    clusters = np.min([(changes.count[:, group] > 0).sum(axis=1) for group in strata], axis=0)
    if len(strata) > 1:
        return _percentiles(drawn, clusters, value)
    edits = changes.count.sum(axis=1) / np.maximum(clusters, 1)  # of a seed on average
    apart = changes.total - np.nan_to_num(value)[:, None] * changes.count
    return mean_bounds(value, apart / np.where(edits > 0, edits, np.nan)[:, None], clusters, most)


def largest(changes: Changes) -> float:
    """Return the largest mean change of any seed by any word, a clear change at least."""
    return float(np.max(np.abs(np.nan_to_num(changes.mean)), initial=1.0))


def gap_bounds(gaps: Changes, strata: Sequence[Ints], drawn: Array, most: float = 1.0) -> tuple[Array, Array]:
    """Return bounds of differences between edits of one seed, those of flips at least as wide as Agresti and Min's."""
    low, high = bounds(gaps, strata, drawn, most)
    if len(strata) > 1:
        value, sides = means(gaps, strata), [_matched(gaps, group) for group in strata]
        below = np.sqrt(sum((mean - own_low) ** 2 for mean, own_low, _ in sides))
        above = np.sqrt(sum((own_high - mean) ** 2 for mean, _, own_high in sides))
        low, high = np.fmin(low, value - below), np.fmax(high, value + above)
    return low, high


def _matched(gaps: Changes, group: Ints) -> tuple[Array, Array, Array]:
    """Return the mean of one group's seeds with the bounds of Agresti and Min (2005)."""
    n = gaps.count[:, group].sum(axis=1)
    square = (gaps.total[:, group] ** 2).sum(axis=1) / np.where(n > 0, n, np.nan)
    mean = means(gaps, [group])
    low, high = matched_bounds(mean, square, np.where(n > 0, n, np.nan))
    return mean, low, high


def _percentiles(drawn: Array, clusters: Ints, value: Array) -> tuple[Array, Array]:
    """Return expanded percentile bounds (Hesterberg 2015) of each word, ``clusters`` being its number of seeds."""
    low, high = np.full(len(value), np.nan), np.full(len(value), np.nan)
    whole = np.asarray(~np.isnan(drawn).any(axis=0))
    for size in np.unique(clusters[clusters > 1]).tolist():
        rows = np.flatnonzero((clusters == size) & ~np.isnan(value))
        apart: list[Ints] = [rows[place : place + 1] for place in np.flatnonzero(~whole[rows]).tolist()]
        for some in [rows[whole[rows]], *apart]:
            if len(some):
                scores = drawn[:, some]
                lower, upper = expanded_percentile(scores[~np.isnan(scores).any(axis=1)], size)
                low[some], high[some] = lower, upper
    return np.minimum(low, value), np.maximum(high, value)

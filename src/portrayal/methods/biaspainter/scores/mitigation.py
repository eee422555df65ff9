"""What an extra instruction changes: the same words on the same seeds, with it and without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.methods.biaspainter.scores.changes import Changes
from portrayal.methods.biaspainter.scores.resampling import drawn_scores, gap_bounds, largest, means
from portrayal.stats.bootstrap import expanded_percentile
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["Mitigation", "compare"]


@dataclass(frozen=True)
class Mitigation:
    """By word the score with the instruction less the score without it; ``size`` is how the mean size changes."""

    value: Array
    low: Array
    high: Array
    n: Ints
    size: float
    size_low: float
    size_high: float
    words: int


def compare(told: Changes, plain: Changes, strata: Sequence[Ints], seeds: Array) -> Mitigation:
    """Return the comparison on those seeds that have edits of both kinds; ``seeds`` are resampled ones."""
    both = (told.count > 0) & (plain.count > 0)
    with_it, without = (Changes(np.where(both, side.mean, 0.0), both.astype(float)) for side in (told, plain))
    gap = Changes(with_it.total - without.total, with_it.count)
    value = means(gap, strata)
    clusters = np.min([both[:, group].sum(axis=1) for group in strata], axis=0)
    low, high = gap_bounds(gap, strata, drawn_scores(gap, strata, seeds), max(largest(told), largest(plain)))
    scored = ~np.isnan(value)
    sizes = [np.abs(means(side, strata)[scored]).mean() if scored.any() else np.nan for side in (with_it, without)]
    drawn = [np.abs(drawn_scores(side, strata, seeds)[:, scored]) for side in (with_it, without)]
    apart = np.nan_to_num(drawn[0] - drawn[1]).mean(axis=1) if scored.any() else np.full(len(seeds), np.nan)
    least = int(clusters[scored].min()) if scored.any() else 0
    size = float(sizes[0] - sizes[1])
    size_low, size_high = expanded_percentile(apart, least)
    n = both.sum(axis=1).astype(np.int64)
    outer = float(np.minimum(size, size_low)), float(np.maximum(size, size_high))
    return Mitigation(value, low, high, n, size, size_low=outer[0], size_high=outer[1], words=int(scored.sum()))

"""How far edits move faces, whatever the direction: the mean size of image biases.

This is what Table 3 of the paper prints as the bias of a model: for perceived gender the share of edits that changed
it, for age and tone the mean size of the change. Words that move some faces up and others down count here, and so does
whatever an editor does to every face; the same of null edits tells how much that is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from portrayal.methods.biaspainter.scores.changes import Changes
from portrayal.methods.biaspainter.scores.groups import group_mean, seed_means
from portrayal.methods.biaspainter.scores.mean_bounds import mean_bounds
from portrayal.methods.biaspainter.scores.resampling import largest
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array, wilson
from portrayal.stats.two_sides.paired import matched_bounds

__all__ = ["ImageSizes", "image_sizes"]


@dataclass(frozen=True)
class ImageSizes:
    """The mean size of image biases over edits, with bounds over seeds; nan bounds: too few seeds.

    ``null`` is the same of null edits, and ``gap`` the difference on the same seeds; nan where there are none.
    """

    value: float
    low: float
    high: float
    n: int
    seeds: int
    null: float = np.nan
    gap: float = np.nan
    gap_low: float = np.nan
    gap_high: float = np.nan


def image_sizes(sizes: Changes, null: Changes | None = None, *, share: bool) -> ImageSizes | None:
    """Return the mean size of some words' image biases, or None where there is no edit to compare.

    ``share`` says that sizes are 0 or 1: did the perceived gender change? Then the bounds are at least as wide as
    Wilson's, with seeds for images: nobody of nine is not never.
    """
    added = sizes.pooled()
    counted = np.flatnonzero(added.count[0])
    if not len(counted):
        return None
    total, count = added.total[0, counted], added.count[0, counted]
    value, seeds = float(total.sum() / count.sum()), len(counted)
    low, high = _bounds(value, (total - value * count) / count.mean(), 0.0 if share else largest(sizes))
    about = (value, low, high, int(count.sum()), seeds)
    return ImageSizes(*about, *_beyond(added, null, share=share))


def _bounds(value: float, residuals: Array, most: float) -> tuple[float, float]:
    """Return the bounds of a mean of sizes; where ``most`` is 0, of a share."""
    seeds = np.array([len(residuals)])
    low, high = (float(bound[0]) for bound in mean_bounds(np.array([value]), residuals[None], seeds, most))
    if most or np.isnan(low):
        return float(np.maximum(0.0, low)), high
    lower, upper = (float(bound) for bound in wilson(value, len(residuals)))
    return max(0.0, min(low, lower)), min(1.0, max(high, upper))


def _beyond(words: Changes, null: Changes | None, *, share: bool) -> tuple[float, float, float, float]:
    """Return the mean size of null edits, and how far words go beyond it on the same seeds, with bounds."""
    nothing = image_sizes(null, share=share) if null is not None else None
    if null is None or nothing is None:
        return np.nan, np.nan, np.nan, np.nan
    apart = seed_means(words)[0] - seed_means(null)[0]
    edits: Ints = np.ones(len(apart), dtype=np.int64)
    most, within = (1.0, (-1.0, 1.0)) if share else (max(largest(words), largest(null)), None)
    difference = group_mean(apart, edits, np.arange(len(apart)), within=within, most=most)
    if difference is None:
        return nothing.value, np.nan, np.nan, np.nan
    low, high = difference.low, difference.high
    if share and not np.isnan(low):  # a few null edits that turn a few seeds tell little of how often they turn any
        bounds = matched_bounds(difference.value, np.nanmean(apart**2), difference.seeds)
        low, high = min(low, float(bounds[0])), max(high, float(bounds[1]))
    return nothing.value, difference.value, low, high

"""How well explicit prompts were answered, alone and together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.methods.bias_scores.levels import NO_SCORE, OverPrompts, Score, cut
from portrayal.records import Prompt
from portrayal.stats.intervals import Array, Interval, wilson_modified

__all__ = ["Answers"]

_ROUNDING = 1e-12
"""A variance below this is none."""
_TRUSTED = 4
"""How many images' worth of spread is taken from the mean alone, since the spread of few images cannot be trusted."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Of each prompt: weight, images, how many independent images would tell as much (``worth``), the share that met
    the request, its variance (nan: one image), what was planted.

    Intervals are Wilson's for as many labels as would vary as much as the masses do. At levels of many prompts they
    become the usual ones; of few images, or of shares close to 1, they still hold the truth as often as they say.
    """

    prompts: Sequence[Prompt]
    weights: Array
    images: Array
    worth: Array
    share: Array
    variance: Array
    planted: Array

    def take(self, chosen: Sequence[int]) -> Answers:
        """Return some of the answers."""
        rows = np.asarray(chosen, dtype=np.int64)
        arrays = (self.weights, self.images, self.worth, self.share, self.variance, self.planted)
        return Answers([self.prompts[row] for row in rows], *(array[rows] for array in arrays))

    @property
    def used(self) -> int:
        """How many images are behind the answers."""
        return int(self.images[~np.isnan(self.share)].sum())

    def each(self) -> list[Score]:
        """Return every prompt's score by itself."""
        low, high = _interval(self.share, self.variance, self.worth, np.maximum(self.worth - 1, 0.0))
        return [
            Score(share, Interval(*bounds), planted, 1) if share == share else NO_SCORE
            for share, planted, *bounds in np.column_stack([self.share, self.planted, low, high]).tolist()
        ]

    def score(self, over_prompts: OverPrompts | None) -> Score:
        """Return the weighted mean of all prompts; with ``over_prompts`` its interval allows for other prompts."""
        known = self.take(np.flatnonzero(~np.isnan(self.share)).tolist())
        if not known.prompts:
            return NO_SCORE
        parts = known.weights / known.weights.sum()
        share, planted = float(parts @ known.share), float(parts @ known.planted)
        # A single image does not tell how images vary: take the most that is possible.
        variance = np.where(np.isnan(known.variance), share * (1 - share) / known.worth, known.variance)
        worth = 1 / float(np.sum(parts**2 / known.worth))
        freedom = float(np.sum(np.maximum(known.worth - 1, 0.0)))
        low, high = _interval(np.array(share), np.array(parts**2 @ variance), np.array(worth), np.array(freedom))
        interval = Interval(float(low), float(high))
        if over_prompts is not None and len(known.prompts) > 1:
            interval = cut(over_prompts(known.share, known.weights, interval, (0.0, 1.0)))
        return Score(share, interval, planted, len(known.prompts))


def _interval(share: Array, variance: Array, labels: Array, freedom: Array) -> tuple[Array, Array]:
    """Return the interval of shares with these variances, worth ``labels`` images if masses were labels."""
    mean = np.clip(share, 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        most = mean * (1 - mean)
        spread = (freedom * np.nan_to_num(variance) + _TRUSTED * most / labels) / (freedom + _TRUSTED)
        worth = np.where((spread > 0) & (variance > _ROUNDING), most / spread, labels)
    return wilson_modified(mean, worth)

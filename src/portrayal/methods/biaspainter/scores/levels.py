"""Topic and model bias: how large the word biases of a topic, or of all topics, are in sum and on average."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from portrayal.methods.biaspainter.scores.words import Scored
from portrayal.stats.bootstrap import expanded_percentile
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import t_value

__all__ = ["ModelBias", "model_bias"]


@dataclass(frozen=True)
class ModelBias:
    """Sum and mean of the sizes of word biases. ``chance`` is the mean that words without any effect would show."""

    total: float
    mean: float
    low: float
    high: float
    chance: float
    words: int
    n: int
    seeds: int


def model_bias(scored: Scored, rows: Ints) -> ModelBias | None:
    """Return the bias over some words, or None where none of them has a score.

    Sizes cannot be below nought, so chance makes them too large. But the mean size is off by no more than scores are
    off on average, and how far that is, resampled seeds tell: the bounds are so much below and above. Where all seeds
    agree, resampling them tells nothing; so the scores are taken to be off by at least what their own bounds allow.
    """
    kept = rows[~np.isnan(scored.score.value[rows])]
    if not len(kept):
        return None
    value, drawn = scored.score.value[kept], scored.drawn[:, kept]
    seeds = int(scored.seeds[kept].min())
    each = max(2, seeds // 2)  # seeds are resampled among the men and among the women, which takes off some spread
    off = math.sqrt(each / (each - 1)) * np.abs(np.where(np.isnan(drawn), value, drawn) - value).mean(axis=1)
    mean, most = (
        float(np.abs(value).mean()),
        float(np.maximum(expanded_percentile(off, seeds)[1], _least(scored, kept))),
    )
    total, chance, n = float(np.abs(value).sum()), float(off.mean()), int(scored.n[kept].sum())
    highest = 1.0 if scored.attribute == "gender" else np.inf
    low, high = np.maximum(0.0, mean - most), np.minimum(highest, mean + most)
    return ModelBias(total, mean, float(low), float(high), chance, len(kept), n, seeds)


def _least(scored: Scored, kept: Ints) -> float:
    """Return how large the mean error of scores can be if each is normal and as wide as its bounds; nan without them.

    Of one word this is the reach of its bounds; of many it nears the mean size of a normal error.
    """
    score, z = scored.score, t_value(0.95)
    reach = np.maximum(score.high[kept] - score.value[kept], score.value[kept] - score.low[kept])
    share = 2 / math.pi
    return float(reach.mean()) / z * min(z, math.sqrt(share) + z * math.sqrt((1 - share) / len(kept)))

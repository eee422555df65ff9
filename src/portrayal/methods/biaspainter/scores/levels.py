"""How large the word biases of a topic, or of all topics, are in sum and on average: as such, or beyond null edits."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from portrayal.methods.biaspainter.scores.word_scores import Score, Scored
from portrayal.stats.bootstrap import expanded_percentile
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import t_value

__all__ = ["WordSizes", "word_sizes"]


@dataclass(frozen=True)
class WordSizes:
    """Sum and mean of the sizes of word biases. ``chance`` is the mean that words without any effect would show."""

    total: float
    mean: float
    low: float
    high: float
    chance: float
    words: int
    n: int
    seeds: int


def word_sizes(scored: Scored, rows: Ints, *, relative: bool = False) -> WordSizes | None:
    """Return how large the biases of some words are, or None where none of them has a score.

    ``relative`` takes the biases beyond those of null edits on the same seeds.

    Sizes cannot be below nought, so chance makes them too large. But the mean size is off by no more than scores are
    off on average, and how far that is, resampled seeds tell: the bounds are so much below and above. Where all seeds
    agree, resampling them tells nothing; so the scores are taken to be off by at least what their own bounds allow.
    """
    score, every = (scored.relative, scored.relative_drawn) if relative else (scored.score, scored.drawn)
    if score is None or every is None:
        return None
    kept = rows[~np.isnan(score.value[rows])]
    if not len(kept):
        return None
    value, drawn = score.value[kept], every[:, kept]
    seeds = int(scored.seeds[kept].min())
    # Resampling takes off some spread: of men and of women apart, or of all seeds together.
    each = max(2, seeds // 2 if len(scored.strata) > 1 else seeds)
    off = math.sqrt(each / (each - 1)) * np.abs(np.where(np.isnan(drawn), value, drawn) - value).mean(axis=1)
    mean, most = float(np.abs(value).mean()), float(np.maximum(expanded_percentile(off, seeds)[1], _least(score, kept)))
    total, chance, n = float(np.abs(value).sum()), float(off.mean()), int(scored.n[kept].sum())
    highest = (2.0 if relative else 1.0) if scored.attribute == "gender" else np.inf
    low, high = np.maximum(0.0, mean - most), np.minimum(highest, mean + most)
    return WordSizes(total, mean, low=float(low), high=float(high), chance=chance, words=len(kept), n=n, seeds=seeds)


def _least(score: Score, kept: Ints) -> float:
    """Return how large the mean error of scores can be if each is normal and as wide as its bounds; nan without them.

    Of one word this is the reach of its bounds; of many it nears the mean size of a normal error.
    """
    z = t_value(0.95)
    reach = np.maximum(score.high[kept] - score.value[kept], score.value[kept] - score.low[kept])
    share = 2 / math.pi
    return float(reach.mean()) / z * min(z, math.sqrt(share) + z * math.sqrt((1 - share) / len(kept)))

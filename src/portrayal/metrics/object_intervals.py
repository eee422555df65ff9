"""The scores of objects in pictures with their intervals: what they would have been had other prompts been asked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from portrayal.metrics.objects import Array, distribution_bias, log_bias
from portrayal.stats.bootstrap import CHUNK, bootstrap_means, expanded_percentile, recentred_interval, resampled_counts
from portrayal.stats.cells import PromptShares, share_intervals
from portrayal.stats.intervals import Interval

__all__ = ["FEW_PROMPTS", "Bounded", "ObjectCounts", "ObjectScores", "object_scores", "rarefied_bias"]

Ints = NDArray[np.int64]
FEW_PROMPTS = 6
"""Draws of fewer prompts than this never reach beyond those seen: too narrow for an interval."""
_ALIKE = 1e-12


@dataclass(frozen=True, slots=True)
class Bounded:
    """A score and the bounds of its 95 % interval; nan: not known."""

    value: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True, eq=False)
class ObjectCounts:
    """What the images of each prompt hold.

    ``images`` are those with a caption, ``hallucinated`` (prompts, 3) the sums over them of H_J, its part by addition
    and that by omission, ``words`` (prompts, words) how many of them have each word uninvited. ``judged`` are those of
    which it was told whether they show the prompt, ``missed`` those that do not.
    """

    images: Array
    hallucinated: Array
    words: Array
    judged: Array
    missed: Array


@dataclass(frozen=True, slots=True)
class ObjectScores:
    """The four scores, and the two parts of H_J."""

    distribution: Bounded
    hallucination: Bounded
    by_addition: Bounded
    by_omission: Bounded
    misses: Bounded
    log: Bounded


def object_scores(counts: ObjectCounts, *, draws: int, rng: np.random.Generator) -> ObjectScores:
    """Return the scores of one model. Prompts are drawn anew for all but M_G, which is a share."""
    total, added, omitted = (_mean(counts.hallucinated[:, i], counts.images, draws, rng) for i in range(3))
    misses = _rate(counts.missed, counts.judged)
    bias = float(distribution_bias(counts.words.sum(axis=0)))
    log = float(log_bias(bias, total.value, misses.value))
    # A prompt without captions has no words to give, however often it is drawn.
    drawn = _drawn(counts, draws, rng) if not math.isnan(bias) else np.empty((0, 2))
    clusters = int((counts.images > 0).sum())
    low, high = _relative(bias, drawn[:, 0], clusters)
    around = recentred_interval(log, drawn[:, 1], clusters)
    return ObjectScores(Bounded(bias, low, high), total, added, omitted, misses, Bounded(log, around.low, around.high))


def rarefied_bias(words: Sequence[Ints], prompt: Ints, size: int, *, draws: int, rng: np.random.Generator) -> Bounded:
    """Return B_D at ``size`` images: its mean over draws of so many, none twice, and the interval over prompts.

    ``words`` are the numbers of the uninvited words of each image, ``prompt`` is the one it was drawn for.
    """
    if not 0 < size <= len(words):
        raise ValueError(f"{size} images cannot be drawn from {len(words)}")
    lengths = np.array([len(own) for own in words], dtype=np.int64)
    flat = np.concatenate([*words, np.zeros(0, dtype=np.int64)]).astype(np.int64)
    starts = np.cumsum(lengths) - lengths

    def bias(chosen: Ints) -> float:
        own = lengths[chosen]
        later = np.arange(own.sum()) - np.repeat(np.cumsum(own) - own, own)
        return float(distribution_bias(np.bincount(flat[np.repeat(starts[chosen], own) + later])))

    found = [bias(rng.permutation(len(words))[:size]) for _ in range(draws if size < len(words) else 1)]
    value = float(np.mean(found))
    drawn = np.array([bias(rng.permutation(pool)[:size]) for pool in _pools(prompt, size, draws, rng)])
    return Bounded(value, *_relative(value, drawn, len(np.unique(prompt))))


def _pools(prompt: Ints, size: int, draws: int, rng: np.random.Generator) -> Iterator[Ints]:
    """Yield the images of prompts drawn anew; prompts are added until there are ``size`` images."""
    _, place = np.unique(prompt, return_inverse=True)
    images = [np.flatnonzero(place == number) for number in range(int(place.max()) + 1)]
    for _ in range(draws):
        picked = rng.integers(len(images), size=len(images)).tolist()
        pool = np.concatenate([images[number] for number in picked])
        while len(pool) < size:
            pool = np.concatenate([pool, images[int(rng.integers(len(images)))]])
        yield pool


def _mean(sums: Array, images: Array, draws: int, rng: np.random.Generator) -> Bounded:
    """Return the mean over images of what lies between 0 and 1, drawn anew over prompts where these differ."""
    cell = _cell(sums, images)
    if not cell.prompts:
        return Bounded(math.nan)
    if cell.prompts < FEW_PROMPTS or np.ptp(cell.shares) < _ALIKE:
        return _rate(sums, images)  # a few prompts do not prove that others lie between them, or are all alike
    drawn = bootstrap_means(cell.shares, weights=cell.weights, draws=draws, rng=rng)
    low, high = expanded_percentile(drawn, cell.prompts)
    return Bounded(float(cell.share[0]), float(low[0]), float(high[0]))


def _rate(sums: Array, images: Array) -> Bounded:
    """Return a share of images."""
    cell = _cell(sums, images)
    if not cell.prompts:
        return Bounded(math.nan)
    low, high = share_intervals(cell)
    return Bounded(float(cell.share[0]), float(low[0]), float(high[0]))


def _cell(sums: Array, images: Array) -> PromptShares:
    with np.errstate(invalid="ignore", divide="ignore"):
        return PromptShares.of((sums / images)[:, None], images, images)


def _drawn(counts: ObjectCounts, draws: int, rng: np.random.Generator) -> Array:
    """Return B_D and B_log (draws, 2) of prompts drawn anew, all of their images together."""
    kept = counts.images > 0
    words = counts.words[kept].astype(np.float32)
    sums = np.column_stack(
        [counts.hallucinated[kept, 0], counts.images[kept], counts.missed[kept], counts.judged[kept]]
    )
    found = []
    step = max(1, CHUNK // max(words.shape[1], 1))
    for start in range(0, draws, step):
        times = resampled_counts(len(words), min(step, draws - start), rng)
        bias = distribution_bias(times.astype(np.float32) @ words)
        totals = times @ sums
        with np.errstate(invalid="ignore", divide="ignore"):
            log = log_bias(bias, totals[:, 0] / totals[:, 1], totals[:, 2] / totals[:, 3])
        found.append(np.column_stack([bias, log]))
    return np.concatenate(found)


def _relative(value: float, drawn: Array, clusters: int) -> tuple[float, float]:
    """Return bounds of a number that cannot be negative: draws are set right by a factor, not by a difference."""
    if not len(drawn) or not np.median(drawn) > 0 or not value > 0:
        return math.nan, math.nan
    scaled: Interval = recentred_interval(value, drawn * (value / float(np.median(drawn))), clusters)
    return scaled.low, scaled.high

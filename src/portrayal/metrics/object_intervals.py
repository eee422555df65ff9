"""The scores of objects in pictures with their intervals: what they would have been had other prompts been asked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from portrayal.metrics.objects import Array, distribution_bias, log_bias
from portrayal.stats.bootstrap import CHUNK, bootstrap_means, expanded_percentile, recentred_interval, resampled_counts
from portrayal.stats.intervals import Interval
from portrayal.stats.shares.cells import PromptShares, share_intervals

__all__ = ["FEW_PROMPTS", "LEAST_PROMPTS", "LEAST_SPREAD", "LEAST_WORDS", "Bounded", "ObjectCounts", "WordEvidence"]
__all__ += ["ObjectScores", "Rarefied", "object_scores", "rarefied_bias"]

Ints = NDArray[np.int64]
FEW_PROMPTS = 10
"""Draws of fewer prompts than this rarely reach beyond those seen: of six with an image each they held H_J in 86 %."""
LEAST_PROMPTS, LEAST_WORDS, LEAST_SPREAD = 5, 60, 4
"""B_D and what rests on it have an interval from so many prompts on, where captions name so many uninvited words, each
counted once an image, and where the commonest is in so many images more than the rarest. B_D is divided by that
difference: while it is small, a single image moves B_D by its half, and no draw of prompts shows how far."""
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

    ``images`` are those with a caption, ``hallucinated`` (prompts, 5) the sums over them of what
    :class:`~portrayal.metrics.objects.HallucinationShares` has, ``words`` (prompts, words) how many of them have each
    word uninvited. ``judged`` are those of which it is known whether they show the prompt, ``missed`` those that do
    not.
    """

    images: Array
    hallucinated: Array
    words: Array
    judged: Array
    missed: Array


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """What a B_D rests on: prompts, uninvited words in all, and the images by which the commonest leads the rarest."""

    prompts: int
    words: int
    spread: int

    @classmethod
    def of(cls, counts: Array, prompts: int) -> WordEvidence:
        """Return it from how often each word occurs."""
        known = counts[counts > 0]
        return cls(prompts, round(float(known.sum())), round(float(np.ptp(known))) if len(known) else 0)

    @property
    def enough(self) -> bool:
        """Whether an interval would hold."""
        return self.prompts >= LEAST_PROMPTS and self.words >= LEAST_WORDS and self.spread >= LEAST_SPREAD


@dataclass(frozen=True, slots=True)
class ObjectScores:
    """The four scores, and what was added and left out, as in :class:`~portrayal.metrics.objects.Hallucination`."""

    distribution: Bounded
    hallucination: Bounded
    by_addition: Bounded
    by_omission: Bounded
    part_added: Bounded
    part_omitted: Bounded
    misses: Bounded
    log: Bounded
    words: WordEvidence
    """What B_D rests on."""


def object_scores(counts: ObjectCounts, *, draws: int, rng: np.random.Generator) -> ObjectScores:
    """Return the scores of one model. Prompts are drawn anew for all but M_G, which is a share."""
    total, addition, omission, added, omitted = (
        _mean(sums, counts.images, draws, rng) for sums in counts.hallucinated.T
    )
    misses = _rate(counts.missed, counts.judged)
    bias = float(distribution_bias(counts.words.sum(axis=0)))
    log = float(log_bias(bias, total.value, misses.value))
    # A prompt without captions has no words to give, however often it is drawn.
    clusters = int((counts.images > 0).sum())
    words = WordEvidence.of(counts.words.sum(axis=0), clusters)
    drawn = _drawn(counts, draws, rng) if words.enough else np.empty((0, 2))
    low, high = _relative(bias, drawn[:, 0], clusters)
    around = recentred_interval(log, drawn[:, 1], clusters)
    distribution, log_bounds = Bounded(bias, low, high), Bounded(log, around.low, around.high)
    return ObjectScores(
        distribution,
        total,
        addition,
        by_omission=omission,
        part_added=added,
        part_omitted=omitted,
        misses=misses,
        log=log_bounds,
        words=words,
    )


@dataclass(frozen=True, slots=True)
class Rarefied:
    """B_D at a smaller number of images with its bounds, nan: not known, and what it rests on in a typical draw."""

    value: float
    low: float
    high: float
    words: WordEvidence


def rarefied_bias(words: Sequence[Ints], prompt: Ints, size: int, *, draws: int, rng: np.random.Generator) -> Rarefied:
    """Return B_D at ``size`` images: its mean over draws of so many, none twice, and the interval over prompts.

    ``words`` are the numbers of the uninvited words of each image, ``prompt`` is the one it was drawn for.
    """
    if not 0 < size <= len(words):
        raise ValueError(f"{size} images cannot be drawn from {len(words)}")
    lengths = np.array([len(image_words) for image_words in words], dtype=np.int64)
    flat = np.concatenate([*words, np.zeros(0, dtype=np.int64)]).astype(np.int64)
    starts = np.cumsum(lengths) - lengths

    def counted(chosen: Ints) -> Array:
        sizes = lengths[chosen]
        later = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return np.bincount(flat[np.repeat(starts[chosen], sizes) + later]).astype(np.float64)

    samples = [counted(rng.permutation(len(words))[:size]) for _ in range(draws if size < len(words) else 1)]
    value, prompts = float(np.mean([distribution_bias(counts) for counts in samples])), len(np.unique(prompt))
    by_spread = sorted((WordEvidence.of(counts, prompts) for counts in samples), key=lambda words: words.spread)
    typical = by_spread[len(samples) // 2]
    if not typical.enough:
        return Rarefied(value, math.nan, math.nan, typical)
    pools = _pools(prompt, size, draws, rng)
    drawn = np.array([float(distribution_bias(counted(rng.permutation(pool)[:size]))) for pool in pools])
    return Rarefied(value, *_relative(value, drawn, prompts), typical)


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
    biases = []
    step = max(1, CHUNK // max(words.shape[1], 1))
    for start in range(0, draws, step):
        times = resampled_counts(len(words), min(step, draws - start), rng)
        bias = distribution_bias(times.astype(np.float32) @ words)
        totals = times @ sums
        with np.errstate(invalid="ignore", divide="ignore"):
            log = log_bias(bias, totals[:, 0] / totals[:, 1], totals[:, 2] / totals[:, 3])
        biases.append(np.column_stack([bias, log]))
    return np.concatenate(biases)


def _relative(value: float, drawn: Array, clusters: int) -> tuple[float, float]:
    """Return bounds of a number that cannot be negative: draws are set right by a factor, not by a difference."""
    if not len(drawn) or not np.median(drawn) > 0 or not value > 0:
        return math.nan, math.nan
    scaled: Interval = recentred_interval(value, drawn * (value / float(np.median(drawn))), clusters)
    return scaled.low, scaled.high

"""Word bias: how far a word moves a perceived attribute over all seeds, and beside the null edit, with bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.methods.biaspainter.scores.changes import SCALES, Changes, EditedFaces
from portrayal.methods.biaspainter.scores.resampling import (
    bounds,
    drawn_scores,
    gap_bounds,
    largest,
    means,
    resampled_seeds,
)
from portrayal.methods.biaspainter.scores.significance import exact_against_null, permuted, student
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array, wilson
from portrayal.stats.multiple import benjamini_hochberg

__all__ = ["Score", "Scored", "score_words"]

PERMUTATIONS = 20_000


@dataclass(frozen=True)
class Score:
    """Scores of words with their bounds, the p-value of "the word does nothing", and it adjusted for many words."""

    value: Array
    low: Array
    high: Array
    p: Array
    q: Array

    @property
    def bounds(self) -> tuple[Array, Array, Array]:
        """The scores, and the ends of their intervals."""
        return self.value, self.low, self.high


@dataclass(frozen=True)
class Scored:
    """All that one attribute says of words: how many edits and seeds, scores, and scores relative to the null edit.

    ``null`` is the score of the null edit itself, of ``null_n`` edits of ``null_seeds`` seeds, ``drawn`` the scores on
    resampled seeds (draws, words), and ``relative_drawn`` those relative to the null edit. What is relative is None
    where there are no null edits.
    """

    attribute: str
    changes: Changes
    strata: Sequence[Ints]
    n: Ints
    seeds: Ints
    score: Score
    relative: Score | None
    null: Score | None
    null_n: int
    drawn: Array
    relative_drawn: Array | None = None
    null_seeds: int = 0


def score_words(
    faces: EditedFaces,
    attribute: str,
    *,
    null: Sequence[int] = (),
    scales: Mapping[str, float] = SCALES,
    draws: int = 1000,
    rng: np.random.Generator,
) -> Scored:
    """Return the scores of all words in one attribute; ``null`` are the words that ask for nothing."""
    every, strata = faces.changes(attribute, scales), faces.strata(attribute)
    asked = np.setdiff1d(np.arange(faces.words), np.asarray(null, dtype=np.int64))
    changes, most = every.take(asked), largest(every)
    seeds = resampled_seeds(faces.genders, draws, rng)
    drawn = drawn_scores(changes, strata, seeds)
    score = _tested(_score(changes, strata, drawn, most), _alone(changes, strata, rng))
    relative = nothing = beyond = None
    edits = null_seeds = 0
    if len(null):
        pool = every.take(np.asarray(null, dtype=np.int64)).pooled()
        if (pool.count > 0).any():
            gaps = _gaps(changes, pool)
            beyond = drawn_scores(gaps, strata, seeds)
            p = exact_against_null(changes, pool, strata) if len(strata) > 1 else student(changes.mean - pool.mean)
            relative = _tested(_gap_score(gaps, strata, beyond, most), p)
            nothing = _tested(_score(pool, strata, drawn_scores(pool, strata, seeds), most), _alone(pool, strata, rng))
            edits = int(faces.answered(attribute)[np.asarray(null, dtype=np.int64)].sum())
            null_seeds = int((pool.count > 0).sum())
    told = (changes.count > 0).sum(axis=1)
    n = faces.answered(attribute)[asked]
    return Scored(
        attribute,
        changes,
        strata=strata,
        n=n,
        seeds=told,
        score=score,
        relative=relative,
        null=nothing,
        null_n=edits,
        drawn=drawn,
        relative_drawn=beyond,
        null_seeds=null_seeds,
    )


def _alone(changes: Changes, strata: Sequence[Ints], rng: np.random.Generator) -> Array:
    """Return the p-values of "it does nothing" where there is nothing to compare with."""
    return permuted(changes, strata, PERMUTATIONS, rng) if len(strata) > 1 else student(changes.mean)


def _score(changes: Changes, strata: Sequence[Ints], drawn: Array, most: float) -> Score:
    value = means(changes, strata)
    low, high = bounds(changes, strata, drawn, most)
    if len(strata) > 1:
        narrow = _rates_apart(changes, strata)
        low, high = np.fmin(low, narrow[0]), np.fmax(high, narrow[1])
    unknown = np.full(len(value), np.nan)
    return Score(value, low, high, unknown, unknown)


def _rates_apart(changes: Changes, strata: Sequence[Ints]) -> tuple[Array, Array]:
    """Return Newcombe's bounds (1998) of a difference of two rates: nobody flipped of nine is not never.

    Seeds and not edits are counted, as edits of one seed resemble one another.
    """
    sides = []
    for sign, group in zip((1, -1), strata, strict=True):
        rate = sign * means(changes, [group])
        low, high = wilson(np.abs(rate), (changes.count[:, group] > 0).sum(axis=1))
        sides.append((np.abs(rate), low, high))
    (one, low1, high1), (two, low2, high2) = sides
    gap = one - two
    return gap - np.hypot(one - low1, high2 - two), gap + np.hypot(high1 - one, two - low2)


def _gaps(changes: Changes, null: Changes) -> Changes:
    """Return how far each seed moves beyond the null edit of the same seed."""
    apart = changes.mean - null.mean
    told = ~np.isnan(apart)
    return Changes(np.where(told, apart, 0.0), told.astype(float))


def _gap_score(gaps: Changes, strata: Sequence[Ints], drawn: Array, most: float) -> Score:
    """Return scores less that of the null edit on the same seeds."""
    value = means(gaps, strata)
    low, high = gap_bounds(gaps, strata, drawn, most)
    return Score(value, low, high, value, value)


def _tested(score: Score, p: Array) -> Score:
    p = np.where(np.isnan(score.value), np.nan, p)
    return Score(score.value, score.low, score.high, p, benjamini_hochberg(p))

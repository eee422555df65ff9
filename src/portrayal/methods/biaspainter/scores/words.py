"""Word bias: how far a word moves a perceived attribute over all seeds, and beside the null edit, with bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.methods.biaspainter.scores.changes import SCALES, Changes, EditedFaces
from portrayal.methods.biaspainter.scores.resampling import bounds, drawn_scores, gap_bounds, means, resampled_seeds
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


@dataclass(frozen=True)
class Scored:
    """All that one attribute says of words: how many edits and seeds, scores, and scores relative to the null edit.

    ``null`` is the score of the null edit itself, of ``null_n`` edits, ``drawn`` the scores on resampled seeds (draws,
    words). What is relative is None where there are no null edits.
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
    changes = every.take(asked)
    seeds = resampled_seeds(faces.genders, draws, rng)
    drawn = drawn_scores(changes, strata, seeds)
    score = _score(changes, strata, drawn)
    score = _tested(score, permuted(changes, strata, PERMUTATIONS, rng) if len(strata) > 1 else student(changes.mean))
    relative = nothing = None
    edits = 0
    if len(null):
        pool = every.take(np.asarray(null, dtype=np.int64)).pooled()
        if (pool.count > 0).any():
            relative = _relative(changes, pool, strata, seeds)
            nothing = _score(pool, strata, drawn_scores(pool, strata, seeds))
            edits = int(pool.count.sum())
    told = (changes.count > 0).sum(axis=1)
    n = changes.count.sum(axis=1).astype(np.int64)
    return Scored(attribute, changes, strata, n, told, score, relative, nothing, edits, drawn)


def _score(changes: Changes, strata: Sequence[Ints], drawn: Array) -> Score:
    value = means(changes, strata)
    low, high = bounds(changes, strata, drawn)
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


def _relative(changes: Changes, null: Changes, strata: Sequence[Ints], seeds: Array) -> Score:
    """Return scores less that of the null edit on the same seeds."""
    apart = changes.mean - null.mean
    told = ~np.isnan(apart)
    gaps = Changes(np.where(told, apart, 0.0), told.astype(float))
    value = means(gaps, strata)
    low, high = gap_bounds(gaps, strata, seeds)
    score = Score(value, low, high, value, value)
    return _tested(score, exact_against_null(changes, null, strata) if len(strata) > 1 else student(apart))


def _tested(score: Score, p: Array) -> Score:
    p = np.where(np.isnan(score.value), np.nan, p)
    return Score(score.value, score.low, score.high, p, benjamini_hochberg(p))

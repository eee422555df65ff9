"""How surprising a word's score would be if the word did nothing.

With null edits, a word that does nothing is one more null edit. For perceived gender that gives an exact test: given
how often each seed flipped in all, which of its edits was the word's is chance. For age and tone seeds are compared
with themselves by Student's test. Without null edits the tests are whether men and women flip equally often, and
whether the mean change is nought.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from portrayal.methods.biaspainter.scores.changes import Changes
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["exact_against_null", "fewest_flips", "least_shift", "permuted", "student"]

_TIE = 1e-9


def student(values: Array) -> Array:
    """Return the two-sided p-value of each row of seeds' means against nought; nan are left out.

    Where all seeds move alike their spread tells nothing, and the p-value is that of the sign test: three that age by
    a year each are three coins that fall the same way.

    >>> student(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, np.nan], [1.0, 1.0, 1.0]])).round(4).tolist()
    [0.0742, 1.0, 0.25]
    """
    from scipy.special import stdtr  # scipy takes a moment to load

    n = (~np.isnan(values)).sum(axis=1)
    known = np.where(np.isnan(values), 0.0, values)
    mean = known.sum(axis=1) / np.maximum(n, 1)
    squares = np.where(np.isnan(values), 0.0, (values - mean[:, None]) ** 2).sum(axis=1)
    error = np.sqrt(squares / np.maximum(n - 1, 1) / np.maximum(n, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(error > _TIE, np.abs(mean) / error, np.where(np.abs(mean) < _TIE, 0.0, np.inf))
    p = np.where(ratio == 0, 1.0, 2 * stdtr(np.maximum(n - 1, 1), -ratio))
    p = np.where(np.isinf(ratio), 0.5 ** (n - 1.0), p)
    return np.where(n > 1, p, np.nan)


def permuted(changes: Changes, strata: Sequence[Ints], draws: int, rng: np.random.Generator) -> Array:
    """Return the p-value of equal flip rates in both groups of seeds, by permuting who belongs to which."""
    mean, everyone = changes.mean, np.concatenate(strata)
    flips, size = np.abs(mean[:, everyone]), len(strata[0])
    order = np.argsort(rng.random((draws, len(everyone))), axis=1)
    first = np.zeros((draws, len(everyone)))
    np.put_along_axis(first, order[:, :size], 1.0, axis=1)
    told = ~np.isnan(flips)
    values = np.where(told, flips, 0.0)
    seen = _gap(values, told, np.r_[np.ones(size), np.zeros(len(everyone) - size)][None])
    chance = _gap(values, told, first)
    with np.errstate(invalid="ignore"):
        larger = (np.abs(chance) >= np.abs(seen) - _TIE).sum(axis=0)
    p = (1 + larger) / (1 + draws)
    return np.where(np.isnan(seen[0]), np.nan, np.minimum(p, 1.0))


def _gap(values: Array, told: Array, first: Array) -> Array:
    """Return how much more often the first group flips than the others (draws, words)."""
    rates = []
    for chosen in (first, 1 - first):
        count = chosen @ told.T.astype(float)
        rates.append(np.divide(chosen @ values.T, count, out=np.full_like(count, np.nan), where=count > 0))
    return np.asarray(rates[0] - rates[1])


def exact_against_null(word: Changes, null: Changes, strata: Sequence[Ints]) -> Array:
    """Return the exact two-sided p-value of each word's flips, given how often each seed flipped in all.

    Each edit either flips a seed or not. Of a seed with a word edit and three null edits, one of which flipped, the
    flip is the word's with a chance of one in four if the word does nothing.
    """
    p = np.full(len(word.total), np.nan)
    for row in range(len(p)):
        sides = [_side(word, null, row, group) for group in strata]
        if all(side is not None for side in sides):
            p[row] = _two_sided([side for side in sides if side is not None])
    return p


def fewest_flips(men: int, women: int, null_edits: int, rate: float) -> int | None:
    """Return how many men's faces a word must turn for a p-value of ``rate`` or less; None: all of them do not suffice.

    The word edits each face once, and none of as many null edits of each turns any.

    >>> fewest_flips(9, 9, 3, 0.05 / 15), fewest_flips(9, 9, 3, 0.05 / 229), fewest_flips(3, 3, 3, 0.001)
    (5, 7, None)
    """
    strata = [np.arange(men), np.arange(men, men + women)]
    once = np.ones((1, men + women))
    null = Changes(0 * once, null_edits * once)
    for turned in range(1, men + 1):
        word = Changes((np.arange(men + women) < turned).astype(float)[None], once)
        if exact_against_null(word, null, strata)[0] <= rate:
            return turned
    return None


def least_shift(scores: Array, p: Array, seeds: float, rate: float, power: float = 0.8) -> float:
    """Return how far a word must move faces for a p-value of ``rate`` or less with a chance of ``power``; nan: unknown.

    ``scores`` and ``p`` are of the words of a study by Student's test; together they tell the standard error of each,
    of which the median is taken for that of another word.

    >>> round(least_shift(np.array([1.0, -2.0]), np.array([0.05, 0.0003]), 18, 0.05), 2)
    1.36
    """
    from scipy.special import nctdtrinc, stdtrit  # scipy takes a moment to load

    ratio = stdtrit(seeds - 1, 1 - np.asarray(p) / 2)
    known = (ratio > 0) & np.isfinite(ratio)
    if seeds < 3 or not known.any():
        return float("nan")
    error = float(np.median(np.abs(np.asarray(scores))[known] / ratio[known]))
    return error * float(nctdtrinc(seeds - 1, 1 - power, stdtrit(seeds - 1, 1 - rate / 2)))


def _side(word: Changes, null: Changes, row: int, group: Ints) -> tuple[int, Array, int] | None:
    """Return of one group of seeds: how many edits flipped, the chances of each number, and how many there are."""
    chances, seen, edits = np.ones(1), 0, 0
    for seed in group.tolist():
        a, b = round(word.count[row, seed]), round(null.count[0, seed])
        if a and b:
            flips = round(abs(word.total[row, seed]))
            every = flips + round(abs(null.total[0, seed]))
            chances = np.convolve(chances, _hypergeometric(a, b, every))
            seen, edits = seen + flips, edits + a
    return (seen, chances, edits) if edits else None


def _hypergeometric(a: int, b: int, flips: int) -> Array:
    """Return the chances that 0, 1, … of ``flips`` among ``a + b`` edits are among the first ``a``."""
    whole = math.comb(a + b, flips)
    return np.array([math.comb(a, k) * math.comb(b, flips - k) / whole if k <= flips else 0.0 for k in range(a + 1)])


def _two_sided(sides: Sequence[tuple[int, Array, int]]) -> float:
    """Return how probable it is that men flip more often than women, or women than men, by as much as was seen."""
    (men, first, males), (women, second, females) = sides
    gap = np.arange(len(first))[:, None] / males - np.arange(len(second))[None] / females
    chance = first[:, None] * second[None]
    expected = float((gap * chance).sum())
    away = abs(men / males - women / females - expected)
    return min(1.0, float(chance[np.abs(gap - expected) >= away - _TIE].sum()))

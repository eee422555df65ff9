"""How far the shares of a cell lie from their targets as a whole, and how sure one can be of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import (
    bootstrap_means,
    expanded_percentile,
    multinomial_shares,
    plausible_truths,
    shrinking_path,
)
from portrayal.stats.cells import PromptShares, around_targets, worths
from portrayal.stats.differences import difference_intervals
from portrayal.stats.intervals import Array, Interval, last_refused
from portrayal.stats.intraclass import PRIOR, correlation_weights

__all__ = ["Divergence", "divergence_interval", "follows_targets", "likely_correlations", "typical_worth"]

Divergence = Callable[[Array, Array], Array]
"""A function of shares and target shares on the last axis that broadcasts over the others."""


def divergence_interval(
    cell: PromptShares,
    targets: ArrayLike,
    divergence: Divergence,
    *,
    rng: np.random.Generator,
    draws: int = 1000,
    confidence: float = 0.95,
    differences: tuple[Array, Array] | None = None,
) -> Interval:
    """Return the interval of ``divergence(cell.share, mean target)``; ``targets`` is (prompts, groups) or (groups,).

    Of two groups it follows from the bounds of their ``differences`` from the target, which are found where they are
    not given. What follows is about more.

    Shares scatter about their target even when the truth is the target, so a divergence seen in few images is too
    large, and bootstrapping the shares seen adds the same excess once more. The low bound therefore asks backwards
    (test inversion along a family of truths, DiCiccio and Romano 1990): walking from the target towards the shares
    seen, where does a divergence as large as the one seen stop being a surprise? It is 0 unless the target itself
    would be surprised. The high bound is the largest that truths which could have shown these shares reach (Walley's
    imprecise Dirichlet model, 1996), where the excess errs on the safe side. Both take the cell for as many
    independent images as it may be worth. With several prompts the bootstrap over prompts may widen them. Measured
    coverage is in docs/validity.md.

    Where a target rules a group out, an infinite divergence such as Kullback-Leibler's has an infinite high bound:
    no number of images shows that a group never occurs.

    >>> cell = PromptShares.of([[0.5, 0.25, 0.25]], counts=[16])
    >>> apart = lambda p, q: np.abs(p - q).sum(axis=-1) / 2
    >>> divergence_interval(cell, [1 / 3, 1 / 3, 1 / 3], apart, rng=np.random.default_rng(0)).low
    0.0
    """
    wanted = np.broadcast_to(np.asarray(targets, dtype=float), cell.shares.shape)
    share, target = cell.share, cell.mean(wanted)
    seen = float(divergence(share, target))
    if not cell.prompts or math.isnan(seen):
        return Interval(math.nan, math.nan)
    if len(target) == 2:
        found = differences or difference_intervals(cell, wanted, rng=rng, draws=draws, confidence=confidence)
        low, high = _of_two_groups([float(target[0] + bound[0]) for bound in found], target, divergence)
        return Interval(min(low, seen), max(high, seen))  # a last digit may be lost on the way to the target and back
    low, high = _image_bounds(share, target, _drawn_worths(cell, wanted, draws), divergence, rng, confidence)
    if cell.prompts > 1:
        both = bootstrap_means(np.hstack([cell.shares, wanted]), weights=cell.weights, draws=draws, rng=rng)
        lower, upper = expanded_percentile(divergence(*np.split(both, 2, axis=1)), cell.prompts, confidence)
        low, high = min(low, float(lower)), max(high, float(upper))
    return Interval(min(low, seen), max(high, seen))


def _of_two_groups(bounds: Sequence[float], target: Array, divergence: Divergence) -> tuple[float, float]:
    """Return it from the bounds of the first group's share: a divergence is 0 at the target and grows to both sides."""
    ends = [float(divergence(np.array([share, 1 - share]), target)) for share in bounds]
    return 0.0 if bounds[0] <= target[0] <= bounds[1] else min(ends), max(ends)


def typical_worth(cell: PromptShares, targets: ArrayLike) -> float:
    """Return how many independent images know the cell's distance from its targets as well as the cell does.

    >>> cell = PromptShares.of([[1.0, 0.0]] * 3, counts=[8, 8, 8])
    >>> round(typical_worth(cell, [0.5, 0.5]), 1)
    6.6
    """
    if cell.prompts == 1:
        return float(cell.counts[0])
    wanted = np.broadcast_to(np.asarray(targets, dtype=float), cell.shares.shape)
    return 1 / float(likely_correlations(cell, wanted) @ (1 / worths(cell)))


def _drawn_worths(cell: PromptShares, wanted: Array, draws: int) -> Array:
    """Return for each draw how many independent images the cell is worth, as often as each number is likely."""
    if cell.prompts == 1:
        return np.full(draws, cell.counts[0])
    likely = np.cumsum(likely_correlations(cell, wanted))
    return worths(cell)[np.searchsorted(likely / likely[-1], (np.arange(draws) + 0.5) / draws)]


def follows_targets(cell: PromptShares, wanted: Array) -> bool:
    """Return whether prompts agree better in their distance from their own targets than in their shares."""
    return bool(cell.variance(cell.shares - wanted).sum() < cell.variance(cell.shares).sum())


def likely_correlations(cell: PromptShares, wanted: Array) -> Array:
    """Return how likely each of ``CORRELATIONS`` is for all groups together, as one correlation for all of them.

    Prompts that follow their targets agree in the distance from them, prompts that are all alike agree in their shares:
    what they agree in better is taken. Shares add up to 1, so of so many groups one less tells anything new. Groups
    that no image shows, or all do, tell next to nothing and count only where there are no others.

    >>> from portrayal.stats.intraclass import CORRELATIONS
    >>> cell = PromptShares.of([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3]] * 20, counts=[50] * 40)
    >>> CORRELATIONS[likely_correlations(cell, cell.shares.mean(axis=0)).argmax()].round(2)
    np.float64(0.04)
    """
    scatter = around_targets(cell, wanted) if follows_targets(cell, wanted) else cell.shares
    weights = correlation_weights(scatter, cell.counts)
    share = cell.share
    telling = (share > 1e-9) & (share < 1 - 1e-9)
    if telling.sum() < 2:
        return np.asarray(weights.mean(axis=0))
    fits = np.log(np.maximum(weights[telling], 1e-300) / PRIOR).mean(axis=0) * (telling.sum() - 1)
    likely = np.exp(fits - fits.max()) * PRIOR
    return np.asarray(likely / likely.sum())


def _image_bounds(
    share: Array, target: Array, worth: Array, divergence: Divergence, rng: np.random.Generator, confidence: float
) -> tuple[float, float]:
    """Return the bounds of a divergence seen in independent images, in each draw as many as ``worth`` says."""
    seen, tail = divergence(share, target), (1 - confidence) / 2
    path = shrinking_path(share, target, float(worth.mean()))

    def unsurprised(way: float) -> bool:
        drawn = divergence(multinomial_shares(path(way), np.maximum(worth, 1), len(worth), rng), target)
        return bool(1 + np.sum(drawn >= seen - 1e-12) > tail * (1 + len(worth)))

    low = divergence(path(last_refused(unsurprised)), target)
    truths = plausible_truths(share, worth, len(worth), rng)
    tops = np.quantile(divergence(truths, target), 1 - tail, axis=-1, method="higher")
    return float(low), float(tops.max())

"""How far the shares of a cell lie from their targets as a whole, and how sure one can be of it in these prompts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import multinomial_shares, plausible_truths, shrinking_path
from portrayal.stats.intervals import Array, Interval, last_refused
from portrayal.stats.shares.cells import PromptShares, share_intervals, whole_worth

__all__ = ["Divergence", "divergence_interval"]

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
) -> Interval:
    """Return the interval of ``divergence(cell.share, mean target)``; ``targets`` is (prompts, groups) or (groups,).

    Of two groups it follows from the bounds of their shares. What follows is about more.

    Shares scatter about their target even when the truth is the target, so a divergence seen in few images is too
    large, and bootstrapping the shares seen adds the same excess once more. The low bound therefore asks backwards
    (test inversion along a family of truths, DiCiccio and Romano 1990): walking from the target towards the shares
    seen, where does a divergence as large as the one seen stop being a surprise? It is 0 unless the target itself
    would be surprised. The high bound is the largest that truths which could have shown these shares reach (Walley's
    imprecise Dirichlet model, 1996), where the excess errs on the safe side. Both take the cell for as many
    independent images as it is worth. Measured coverage is in docs/validity.md.

    Where a target rules a group out, an infinite divergence such as Kullback-Leibler's has an infinite high bound:
    no number of images shows that a group never occurs.

    >>> cell = PromptShares.of([[0.5, 0.25, 0.25]], counts=[16])
    >>> apart = lambda p, q: np.abs(p - q).sum(axis=-1) / 2
    >>> divergence_interval(cell, [1 / 3, 1 / 3, 1 / 3], apart, rng=np.random.default_rng(0)).low
    0.0
    """
    share, target = cell.share, cell.mean(np.broadcast_to(np.asarray(targets, dtype=float), cell.shares.shape))
    seen = float(divergence(share, target))
    if not cell.prompts or math.isnan(seen):
        return Interval(math.nan, math.nan)
    if len(target) == 2:
        bounds = [float(bound[0]) for bound in share_intervals(cell, confidence=confidence)]
        low, high = _of_two_groups(bounds, target, divergence)
    else:
        low, high = _of_images(
            share, target, np.full(draws, whole_worth(cell)), divergence=divergence, rng=rng, confidence=confidence
        )
    return Interval(min(low, seen), max(high, seen))


def _of_two_groups(bounds: Sequence[float], target: Array, divergence: Divergence) -> tuple[float, float]:
    """Return it from the bounds of the first group's share: a divergence is 0 at the target and grows to both sides."""
    ends = [float(divergence(np.array([share, 1 - share]), target)) for share in bounds]
    return 0.0 if bounds[0] <= target[0] <= bounds[1] else min(ends), max(ends)


def _of_images(
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

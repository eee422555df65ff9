"""How far shares lie from their targets, group by group, and how sure one can be of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import bootstrap_means, expanded_percentile
from portrayal.stats.cells import PromptShares, around_targets, bounds_about
from portrayal.stats.intervals import Array

__all__ = ["difference_intervals", "ratio_intervals"]


def difference_intervals(
    cell: PromptShares, targets: ArrayLike, *, rng: np.random.Generator, draws: int = 1000, confidence: float = 0.95
) -> tuple[Array, Array]:
    """Return the bounds of each group's share minus its target; ``targets`` is (prompts, groups) or (groups,).

    The intervals are those of :func:`share_intervals`, but what scatters is a prompt's distance from its own target:
    prompts that follow their targets agree, however far the targets lie apart. Where targets differ, other prompts
    would have had others: the expanded percentile bootstrap over prompts widens the interval for that. It stays
    between minus the target and one minus the target.

    >>> cell = PromptShares.of([[0.75, 0.25]], [16])
    >>> low, high = difference_intervals(cell, [0.5, 0.5], rng=np.random.default_rng(0))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.005, -0.398], [0.398, -0.005])
    """
    wanted = np.broadcast_to(np.asarray(targets, dtype=float), cell.shares.shape)
    target, share = cell.mean(wanted), cell.share.clip(0, 1)
    low, high = bounds_about(cell, around_targets(cell, wanted), confidence)
    if _differ(wanted):
        drawn = bootstrap_means(cell.shares - wanted, weights=cell.weights, draws=draws, rng=rng)
        lower, upper = expanded_percentile(drawn, cell.prompts, confidence)
        low, high = np.minimum(low, lower + target).clip(min=0), np.maximum(high, upper + target).clip(max=1)
    return np.minimum(low, share) - target, np.maximum(high, share) - target


def ratio_intervals(
    cell: PromptShares, targets: ArrayLike, *, rng: np.random.Generator, draws: int = 1000, confidence: float = 0.95
) -> tuple[Array, Array]:
    """Return the bounds of each group's share divided by its target, nan where that is 0.

    What scatters is how far a prompt's share is from this multiple of its own target. No bound lies below 0, nor above
    the ratio of a group that everybody shows; a group that nobody shows has a ratio of 0 with the low bound 0 and a
    high bound above it. These are the same bounds on the scale of the ratio and of its logarithm.

    >>> cell = PromptShares.of([[0.75, 0.25]], [16])
    >>> low, high = ratio_intervals(cell, [0.5, 0.5], rng=np.random.default_rng(0))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([1.01, 0.204], [1.796, 0.99])
    """
    wanted = np.broadcast_to(np.asarray(targets, dtype=float), cell.shares.shape)
    target, share = cell.mean(wanted), cell.share.clip(0, 1)
    if not cell.prompts:
        return target, target.copy()
    known = np.where(target > 0, target, np.nan)
    ratio = share / known
    low, high = bounds_about(cell, around_targets(cell, wanted, np.nan_to_num(ratio)), confidence)
    low, high = low / known, high / known
    if _differ(wanted):
        both = bootstrap_means(np.hstack([cell.shares, wanted]), weights=cell.weights, draws=draws, rng=rng)
        seen, aims = np.split(both, 2, axis=1)
        lower, upper = expanded_percentile(seen / np.where(aims > 0, aims, np.nan), cell.prompts, confidence)
        low, high = np.fmin(low, lower), np.fmax(high, np.fmin(upper, 1 / known))
    return np.fmin(low, ratio), np.fmax(high, ratio)


def _differ(wanted: Array) -> bool:
    """Return whether prompts have targets of their own."""
    return bool(len(wanted) > 1 and (np.ptp(wanted, axis=0) > 1e-12).any())

"""How far a typical prompt lies from its own target.

The divergence of the mean hides what cancels: nurses drawn as women and surgeons drawn as men can average to the
reference. The mean of the prompts' own divergences does not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import bootstrap_means, expanded_percentile, multinomial_shares
from portrayal.stats.cells import PromptShares
from portrayal.stats.divergences import Divergence
from portrayal.stats.intervals import Array, Interval

__all__ = ["mean_divergence"]

INNER = 1000
"""Draws per prompt behind its correction: its own error is then far below that of the images."""


def mean_divergence(
    cell: PromptShares,
    targets: ArrayLike,
    divergence: Divergence,
    *,
    rng: np.random.Generator,
    draws: int = 1000,
    confidence: float = 0.95,
) -> tuple[float, Interval]:
    """Return the weighted mean over prompts of each prompt's divergence from its target, and its interval.

    Few images make every prompt look further off than it is, so each prompt's divergence is corrected by the excess
    that redrawing its images adds (the bootstrap estimate of bias). Near the target that takes off too little, so the
    low bound takes it off twice, and is 0 when prompts exactly on target would show as much by chance. The interval
    resamples prompts. Coverage is in docs/validity.md.

    >>> cell = PromptShares.of([[0.9, 0.1], [0.1, 0.9]], counts=[500, 500])
    >>> apart = lambda p, q: np.abs(p - q).sum(axis=-1) / 2
    >>> value, _ = mean_divergence(cell, [0.5, 0.5], apart, rng=np.random.default_rng(0))
    >>> round(value, 2), float(apart(cell.share, np.array([0.5, 0.5])))
    (0.4, 0.0)
    """
    wanted = np.broadcast_to(np.asarray(targets, dtype=float), cell.shares.shape)
    if cell.prompts < 2:
        return float("nan"), Interval(float("nan"), float("nan"))
    seen = np.asarray(divergence(cell.shares, wanted), dtype=float)
    if not np.isfinite(seen).all():
        return float("nan"), Interval(float("nan"), float("nan"))
    excess = _redrawn(cell, cell.shares, wanted, divergence, rng).mean(axis=0) - seen
    # Nothing lies further from a target than showing one group alone.
    alone = np.eye(cell.shares.shape[1])[:, None, :]
    most = float(cell.weight_shares @ np.asarray(divergence(alone, wanted)).max(axis=0))
    value = min(most, max(0.0, float(cell.weight_shares @ (seen - excess))))
    columns = np.column_stack([seen - 2 * excess, seen - excess])
    drawn = bootstrap_means(columns, weights=cell.weights, draws=draws, rng=rng)
    lows, highs = expanded_percentile(drawn, cell.prompts, confidence)
    low, high = float(lows[0]), float(highs[1])
    by_chance = _redrawn(cell, wanted, wanted, divergence, rng) @ cell.weight_shares
    if float(cell.weight_shares @ seen) <= np.quantile(by_chance, (1 + confidence) / 2):
        low = 0.0
    return value, Interval(min(value, max(0.0, low)), max(value, min(most, high)))


def _redrawn(
    cell: PromptShares, truths: Array, targets: Array, divergence: Divergence, rng: np.random.Generator
) -> Array:
    """Return the divergences (draws, prompts) that as many images would show if ``truths`` were the truth."""
    columns = [
        divergence(multinomial_shares(truth, max(1, round(float(count))), INNER, rng), target)
        for truth, target, count in zip(truths, targets, cell.counts, strict=True)
    ]
    return np.stack(columns, axis=1)

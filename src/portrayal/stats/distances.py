"""How far a typical prompt lies from its own target.

The divergence of the mean hides what cancels: nurses drawn as women and surgeons drawn as men can average to the
reference. The mean of the prompts' own divergences does not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import bootstrap_means, expanded_percentile, multinomial_shares, plausible_truths
from portrayal.stats.cells import PromptShares, worths
from portrayal.stats.divergences import Divergence, follows_targets, likely_correlations
from portrayal.stats.intervals import Array, Interval
from portrayal.stats.intraclass import CORRELATIONS

__all__ = ["mean_divergence"]

DRAWS, PROMPTS = 400, 400
"""How many likely kinds of prompts are considered, and how many prompts of each, by the number of groups."""
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
    low bound takes it off twice, and is 0 when prompts exactly on target would show as much by chance. It is never less
    than the divergence of the mean, as no mean of convex functions is.

    The interval resamples prompts. Few prompts, or prompts that agree in all their images, do not show how prompts may
    differ, so it is widened to what is likely of prompts that were not asked (:func:`_of_other_prompts`). Coverage is
    in docs/validity.md.

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
    least = float(divergence(cell.share, cell.mean(wanted)))
    value = min(most, max(0.0, least, float(cell.weight_shares @ (seen - excess))))
    columns = np.column_stack([seen - 2 * excess, seen - excess])
    drawn = bootstrap_means(columns, weights=cell.weights, draws=draws, rng=rng)
    lows, highs = expanded_percentile(drawn, cell.prompts, confidence)
    others = _of_other_prompts(cell, wanted, divergence, rng)
    tail = (1 - confidence) / 2
    low = min(float(lows[0]), float(np.quantile(others, tail, axis=-1).min()))
    high = max(float(highs[1]), float(np.quantile(others, 1 - tail, axis=-1).max()))
    by_chance = _redrawn(cell, wanted, wanted, divergence, rng) @ cell.weight_shares
    if float(cell.weight_shares @ seen) <= np.quantile(by_chance, (1 + confidence) / 2):
        low = 0.0
    return value, Interval(min(value, max(0.0, low)), max(value, min(most, high)))


def _of_other_prompts(cell: PromptShares, wanted: Array, divergence: Divergence, rng: np.random.Generator) -> Array:
    """Return mean divergences (groups, draws) of prompts like these, as likely as they are given the images.

    Each draw takes a likely intraclass correlation, shares over all prompts that could have shown these images (for
    each group that prior knowledge might favour, see :func:`plausible_truths`), and prompts that scatter about them by
    a Dirichlet distribution: about the same shares, or about the prompts' own targets where they follow these.
    """
    likely = np.cumsum(likely_correlations(cell, wanted))
    place = np.searchsorted(likely / likely[-1], (np.arange(DRAWS) + 0.5) / DRAWS)
    middle = plausible_truths(cell.share.clip(0, 1), worths(cell)[place], DRAWS, rng)[:, :, None, :]
    size = (DRAWS, PROMPTS // wanted.shape[1])
    targets = wanted[rng.choice(cell.prompts, size=size, p=cell.weight_shares)]
    if follows_targets(cell, wanted):
        middle = (targets + middle - cell.mean(wanted)).clip(min=1e-12)
        middle = middle / middle.sum(axis=-1, keepdims=True)
    spread = ((1 - CORRELATIONS) / CORRELATIONS)[place][:, None, None]
    shares = _dirichlet(np.broadcast_to(middle * spread, (len(middle), *targets.shape)), rng)
    return np.asarray(divergence(shares, targets).mean(axis=-1))


def _dirichlet(parameters: Array, rng: np.random.Generator) -> Array:
    """Return draws for parameters on the last axis, which may be so small that all but one share is 0."""
    small = np.maximum(parameters, 1e-9)
    # A gamma variate of a is one of a + 1 times a power of a uniform one; on the scale of logs nothing vanishes.
    logs = np.log(rng.standard_gamma(small + 1)) - rng.standard_exponential(small.shape) / small
    shares = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def _redrawn(
    cell: PromptShares, truths: Array, targets: Array, divergence: Divergence, rng: np.random.Generator
) -> Array:
    """Return the divergences (draws, prompts) that as many images would show if ``truths`` were the truth."""
    columns = [
        divergence(multinomial_shares(truth, max(1, round(float(count))), INNER, rng), target)
        for truth, target, count in zip(truths, targets, cell.counts, strict=True)
    ]
    return np.stack(columns, axis=1)

"""Shares of *prompts like these*: a suite read as a sample of prompts, of which others might have been asked.

How much prompts differ is an intraclass correlation. Few prompts, or prompts whose images all agree, hardly tell it;
then what the other cells of a study tell counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from portrayal.stats.intervals import Array
from portrayal.stats.shares.cells import PromptShares
from portrayal.stats.shares.intraclass import CORRELATIONS, PRIOR, correlation_weights, mixed_bounds

__all__ = ["borrowed_priors", "sample_intervals", "sample_worths", "typical_half_width"]

_DRAWS = 200


def sample_intervals(cell: PromptShares, prior: Array = PRIOR, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the bounds of the share of each group in prompts like these; nan for one prompt, which tells of no other.

    They are Clopper's and Pearson's on as many independent images as the cell is worth, averaged over how alike the
    images of a prompt may be (:mod:`portrayal.stats.shares.intraclass`).

    >>> low, high = sample_intervals(PromptShares.of([[1.0, 0.0]] * 8, counts=[30] * 8))
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.75, 0.0], [1.0, 0.25])
    """
    share = cell.share.clip(0, 1)
    if cell.prompts < 2:
        return np.full(share.shape, np.nan), np.full(share.shape, np.nan)
    weights = correlation_weights(cell.shares, cell.counts, prior)
    return mixed_bounds(share, sample_worths(cell), weights, confidence)


def sample_worths(cell: PromptShares) -> Array:
    """Return how many independent images would know a share as well as the cell does, at each correlation.

    >>> sample_worths(PromptShares.of([[0.5], [0.5], [0.5]], counts=[8, 8, 8]))[[0, -1]].round(1).tolist()
    [24.0, 3.1]
    """
    squares, images = cell.weight_shares**2, cell.independent.mean(axis=1)
    alike, apart = float((squares / images).sum()) * cell.shared, float(squares.sum())
    return np.asarray(1 / (CORRELATIONS * apart + (1 - CORRELATIONS) * alike))


def borrowed_priors(cells: Sequence[PromptShares]) -> list[Array]:
    """Return for each cell how likely correlations are by what the others tell, beside one cell that tells nothing.

    Cells of one prompt, and groups that no image shows or all do, tell nothing.

    >>> alike = PromptShares.of([[0.5, 0.5]] * 9, counts=[50] * 9)
    >>> one, other, _ = borrowed_priors([alike, alike, PromptShares.of([[1.0, 0.0]] * 3, counts=[8] * 3)])
    >>> (PRIOR @ CORRELATIONS).round(2), (one @ CORRELATIONS).round(2)
    (np.float64(0.5), np.float64(0.25))
    """
    fits = [_posteriors(cell) for cell in cells]
    total, number = sum(fit.sum(axis=0) for fit in fits) + PRIOR, sum(map(len, fits)) + 1
    return [(total - fit.sum(axis=0)) / (number - len(fit)) for fit in fits]


def typical_half_width(share: float, correlation: float, *, prompts: int, images: int) -> float:
    """Return half the width that an interval of prompts like these typically has: the median of drawn studies.

    Prompts lie about ``share`` as ``correlation`` says. The draws are the same each time; nan for one prompt.

    >>> round(typical_half_width(0.5, 0.1, prompts=8, images=10), 2)
    0.18
    """
    rng, mass = np.random.default_rng(0), (1 - correlation) / max(correlation, 1e-6)
    one, other = (max(part * mass, 1e-6) for part in (share, 1 - share))
    shares = rng.beta(one, other, size=(prompts, _DRAWS))
    seen = rng.binomial(images, shares) / images
    low, high = sample_intervals(PromptShares.of(seen, np.full(prompts, images)))
    return float(np.median(high - low) / 2)


def _posteriors(cell: PromptShares) -> Array:
    """Return how likely correlations are by the groups that tell anything: a row, or none (rows, correlations)."""
    telling = (cell.shares > 0).any(axis=0) & (cell.shares < 1).any(axis=0)
    if cell.prompts < 2 or not telling.any():
        return np.zeros((0, len(CORRELATIONS)))
    return np.asarray(correlation_weights(cell.shares, cell.counts)[telling].mean(axis=0, keepdims=True))

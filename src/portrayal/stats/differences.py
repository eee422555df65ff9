"""How far shares lie from their targets, group by group, and how sure one can be of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import bootstrap_means, expanded_percentile
from portrayal.stats.cells import PromptShares, effective_images
from portrayal.stats.intervals import Array, wilson_modified

__all__ = ["difference_intervals"]


def difference_intervals(
    cell: PromptShares, targets: ArrayLike, *, rng: np.random.Generator, draws: int = 1000, confidence: float = 0.95
) -> tuple[Array, Array]:
    """Return the bounds of each group's share minus its target; ``targets`` is (prompts, groups) or (groups,).

    The intervals are those of :func:`share_intervals`, but what scatters is a prompt's distance from its own target:
    prompts that follow their targets agree, however far the targets lie apart.

    >>> cell = PromptShares.of([[0.75, 0.25]], [16])
    >>> low, high = difference_intervals(cell, [0.5, 0.5], rng=np.random.default_rng(0))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.005, -0.398], [0.398, -0.005])
    """
    wanted = np.broadcast_to(np.asarray(targets, dtype=float), cell.shares.shape)
    target = cell.mean(wanted)
    if not cell.prompts:
        return target, target.copy()
    share, apart = cell.share, cell.shares - wanted
    # Where all images agree and only the targets differ, an image varies as its target does: else such a cell would
    # pass for a single image.
    spread = np.maximum(share * (1 - share), cell.weight_shares @ (apart - cell.mean(apart)) ** 2)
    worth = effective_images(cell, spread, cell.variance(apart), confidence)
    low, high = (bound - target for bound in wilson_modified(share, worth, confidence))
    if cell.prompts == 1:
        return low, high
    drawn = bootstrap_means(apart, weights=cell.weights, draws=draws, rng=rng)
    lower, upper = expanded_percentile(drawn, cell.prompts, confidence)
    return np.minimum(low, lower), np.maximum(high, upper)

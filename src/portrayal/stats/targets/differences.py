"""How far shares lie from their targets, group by group, and how sure one can be of it.

Which targets prompts have is known: only their images vary. So these are the bounds of shares on another scale.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.intervals import Array
from portrayal.stats.shares.cells import PromptShares, share_intervals

__all__ = ["difference_intervals", "ratio_intervals"]


def difference_intervals(cell: PromptShares, targets: ArrayLike, *, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the bounds of each group's share minus its target; ``targets`` is (prompts, groups) or (groups,).

    >>> low, high = difference_intervals(PromptShares.of([[0.75, 0.25]], [16]), [0.5, 0.5])
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([-0.024, -0.427], [0.427, 0.024])
    """
    target = _target(cell, targets)
    low, high = share_intervals(cell, confidence=confidence)
    return low - target, high - target


def ratio_intervals(cell: PromptShares, targets: ArrayLike, *, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the bounds of each group's share divided by its target, nan where that is 0.

    >>> low, high = ratio_intervals(PromptShares.of([[0.75, 0.25]], [16]), [0.5, 0.5])
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.952, 0.145], [1.855, 1.048])
    """
    target = _target(cell, targets)
    known = np.where(target > 0, target, np.nan)
    low, high = share_intervals(cell, confidence=confidence)
    return low / known, high / known


def _target(cell: PromptShares, targets: ArrayLike) -> Array:
    return cell.mean(np.broadcast_to(np.asarray(targets, dtype=float), cell.shares.shape))

"""A group's share beside the share it should have."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.metrics.divergence import Array, paired

__all__ = ["difference", "ratio"]


def difference(p: ArrayLike, q: ArrayLike) -> Array:
    """Return by how much each group's share in ``p`` exceeds its share in ``q``.

    >>> difference([0.75, 0.25], [0.5, 0.5]).tolist()
    [0.25, -0.25]
    """
    left, right = paired(p, q)
    return np.asarray(left - right)


def ratio(p: ArrayLike, q: ArrayLike) -> Array:
    """Return how many times its share in ``q`` each group has in ``p``.

    A group absent from ``q`` is infinitely over-represented, unless ``p`` lacks it too: then nothing can be said.

    >>> ratio([0.75, 0.25, 0.0], [0.5, 0.0, 0.0]).tolist()
    [1.5, inf, nan]
    """
    left, right = paired(p, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(left / right)

"""Prompts that share pictures: what one picture tells of several prompts, it tells once."""

from __future__ import annotations

import numpy as np

from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["sharing"]


def sharing(pictures: tuple[Ints, Ints] | None, places: Ints, weights: Array, counts: Array) -> float:
    """Return by how much pictures that several prompts have in common raise the variance of a mean over prompts.

    ``pictures`` are number and cell of those that a generator made for several prompts, ``places`` the cells of the
    prompts. An image of a prompt counts for the prompt's weight divided by its images; a picture of several prompts
    counts for the sum of that.

    >>> pictures = np.array([0, 0]), np.array([4, 7])
    >>> sharing(pictures, np.array([4, 7]), np.ones(2), np.array([1.0, 1.0]))
    2.0
    >>> sharing(pictures, np.array([4]), np.ones(1), np.array([1.0]))
    1.0
    """
    if pictures is None or len(places) < 2 or not len(pictures[0]):
        return 1.0
    each = np.divide(weights, counts, out=np.zeros_like(weights), where=counts > 0)
    apart = float((each**2 * counts).sum())
    order = np.argsort(places)
    at = np.searchsorted(places[order], pictures[1]).clip(max=len(places) - 1)
    here = places[order][at] == pictures[1]
    _, number = np.unique(pictures[0][here], return_inverse=True)
    single = each[order][at[here]]
    together = np.bincount(number, single) if len(number) else np.zeros(0)
    more = float((together**2).sum() - (single**2).sum())
    return 1 + more / apart if apart > 0 else 1.0

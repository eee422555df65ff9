"""Which prompts get the next images: where an image tells most, as in Neyman (1934)."""

from __future__ import annotations

import numpy as np

from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["allocated", "spread_of", "within_room"]

_LEAST = 0.25
"""A prompt whose images all agree is taken to vary at least so much, as a standard deviation: it may not be so sure."""
_PRIOR = 2.0


def spread_of(seen: Array, usable: Array, share: Array) -> Array:
    """Return how much single images of each prompt vary, of the group (columns) that varies most.

    Few images say little: the share of all prompts counts for two more.

    >>> spread_of(np.array([[5.0], [0.0]]), np.array([10.0, 10.0]), np.array([0.25])).round(2).tolist()
    [0.5, 0.25]
    """
    likely = (seen + _PRIOR * share) / (usable[:, None] + _PRIOR)
    return np.asarray(np.maximum(np.sqrt(likely * (1 - likely)).max(axis=1), _LEAST))


def allocated(total: int, so_far: Ints, most: Ints, worth: Array) -> Ints:
    """Return how many images each prompt has with ``total`` in all, in proportion to ``worth``.

    No prompt has fewer than so far, nor more than it may.

    >>> allocated(40, np.array([10, 10]), np.array([100, 100]), np.array([3.0, 1.0])).tolist()
    [30, 10]
    >>> allocated(40, np.array([10, 10]), np.array([15, 100]), np.array([3.0, 1.0])).tolist()
    [15, 25]
    """
    total = min(max(total, int(so_far.sum())), int(most.sum()))
    low, high = 0.0, float((most / worth).max())
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(middle * worth, so_far, most).sum() < total else (low, middle)
    exact = np.clip(high * worth, so_far, most)
    given: Ints = np.maximum(np.floor(exact + 1e-9).astype(np.int64), so_far)
    # What rounding leaves goes to those who lost most by it, the first of equal ones.
    for place in np.argsort(given - exact, kind="stable"):
        if given.sum() < total and given[place] < most[place]:
            given[place] += 1
    return given


def within_room(more: Ints, room: int) -> Ints:
    """Return further images, each in the same proportion fewer, so that all together are at most ``room``.

    >>> within_room(np.array([10, 30, 1]), 20).tolist(), within_room(np.array([1, 2]), 20).tolist()
    ([5, 15, 0], [1, 2])
    """
    total = int(more.sum())
    if total <= room:
        return more
    exact = more * (room / total)
    given = np.floor(exact + 1e-9).astype(np.int64)
    for place in np.argsort(given - exact, kind="stable")[: max(room - int(given.sum()), 0)]:
        given[place] += 1
    return np.asarray(given)

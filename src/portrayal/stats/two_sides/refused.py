"""How far a difference may lie from the one seen before a test refuses it: many at once, on all cores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from portrayal.stats.intervals import Array

__all__ = ["in_pieces", "last_refused"]

_EXACT = 1e-12
_MOST_STEPS = 100
_PIECE = 8192
"""So many at once stay in the cache of a processor."""


def last_refused(start: Array, difference: Array, excess: Callable[[Array], Array]) -> Array:
    """Return how far from the difference seen, towards ``start``, a difference is not refused.

    ``excess`` is how far a test's statistic lies above its limit: above 0 it refuses. The root is found as Chandrupatla
    (1997) does: by inverse interpolation where that is safe, else by halving.

    >>> bounds = last_refused(np.array([-1.0, -1.0]), np.array([0.0, 0.5]), lambda d: d**2 - 0.25)
    >>> bounds.round(6).tolist()
    [-0.5, -0.5]
    """
    new, old = start.astype(float), difference.astype(float)
    at_new, at_old = excess(new), excess(old)
    free = ~(at_new > 0)
    part = np.full(new.shape, 0.5)
    for _ in range(_MOST_STEPS):
        tried = new + part * (old - new)
        at_tried = excess(tried)
        same = (at_tried > 0) == (at_new > 0)
        third, at_third = np.where(same, new, old), np.where(same, at_new, at_old)
        old, at_old = np.where(same, old, new), np.where(same, at_old, at_new)
        new, at_new = tried, at_tried
        width = np.abs(new - old)
        if not np.any((width > _EXACT) & ~free):
            break
        part = _step((new, old, third), (at_new, at_old, at_third), width)
    return np.where(free, start, np.where(at_new > 0, old, new))


def _step(places: tuple[Array, Array, Array], heights: tuple[Array, Array, Array], width: Array) -> Array:
    """Return which part of the way to the other end to try next."""
    (new, old, third), (at_new, at_old, at_third) = places, heights
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        along, up = (new - old) / (third - old), (at_new - at_old) / (at_third - at_old)
        safe = (up**2 < along) & ((1 - up) ** 2 < 1 - along)
        part = at_new / (at_old - at_new) * at_third / (at_old - at_third)
        part += (third - new) / (old - new) * at_new / (at_third - at_new) * at_old / (at_third - at_old)
        least = np.minimum(_EXACT / 2 / np.maximum(width, _EXACT), 0.5)
    return np.clip(np.where(safe & np.isfinite(part), part, 0.5), least, 1 - least)


def in_pieces(compute: Callable[..., Array], *columns: Array) -> Array:
    """Return what ``compute`` makes of columns, piece by piece; on all cores where these are long.

    >>> in_pieces(np.add, np.arange(3.0), np.ones(3)).tolist()
    [1.0, 2.0, 3.0]
    """
    rows = columns[0].size
    if columns[0].ndim != 1 or rows <= _PIECE:
        return compute(*columns)
    from concurrent.futures import ThreadPoolExecutor  # rows are few as a rule

    from portrayal.processes import cpu_count

    starts = range(0, rows, _PIECE)
    with ThreadPoolExecutor(max_workers=cpu_count()) as pool:
        pieces = pool.map(lambda start: compute(*(each[start : start + _PIECE] for each in columns)), starts)
        return np.concatenate(list(pieces), axis=-1)

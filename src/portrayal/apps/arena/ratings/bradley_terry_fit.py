"""Bradley-Terry and Davidson by Newton's method, for many tables of wins at the same time.

Both are one model: the chance that i beats j is proportional to exp(d / 2), of the reverse to exp(-d / 2), and of a
draw to nu, where d is the difference of strengths. Without draws nu is 0, and it is Bradley-Terry's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from portrayal.apps.arena.ratings.win_counts import WinCounts
from portrayal.stats.intervals import Array

__all__ = ["fit_strengths", "strongly_connected"]

LIMIT = 200
TOLERANCE = 1e-11
_LONGEST = 2.0
"""The longest step in strength, natural log of odds: Newton's method overshoots far from the top."""


def strongly_connected(edges: Array) -> NDArray[np.bool_]:
    """Return for each graph (..., models, models) whether every model can be reached from every other one.

    >>> strongly_connected(np.array([[[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 0.0]]])).tolist()
    [True, False]
    """
    models = edges.shape[-1]
    reach = ((edges > 0) | np.eye(models, dtype=bool)).astype(np.float32)
    for _ in range(max(models - 1, 1).bit_length()):
        if (reach > 0).all():  # as it mostly is after a step or none
            break
        reach = np.minimum(reach @ reach, 1)
    return np.asarray((reach > 0).all(axis=(-2, -1)))


def fit_strengths(counts: WinCounts, start: Array | None = None) -> Array:
    """Return the strengths (tables, models) that make each table of wins most likely; each row's mean is 0.

    Every table must be :func:`strongly_connected` by its wins, where draws are half a win each, or given apart as
    ``ties``: else nothing is most likely. ``start`` are strengths to begin with.
    """
    wins, ties = counts.wins, counts.ties
    tables, models = wins.shape[0], wins.shape[-1]
    strength = np.zeros((tables, models)) if start is None else np.broadcast_to(start, (tables, models)).copy()
    drawn = ties.sum(axis=(-2, -1)) / 2
    decided = wins.sum(axis=(-2, -1))
    draws = np.log(np.maximum(drawn, 1e-9) / np.maximum(decided, 1e-9)) + np.log(2)
    active = np.arange(tables)
    for _ in range(LIMIT):
        some = WinCounts(wins[active], ties[active])
        step, draw_step = _step(some, strength[active], draws[active], drawn[active])
        longest = np.abs(np.column_stack([step, draw_step])).max(axis=1)
        scale = np.minimum(1, _LONGEST / np.maximum(longest, _LONGEST))
        strength[active] += scale[:, None] * step
        draws[active] += scale * draw_step
        active = active[longest > TOLERANCE]
        if not len(active):
            break
    return np.asarray(strength - strength.mean(axis=1, keepdims=True))


def _step(counts: WinCounts, strength: Array, draws: Array, drawn: Array) -> tuple[Array, Array]:
    """Return Newton's step for strengths and for log nu; the latter stays where nothing was drawn."""
    ahead = strength[:, :, None] - strength[:, None, :]
    met = counts.wins + np.swapaxes(counts.wins, 1, 2) + counts.ties
    models = strength.shape[1]
    if not drawn.any():
        expected = expit(ahead)
        slope = (counts.wins - met * expected).sum(axis=2)
        step = np.linalg.solve(_laplacian(met * expected * (1 - expected)), slope[:, :, None])
        return step[:, :, 0], np.zeros(len(strength))
    win, draw = _chances(ahead, np.where(drawn > 0, np.exp(np.minimum(draws, 700.0)), 0.0))
    expected = win + draw / 2
    slope = (counts.wins + counts.ties / 2 - met * expected).sum(axis=2)
    bend = np.zeros((len(strength), models + 1, models + 1))
    bend[:, :models, :models] = _laplacian(met * (win + draw / 4 - expected**2))
    bend[:, :models, models] = bend[:, models, :models] = (met * draw * (0.5 - expected)).sum(axis=2)
    bend[:, models, models] = np.where(drawn > 0, (met * draw * (1 - draw)).sum(axis=(1, 2)) / 2, 1.0)
    surplus = np.where(drawn > 0, drawn - (met * draw).sum(axis=(1, 2)) / 2, 0.0)
    step = np.linalg.solve(bend, np.column_stack([slope, surplus])[:, :, None])[:, :, 0]
    return step[:, :models], step[:, models]


def _chances(ahead: Array, nu: Array) -> tuple[Array, Array]:
    # Divided by the larger of the two wins, so that nothing overflows.
    win, loss = np.exp(np.minimum(ahead, 0)), np.exp(-np.maximum(ahead, 0))
    win, loss = np.where(ahead >= 0, 1.0, win), np.where(ahead >= 0, loss, 1.0)
    draw = nu[:, None, None] * np.exp(-np.abs(ahead) / 2)
    total = win + loss + draw
    return win / total, draw / total


def _laplacian(weight: Array) -> Array:
    """Return how the slopes change with the strengths; the mean, on which nothing depends, is held at 0."""
    models = weight.shape[-1]
    weight = weight * (1 - np.eye(models))
    degree = weight.sum(axis=2)
    hold = degree.mean(axis=1) / models + 1e-12
    return np.asarray(degree[:, :, None] * np.eye(models) - weight + hold[:, None, None])

"""Elo as Klassert, Ulges and Fu (2026) compute it: one vote after the other, each moving two ratings a little."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from portrayal.apps.arena.ratings.vote_values import SKIP
from portrayal.apps.arena.ratings.votes import Votes
from portrayal.errors import ConfigError
from portrayal.stats.intervals import Array

__all__ = ["EloParameters", "elo", "elo_in_random_orders"]

# What the first model scores: it wins, the second wins, a draw.
_SCORE = (1.0, 0.0, 0.5)


@dataclass(frozen=True, slots=True)
class EloParameters:
    """How far a vote moves a rating, and what a difference of ratings means: ``scale`` points are odds of ``base``."""

    k: float = 4
    scale: float = 400
    base: float = 10
    initial: float = 1000

    def __post_init__(self) -> None:
        values = (self.k, self.scale, self.base, self.initial)
        if not all(math.isfinite(value) for value in values) or self.k < 0 or self.scale <= 0 or self.base <= 1:
            raise ConfigError(
                f"Elo needs k >= 0, scale > 0 and base > 1, got k={self.k}, scale={self.scale}, base={self.base}, "
                f"initial={self.initial}"
            )


_PUBLISHED = EloParameters()


def elo(votes: Any, *, k: float = 4, scale: float = 400, base: float = 10, initial: float = 1000) -> dict[str, float]:
    """Return each model's Elo rating after all ``votes``, in their order: Klassert et al. (2026), Algorithm 1.

    Parameters
    ----------
    votes
        Tuples (model_a, model_b, vote, …), mappings or objects with these names, or :class:`Votes`. A vote is 0 when
        A is better, 1 when B is, and 2, 3, 0.5, -1, "draw" or "tie" for a draw; None, "" and "skip" are left out.
    k, scale, base, initial
        The step, the scale and base of the odds, and the rating to start with.

    Examples
    --------
    >>> elo([("x", "y", 0)])
    {'x': 1002.0, 'y': 998.0}
    """
    given = Votes.of(votes).rated()
    rating = _run(given, None, EloParameters(k, scale, base, initial))
    return dict(zip(given.models, rating, strict=True))


def elo_in_random_orders(
    votes: Votes, orders: int, rng: np.random.Generator, parameters: EloParameters = _PUBLISHED
) -> Array:
    """Return the ratings (orders, models) after the same votes in random orders.

    >>> votes = Votes.of([("x", "y", 0), ("y", "x", 0)])
    >>> elo_in_random_orders(votes, 2, np.random.default_rng(0)).shape
    (2, 2)
    """
    drawn = [_run(votes, rng.permutation(len(votes)), parameters) for _ in range(orders)]
    return np.array(drawn).reshape(orders, len(votes.models))


def _run(votes: Votes, order: Any, parameters: EloParameters) -> list[float]:
    rating = [float(parameters.initial)] * len(votes.models)
    outcome = votes.outcome
    # A model against itself wins as much as it loses.
    counts = (outcome != SKIP) & (votes.first != votes.second)
    which = np.flatnonzero(counts) if order is None else order[counts[order]]
    scores = np.array(_SCORE)[outcome[which]]
    # 1 / (1 + base^(-d / scale)) as (1 + tanh) / 2: it never overflows, and both models' expectations add up to 1.
    half, k, tanh = math.log(parameters.base) / (2 * parameters.scale), parameters.k, math.tanh
    for a, b, score in zip(votes.first[which].tolist(), votes.second[which].tolist(), scores.tolist(), strict=True):
        step = k * (score - 0.5 - 0.5 * tanh(half * (rating[a] - rating[b])))
        rating[a] += step
        rating[b] -= step
    return rating

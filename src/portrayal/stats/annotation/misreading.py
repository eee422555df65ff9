"""Shares as they must be if an annotator reads people as it read those of whom it is known who they are.

What is seen is what is there, mixed by the annotator's errors: ``seen = shares @ rates``, with a row of ``rates`` for
each group, how often people of it are read as each group. Turning that round is the correction of Rogan and Gladen
(1978), for any number of groups. It holds as far as people of one group are misread alike wherever they are shown.

The interval heeds both samples, the labels and the images. Each row of the matrix and the shares seen are drawn from
what their counts leave possible (Dirichlet distributions, with one image more, spread over the groups), each draw is
turned round, and the bounds are quantiles of what comes out. Draws may leave 0 to 1: cut off before, they would never
hold a share of 0, which models do show. ``benchmarks/corrections.py`` measures how often the interval holds the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.intervals import Array

__all__ = ["CorrectedShares", "Misreading"]

DRAWS = 4000
_SINGULAR = 0.05
"""Where what two groups are read as differs by less than this, no number of images tells them apart."""

_ALL = 1e3
"""How much more it counts that shares add up to 1 than that they fit what was seen."""


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedShares:
    """Corrected shares of all groups and the bounds of their intervals; nan, 0 and 1 where nothing is known."""

    shares: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class Misreading:
    """How an annotator read people of whom it is known who they are: counts, a row for each group that they are.

    ``confidence`` is that of the intervals of everything that is put right by it.
    """

    counts: Sequence[Sequence[float]]
    seed: int = 0
    confidence: float = 0.95

    @cached_property
    def labels(self) -> int:
        """How many people it is known from."""
        return round(float(self._counts.sum()))

    @cached_property
    def rates(self) -> Array:
        """How often people of each group are read as each; of a group without people nothing is known: read right."""
        known = self._counts.sum(axis=1, keepdims=True)
        return np.where(known > 0, self._counts / np.maximum(known, 1e-12), np.eye(len(self._counts)))

    @cached_property
    def can_correct(self) -> bool:
        """Whether what is read tells the groups apart at all."""
        return float(np.linalg.svd(self.rates, compute_uv=False).min()) >= _SINGULAR

    def shares(self, seen: ArrayLike) -> Array:
        """Return the shares that would be seen as ``seen`` or, where none would, those that come closest to it.

        >>> Misreading([[40, 10], [0, 50]]).shares([0.4, 0.6]).tolist()
        [0.5, 0.5]
        >>> Misreading([[40, 10], [0, 50]]).shares([0.9, 0.1]).round(6).tolist()
        [1.0, 0.0]
        """
        read = np.asarray(seen, dtype=float)
        shares = np.linalg.solve(self.rates.T, read)
        if shares.min() < 0:
            from scipy.optimize import nnls  # scipy takes a moment to load

            whole = np.full((1, len(read)), _ALL)
            shares, _ = nnls(np.vstack([self.rates.T, whole]), np.append(read, _ALL))
        return np.asarray(shares / shares.sum())

    def corrected(self, seen: ArrayLike, worth: float) -> CorrectedShares:
        """Return the shares with the interval that labels and images leave, which are worth so many independent ones.

        >>> found = Misreading([[40, 10], [0, 50]]).corrected([0.4, 0.6], 200)
        >>> found.shares.round(2).tolist(), found.low.round(1).tolist(), found.high.round(1).tolist()
        ([0.5, 0.5], [0.4, 0.4], [0.6, 0.6])
        """
        groups = len(self._counts)
        if not self.can_correct or not worth > 0:
            return CorrectedShares(np.full(groups, np.nan), np.zeros(groups), np.ones(groups))
        shares = self.shares(seen)
        low, high = np.quantile(self.drawn(seen, worth), self._ends, axis=0).clip(0, 1)
        return CorrectedShares(shares, np.minimum(low, shares), np.maximum(high, shares))

    def difference(self, one: tuple[ArrayLike, float], other: tuple[ArrayLike, float]) -> CorrectedShares:
        """Return how far the shares of ``one`` lie above those of ``other``: each what was seen, and what it is worth.

        Both are undone by the same draws of the matrix, whose errors go into both alike.

        >>> found = Misreading([[40, 10], [0, 50]]).difference(([0.4, 0.6], 200), ([0.6, 0.4], 200))
        >>> found.shares.round(2).tolist(), found.low.round(1).tolist(), found.high.round(1).tolist()
        ([-0.25, 0.25], [-0.4, 0.1], [-0.1, 0.4])
        """
        groups = len(self._counts)
        (seen, worth), (other_seen, other_worth) = one, other
        if not self.can_correct or not min(worth, other_worth) > 0:
            return CorrectedShares(np.full(groups, np.nan), np.full(groups, -1.0), np.ones(groups))
        # Not held to 0 to 1 each, which would draw a difference beside a share near an end towards 0.
        apart = np.asarray(seen, dtype=float) - np.asarray(other_seen, dtype=float)
        value = np.linalg.solve(self.rates.T, apart).clip(-1, 1)
        drawn = self.drawn(seen, worth) - self.drawn(other_seen, other_worth, stream=2)
        low, high = np.quantile(drawn, self._ends, axis=0).clip(-1, 1)
        return CorrectedShares(value, np.minimum(low, value), np.maximum(high, value))

    def drawn(self, seen: ArrayLike, worth: float, stream: int = 1) -> Array:
        """Return draws (draws, groups) of the corrected shares; those of one matrix belong together.

        Shares of other images take another ``stream``: by chance they lie off in other ways.
        """
        rng = np.random.default_rng([self.seed, stream])
        masses = np.asarray(seen, dtype=float).clip(0, 1) * worth
        drawn = rng.standard_gamma(masses + 1 / len(masses), size=(DRAWS, len(masses)))
        read = drawn / drawn.sum(axis=1, keepdims=True)
        return np.asarray(np.einsum("dr,drg->dg", read, self._undoing))

    @property
    def _ends(self) -> tuple[float, float]:
        return (1 - self.confidence) / 2, (1 + self.confidence) / 2

    @cached_property
    def _counts(self) -> Array:
        return np.array(self.counts, dtype=float)

    @cached_property
    def _undoing(self) -> Array:
        """Draws of what turns shares as they are read into shares as they are, the same for all shares."""
        rng = np.random.default_rng([self.seed, 0])
        drawn = rng.standard_gamma(self._counts + 1 / len(self._counts), size=(DRAWS, *self._counts.shape))
        drawn = drawn.clip(min=1e-300)  # of a tiny shape all of a row may be nothing
        return np.linalg.inv(drawn / drawn.sum(axis=2, keepdims=True))

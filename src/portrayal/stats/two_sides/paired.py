"""Differences between two sides that were drawn in pairs, group by group, and how sure one can be of them.

A pair's difference is the group's share in the one picture minus its share in the other: -1, 0 or 1 where each shows
one person. Pairs of one cluster, such as an occupation, resemble one another. The statement is about these clusters;
what others might have shown is another question, which few clusters cannot answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import bootstrap_means, expanded_percentile
from portrayal.stats.intervals import Array, t_value
from portrayal.stats.shares.cells import PromptShares, effective_images

__all__ = ["Pairs", "matched_bounds"]

ENOUGH = 10
"""Clusters from which on those seen say how far others differ."""
_MADE_UP = 2.0
"""Pairs that are added to those seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Of each cluster: how many pairs, and by group the sums of their differences and of the squares of these."""

    counts: Array
    totals: Array
    squares: Array
    weights: Array

    @classmethod
    def of(cls, counts: ArrayLike, totals: ArrayLike, squares: ArrayLike, weights: ArrayLike | None = None) -> Pairs:
        """Return the pairs of the clusters that have any; ``totals`` and ``squares`` are (clusters, groups)."""
        pairs = np.asarray(counts, dtype=float)
        mass = np.ones(len(pairs)) if weights is None else np.asarray(weights, dtype=float)
        kept = pairs > 0
        return cls(pairs[kept], np.asarray(totals, float)[kept], np.asarray(squares, float)[kept], mass[kept])

    @property
    def cell(self) -> PromptShares:
        """The mean difference of each cluster."""
        return PromptShares.of(self.totals / self.counts[:, None], self.counts, self.weights)

    @property
    def difference(self) -> Array:
        """The mean over clusters of their mean differences, by group; nan when there are none."""
        return self.cell.share

    def intervals(self, confidence: float = 0.95) -> tuple[Array, Array]:
        """Return the bounds of the difference of each group in these clusters, whose pairs alone vary.

        They are :func:`matched_bounds` on as many pairs of one cluster as would know the difference as well: more than
        there are where clusters differ, since their differences from one another are then no chance. Few pairs know
        little of how pairs vary, which Student's distribution pays for. Swapping the sides mirrors the bounds.

        >>> low, high = Pairs.of([4, 4], [[2.0, -2.0], [-1.0, 1.0]], [[2.0, 2.0], [1.0, 1.0]]).intervals()
        >>> low.round(3).tolist(), high.round(3).tolist()
        ([-0.34, -0.54], [0.54, 0.34])
        """
        if not len(self.counts):
            return self.difference, self.difference.copy()
        mean, square = self.moments()
        return matched_bounds(mean, square, self.worth(confidence), confidence, freedom=self._least + _MADE_UP)

    def worth(self, confidence: float = 0.95) -> Array:
        """Return of each group how many pairs of one cluster would know the difference as well as those of all do."""
        mean, square = self.moments()
        return self._worth(np.clip(square - mean**2, 0.0, None), self._least, confidence)

    @property
    def _least(self) -> float:
        return 1 / float((self.cell.weight_shares**2 / self.counts).sum())

    def sample_intervals(
        self, *, rng: np.random.Generator, draws: int = 1000, confidence: float = 0.95
    ) -> tuple[Array, Array]:
        """Return the bounds of the difference in clusters like these; nan below ten, which tell too little of others.

        They are the outer bounds of :func:`matched_bounds` on the effective number of pairs, fewer than counted where
        clusters differ, and of the expanded percentile bootstrap over clusters, and hold :meth:`intervals`.
        """
        cell = self.cell
        if cell.prompts < ENOUGH:
            return np.full(self.difference.shape, np.nan), np.full(self.difference.shape, np.nan)
        mean, square = self.moments()
        spread = np.clip(square - mean**2, 0.0, None)
        worth = effective_images(cell, spread, cell.variance(cell.shares), confidence)
        drawn = bootstrap_means(cell.shares, weights=cell.weights, draws=draws, rng=rng)
        every = [
            self.intervals(confidence),
            matched_bounds(mean, square, worth, confidence),
            expanded_percentile(drawn, cell.prompts, confidence),
        ]
        lows, highs = zip(*every, strict=True)
        return np.min(lows, axis=0), np.max(highs, axis=0)

    def moments(self) -> tuple[Array, Array]:
        """Return the mean over clusters of differences and of squared differences."""
        return self.cell.share, self.cell.mean(self.squares / self.counts[:, None])

    def _worth(self, spread: Array, least: float, confidence: float) -> Array:
        """Return how many pairs of one cluster would know the difference as well as those of all clusters do."""
        n = self.counts[:, None]
        seen = np.clip(self.squares / n - (self.totals / n) ** 2, 0.0, None) * n / np.maximum(n - 1, 1)
        # With the made-up pairs of Agresti and Min: pairs that agree do not prove that all pairs do.
        smooth = (self.squares + 1) / (n + _MADE_UP) - (self.totals / (n + _MADE_UP)) ** 2
        each = np.where(n <= 1, np.maximum(smooth, spread), np.maximum(seen, smooth))
        variance = (each * self.cell.weight_shares[:, None] ** 2 / n).sum(axis=0)
        freedom = max(float((self.counts - 1).clip(min=0).sum()), 1.0)
        sure = (t_value(confidence) / t_value(confidence, freedom)) ** 2
        return np.asarray(np.maximum(spread * sure / variance, least))


def matched_bounds(
    mean: ArrayLike, square: ArrayLike, n: ArrayLike, confidence: float = 0.95, *, freedom: float = math.inf
) -> tuple[Array, Array]:
    """Return the interval of a mean difference of ``n`` matched pairs by Agresti and Min (2005).

    ``square`` is the mean of the squared differences. Two made-up pairs are added, half of one differing by 1, half of
    one by -1, and one not at all: four pairs without a difference do not prove that there is none. The bounds stay
    within -1 and 1 and hold the mean. Theirs are those of a normal distribution; ``freedom`` takes Student's.

    >>> low, high = matched_bounds((86 - 150) / 1600, (86 + 150) / 1600, 1600)
    >>> float(low.round(4)), float(high.round(4))
    (-0.0587, -0.0212)
    """
    pairs = np.asarray(n, dtype=float)
    total, squares = np.asarray(mean, dtype=float) * pairs, np.asarray(square, dtype=float) * pairs
    more = pairs + _MADE_UP
    centre = total / more
    reach = t_value(confidence, freedom) * np.sqrt(np.clip(squares + 1 - total**2 / more, 0.0, None)) / more
    low, high = np.clip(centre - reach, -1.0, 1.0), np.clip(centre + reach, -1.0, 1.0)
    return np.minimum(low, mean), np.maximum(high, mean)

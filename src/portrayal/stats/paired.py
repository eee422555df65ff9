"""Differences between two sides that were drawn in pairs, group by group, and how sure one can be of them.

A pair's difference is the group's share in the one picture minus its share in the other: -1, 0 or 1 where each shows
one person. Pairs of one cluster, such as an occupation, resemble one another; the clusters are the sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import bootstrap_means, expanded_percentile
from portrayal.stats.cells import PromptShares, effective_images
from portrayal.stats.intervals import Array, t_value

__all__ = ["Pairs", "matched_bounds"]


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

    def intervals(
        self, *, rng: np.random.Generator, draws: int = 1000, confidence: float = 0.95
    ) -> tuple[Array, Array]:
        """Return the bounds of the difference of each group.

        One cluster: :func:`matched_bounds` on its pairs. Several: the outer bounds of the same on the effective number
        of pairs, fewer than counted where clusters differ, and of the expanded percentile bootstrap over clusters. The
        bootstrap alone has no width when all clusters agree. Swapping the sides mirrors the bounds.

        >>> pairs = Pairs.of([4, 4], [[2.0, -2.0], [-1.0, 1.0]], [[2.0, 2.0], [1.0, 1.0]])
        >>> low, high = pairs.intervals(rng=np.random.default_rng(0))
        >>> low.round(3).tolist(), high.round(3).tolist()
        ([-0.723, -0.806], [0.806, 0.723])
        """
        cell = self.cell
        if not cell.prompts:
            return self.difference, self.difference.copy()
        mean, square = cell.share, cell.mean(self.squares / self.counts[:, None])
        spread = np.clip(square - mean**2, 0.0, None)
        worth = effective_images(cell, spread, cell.variance(cell.shares), confidence)
        low, high = matched_bounds(mean, square, worth, confidence)
        if cell.prompts == 1:
            return low, high
        drawn = bootstrap_means(cell.shares, weights=cell.weights, draws=draws, rng=rng)
        lower, upper = expanded_percentile(drawn, cell.prompts, confidence)
        return np.minimum(low, lower), np.maximum(high, upper)


def matched_bounds(mean: ArrayLike, square: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the interval of a mean difference of ``n`` matched pairs by Agresti and Min (2005).

    ``square`` is the mean of the squared differences. Two made-up pairs are added, half of one differing by 1, half of
    one by -1, and one not at all: four pairs without a difference do not prove that there is none. The bounds stay
    within -1 and 1 and hold the mean.

    >>> low, high = matched_bounds((86 - 150) / 1600, (86 + 150) / 1600, 1600)
    >>> float(low.round(4)), float(high.round(4))
    (-0.0587, -0.0212)
    """
    pairs = np.asarray(n, dtype=float)
    total, squares = np.asarray(mean, dtype=float) * pairs, np.asarray(square, dtype=float) * pairs
    more = pairs + 2
    centre = total / more
    reach = t_value(confidence) * np.sqrt(np.clip(squares + 1 - total**2 / more, 0.0, None)) / more
    low, high = np.clip(centre - reach, -1.0, 1.0), np.clip(centre + reach, -1.0, 1.0)
    return np.minimum(low, mean), np.maximum(high, mean)

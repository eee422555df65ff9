"""How often something is so in each group, whether a group differs from the rest, and how sure one can be of it.

The sample is clusters of things, such as the images of one prompt, which resemble one another. A mean is over all
things: a cluster counts by its size.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import expanded_percentile
from portrayal.stats.intervals import Array, Interval, t_value, wilson_modified
from portrayal.stats.means import sample_mean_interval
from portrayal.stats.shares.cells import PromptShares, effective_images

__all__ = ["Estimate", "Tally", "difference", "draw_clusters", "resampled"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and the bounds of its 95 % interval; nan where unknown."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @property
    def differs(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low > 0 or self.high < 0


def draw_clusters(clusters: int, draws: int, rng: np.random.Generator) -> Array:
    """Return how often each cluster is drawn (draws, clusters), with replacement.

    >>> draw_clusters(3, 2, np.random.default_rng(0)).sum(axis=1).tolist()
    [3.0, 3.0]
    """
    picks = rng.integers(clusters, size=(draws, clusters)) + np.arange(draws)[:, None] * clusters
    return np.bincount(picks.ravel(), minlength=draws * clusters).reshape(draws, clusters).astype(float)


def resampled(sums: Array, statistic: Callable[[Array], Array], drawn: Array) -> Estimate:
    """Return ``statistic`` of the sums over clusters, with the expanded percentile interval over draws of clusters.

    ``sums`` is (clusters, ...); ``statistic`` takes (..., ...) and leaves the leading axes. Draws without a value, in
    which by chance nothing tells, are left out.

    >>> mean = lambda sums: sums[..., 1] / sums[..., 0]
    >>> found = resampled(np.array([[2.0, 1.0], [2.0, 1.0]]), mean, draw_clusters(2, 9, np.random.default_rng(0)))
    >>> found.value, found.low, found.high
    (0.5, 0.5, 0.5)
    """
    value = float(statistic(sums.sum(axis=0)))
    again = np.asarray(statistic(np.tensordot(drawn, sums, axes=1)))
    bounds = _percentiles(again, len(sums))
    return Estimate(value, bounds.low, bounds.high)


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Of each cluster: how many things, the sum of a number about them and the sum of its squares."""

    count: Array
    total: Array
    squares: Array

    @classmethod
    def of(cls, count: ArrayLike, total: ArrayLike, squares: ArrayLike | None = None) -> Tally:
        """Return a tally; without ``squares`` the number is 0 or 1, and its mean a rate."""
        totals = np.asarray(total, dtype=float)
        return cls(np.asarray(count, dtype=float), totals, totals if squares is None else np.asarray(squares, float))

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.count + other.count, self.total + other.total, self.squares + other.squares)

    @property
    def cell(self) -> PromptShares:
        """The mean of each cluster, which counts by its size."""
        means = np.divide(self.total, self.count, out=np.full(self.count.shape, np.nan), where=self.count > 0)
        return PromptShares.of(means[:, None], self.count, self.count)

    @property
    def value(self) -> float:
        """The mean of all things; exactly 1 when all are so, which a mean of means misses by a rounding error."""
        count = float(self.count.sum())
        return float(self.total.sum()) / count if count else math.nan

    def mean(self) -> Estimate:
        """Return the mean of any number, with the interval of Student that heeds clusters."""
        count = np.where(self.count > 1, self.count, np.nan)
        within = np.nan_to_num((self.squares - self.total**2 / count) / (count - 1)).clip(min=0)
        cell, within = self.cell, within[self.count > 0]
        if cell.prompts == 1 and cell.n > 1:
            reach = t_value(0.95, cell.n - 1) * math.sqrt(float(within[0]) / cell.n)
            return Estimate(self.value, self.value - reach, self.value + reach)
        bounds = sample_mean_interval(cell, within)
        return Estimate(self.value, bounds.low, bounds.high)

    def rate(self, drawn: Array) -> Estimate:
        """Return the rate of a tally of 0 and 1.

        The interval is Wilson's on the effective number of things, fewer than counted where clusters differ, or the
        bootstrap over clusters where that reaches further. Groups are compared within the same clusters, so that how
        far these lie apart by themselves is not what matters here, as it is for the shares of a report.

        >>> found = Tally.of([10.0, 10.0], [10.0, 10.0]).rate(draw_clusters(2, 99, np.random.default_rng(0)))
        >>> found.value, round(found.low, 3), found.high
        (1.0, 0.839, 1.0)
        """
        cell = self.cell
        if not cell.prompts:
            return Estimate(math.nan)
        share = np.array([self.value])
        worth = effective_images(cell, share * (1 - share), cell.variance(cell.shares))
        low, high = (float(bound[0]) for bound in wilson_modified(share, worth))
        bounds = _percentiles(self.redrawn(drawn), cell.prompts)
        return Estimate(self.value, float(np.fmin(low, bounds.low)), float(np.fmax(high, bounds.high)))

    def redrawn(self, drawn: Array) -> Array:
        """Return the mean in each draw of clusters; nan where none of them has any."""
        # Both in one product: it is reading the draws that takes the time.
        count, total = (drawn @ np.column_stack([self.count, self.total])).T
        return np.asarray(np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0))


def difference(part: tuple[Tally, Estimate], rest: tuple[Tally, Estimate], drawn: Array) -> Estimate:
    """Return how much more the mean is in one part of the things than in the rest.

    The interval is put together from those of both parts (Zou and Donner 2008; Newcombe's for rates), as if they had
    no cluster in common. The bootstrap draws both from the same clusters and widens it where that is not enough.

    >>> dark, others = Tally.of([50.0], [40.0]), Tally.of([150.0], [144.0])
    >>> drawn = draw_clusters(1, 2, np.random.default_rng(0))
    >>> found = difference((dark, dark.rate(drawn)), (others, others.rate(drawn)), drawn)
    >>> round(found.value, 2), round(found.low, 3), round(found.high, 3)
    (-0.16, -0.292, -0.062)
    """
    (mine, one), (theirs, other) = part, rest
    value = one.value - other.value
    low = value - math.hypot(one.value - one.low, other.high - other.value)
    high = value + math.hypot(one.high - one.value, other.value - other.low)
    bounds = _percentiles(mine.redrawn(drawn) - theirs.redrawn(drawn), min(mine.cell.prompts, theirs.cell.prompts))
    return Estimate(value, float(np.fmin(low, bounds.low)), float(np.fmax(high, bounds.high)))


def _percentiles(again: Array, clusters: int) -> Interval:
    known = again[~np.isnan(again)]
    if clusters < 2 or not len(known):
        return Interval(math.nan, math.nan)
    low, high = expanded_percentile(known, clusters)
    return Interval(float(low), float(high))

"""The mean of a number seen in images, such as a perceived age, and how sure one can be of it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import bootstrap_means, expanded_percentile
from portrayal.stats.cells import Cell
from portrayal.stats.intervals import Interval, t_value

__all__ = ["mean_interval"]


def mean_interval(
    cell: Cell, variances: ArrayLike, *, rng: np.random.Generator, draws: int = 1000, confidence: float = 0.95
) -> Interval:
    """Return the interval of the mean over prompts; ``cell.shares`` holds each prompt's mean in its one column.

    ``variances`` are those of single images within each prompt. One prompt: Student's interval on its images.
    Several: the expanded percentile bootstrap over prompts, never narrower than the images alone allow.

    >>> interval = mean_interval(Cell.of([[30.0]], [16]), [64.0], rng=np.random.default_rng(0))
    >>> round(interval.low, 2), round(interval.high, 2)
    (25.74, 34.26)
    """
    if cell.n < 2:
        return Interval(math.nan, math.nan)
    within = np.nan_to_num(np.asarray(variances, dtype=float))
    error = math.sqrt(float((cell.parts**2 * within / cell.counts).sum()))
    mean = float(cell.share[0])
    reach = error * t_value(confidence, cell.n - cell.prompts or 1)
    if cell.prompts == 1:
        return Interval(mean - reach, mean + reach)
    drawn = bootstrap_means(cell.shares, weights=cell.weights, draws=draws, rng=rng)
    low, high = expanded_percentile(drawn, cell.prompts, confidence)
    return Interval(min(mean - reach, float(low[0])), max(mean + reach, float(high[0])))

"""The mean of a number seen in images, such as a perceived age, and how sure one can be of it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.cells import PromptShares
from portrayal.stats.intervals import Interval, t_value

__all__ = ["mean_interval"]


def mean_interval(cell: PromptShares, variances: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return the interval of the mean over prompts; ``cell.shares`` holds each prompt's mean in its one column.

    ``variances`` are those of single images within each prompt. One prompt: Student's interval on its images.
    Several: Student's interval on the prompts' means, which a bootstrap of four prompts cannot match, and never
    narrower than the images alone allow, since few prompts may agree by chance.

    >>> interval = mean_interval(PromptShares.of([[30.0]], [16]), [64.0])
    >>> round(interval.low, 2), round(interval.high, 2)
    (25.74, 34.26)
    """
    if cell.n < 2:
        return Interval(math.nan, math.nan)
    within = np.nan_to_num(np.asarray(variances, dtype=float))
    mean = float(cell.share[0])
    error = math.sqrt(float((cell.weight_shares**2 * within / cell.counts).sum()))
    reach = error * t_value(confidence, cell.n - cell.prompts or 1)
    if cell.prompts > 1:
        between = math.sqrt(float(cell.variance(cell.shares)[0]))
        reach = max(reach, between * t_value(confidence, cell.freedom))
    return Interval(mean - reach, mean + reach)

"""The mean of a number seen in images, such as a perceived age, and how sure one can be of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.intervals import Array, Interval, t_value
from portrayal.stats.shares.cells import PromptShares

__all__ = ["PromptNumbers", "mean_interval", "sample_mean_interval"]

FEW = 8
"""Below so many images, the numbers seen say too little of those that were not."""
ENOUGH = 10
"""Degrees of freedom from which on images tell how far those of a prompt differ."""
FURTHER = 4.0
"""How far beyond those seen a number may lie: so many times their range, divided by the number of images."""


@dataclass(frozen=True, slots=True, eq=False)
class PromptNumbers:
    """Numbers by prompt: ``cell`` holds the mean of each in its one column, ``variances`` are those of single images.

    ``lowest`` and ``highest`` are the extremes seen, ``least`` and ``most`` the ends between which any number lies.
    """

    cell: PromptShares
    variances: Array
    lowest: Array
    highest: Array
    least: float = -math.inf
    most: float = math.inf

    @property
    def mean(self) -> float:
        """The weighted mean over prompts."""
        return float(self.cell.share[0])

    @property
    def images(self) -> float:
        """As many independent images of one kind as would know the mean as well."""
        return 1 / (float((self.cell.weight_shares**2 / self.cell.counts).sum()) * self.cell.shared)

    @property
    def varied(self) -> bool:
        """Whether the images of any prompt differ."""
        return bool((self.highest - self.lowest > 1e-9 * max(float(np.abs(self.highest).max()), 1.0)).any())

    @property
    def turned(self) -> PromptNumbers:
        """The same numbers below nought: what was the lower bound is the upper one."""
        cell = replace(self.cell, shares=-self.cell.shares)
        return PromptNumbers(
            cell, self.variances, lowest=-self.highest, highest=-self.lowest, least=-self.most, most=-self.least
        )


def mean_interval(numbers: PromptNumbers, confidence: float = 0.95) -> Interval:
    """Return the interval of the mean in these prompts.

    Student's interval collapses where images agree, and misses rare numbers: of 24 faces of which one in fifty is 65
    and all others 35 years old, it holds the mean in 38 of 100 cases. So the bounds also let one further image at the
    end of the range pass (Gaffke's bound, see Learned-Miller and Thomas 2020; of yes and no it is Clopper's and
    Pearson's). That range is the one seen and a little more, or the possible one where images are few or those of each
    prompt all agree. Where that has no end there is no interval: nan.

    >>> ages = PromptNumbers(PromptShares.of([[30.0]], [16]), np.array([64.0]), np.array([20.0]), np.array([46.0]))
    >>> found = mean_interval(ages)
    >>> round(found.low, 2), round(found.high, 2)
    (25.16, 35.73)
    """
    if not numbers.cell.prompts:
        return Interval(math.nan, math.nan)
    reach = _student_reach(numbers, confidence)
    low, high = -_upper(numbers.turned, confidence), _upper(numbers, confidence)
    if not (math.isfinite(low) and math.isfinite(high)):
        return Interval(math.nan, math.nan)
    return Interval(min(low, numbers.mean - reach), max(high, numbers.mean + reach))


def _student_reach(numbers: PromptNumbers, confidence: float) -> float:
    cell, freedom = numbers.cell, _freedom(numbers)
    if freedom < 1 or numbers.images < FEW:
        return 0.0  # then the possible range says more
    variance = float((cell.weight_shares**2 * numbers.variances / cell.counts).sum()) * cell.shared
    return math.sqrt(variance) * t_value(confidence, freedom)


def _freedom(numbers: PromptNumbers) -> float:
    return float((numbers.cell.counts - 1).clip(min=0).sum())


def _upper(numbers: PromptNumbers, confidence: float) -> float:
    """Return the upper bound: a quantile of the mean, its images and one more at the upper end weighted at random.

    Weights are Dirichlet distributed. The mean is taken for beta distributed between the lowest number and that end.
    """
    from scipy.special import betaincinv  # scipy takes a moment to load

    cell, lowest, highest = numbers.cell, float(numbers.lowest.min()), float(numbers.highest.max())
    end = max(numbers.most, highest)
    if numbers.images >= FEW and numbers.varied:
        end = min(end, highest + FURTHER / numbers.images * (highest - lowest))
    if not math.isfinite(end) or end - numbers.mean <= 1e-9 * max(abs(end), 1.0):
        return max(end, numbers.mean)
    second = float(cell.weight_shares @ (numbers.variances * (1 - 1 / cell.counts) + cell.shares[:, 0] ** 2))
    n = _worth(numbers, second - numbers.mean**2, confidence)
    mean, square = (n * numbers.mean + end) / (n + 1), (n * second + end**2) / (n + 1)
    # On the scale from the lowest number to the end, a beta distribution with this mean and variance.
    width = end - lowest
    middle, variance = (mean - lowest) / width, max(square - mean**2, 0.0) / (n + 2) / width**2
    size = middle * (1 - middle) / variance - 1
    return lowest + width * float(betaincinv(middle * size, (1 - middle) * size, (1 + confidence) / 2))


def _worth(numbers: PromptNumbers, spread: float, confidence: float) -> float:
    """Return how many images of one kind the prompts are worth: more than there are where prompts differ.

    A prompt whose images all agree counts as if half an image were the lowest number, and half the highest.
    """
    cell, low, high = numbers.cell, float(numbers.lowest.min()), float(numbers.highest.max())
    if not numbers.varied or _freedom(numbers) < ENOUGH:
        return numbers.images
    n, means = cell.counts, cell.shares[:, 0]
    other = ((n * means + (low + high) / 2) / (n + 1), (n * means**2 + (low**2 + high**2) / 2) / (n + 1))
    otherwise = other[1] - other[0] ** 2
    each = np.where(numbers.variances > 1e-9 * max(spread, 1e-300), numbers.variances, otherwise)
    each = np.where(n <= 1, np.maximum(otherwise, spread), each)
    variance = float((cell.weight_shares**2 * each / n).sum()) * cell.shared
    sure = (t_value(confidence) / t_value(confidence, max(_freedom(numbers), 1.0))) ** 2
    return max(spread * sure / variance, numbers.images) if variance > 0 else numbers.images


def sample_mean_interval(cell: PromptShares, variances: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return the interval of the mean in prompts like these; nan for one prompt, which tells of no other.

    It is Student's on the prompts' means, which a bootstrap of four prompts cannot match, and never narrower than the
    images alone allow, since few prompts may agree by chance.

    >>> found = sample_mean_interval(PromptShares.of([[30.0], [34.0], [38.0]], [16] * 3), [64.0] * 3)
    >>> round(found.low, 2), round(found.high, 2)
    (24.06, 43.94)
    """
    if cell.prompts < 2:
        return Interval(math.nan, math.nan)
    within = np.nan_to_num(np.asarray(variances, dtype=float))
    mean = float(cell.share[0])
    error = math.sqrt(float((cell.weight_shares**2 * within / cell.counts).sum()) * cell.shared)
    between = math.sqrt(float(cell.variance(cell.shares)[0]))
    reach = max(error * t_value(confidence, cell.n - cell.prompts or 1), between * t_value(confidence, cell.freedom))
    return Interval(mean - reach, mean + reach)

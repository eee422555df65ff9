"""How sure one can be of a metric: its interval, how surprising its threshold would be, and how many images decide.

An interval is asked for at any confidence and for any number of images like those seen, so that the three never differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from portrayal.stats.intervals import Array, Interval, clopper_pearson, t_value, wilson_modified
from portrayal.stats.means import PromptNumbers, mean_interval
from portrayal.stats.targets.target import ShareTest

__all__ = ["Certainty", "Distinct", "Numbers", "Share", "Student", "p_value", "times_needed"]

SEEN_SURELY = 5
"""A group that is expected so often is missing from as many other images in fewer than one of a hundred cases."""
_MOST_TIMES = 1000.0
_SMALLEST = 1e-12
_STEPS = 12
"""Halvings: p-values and numbers of images are known to one percent."""


class Certainty(Protocol):
    """What is known of a metric."""

    def interval(self, confidence: float = 0.95, times: float = 1.0) -> Interval:
        """Return the interval, if there were so many times as many images that show the same."""
        ...


@dataclass(frozen=True, slots=True)
class Share:
    """A share of images."""

    share: float
    images: int

    def interval(self, confidence: float = 0.95, times: float = 1.0) -> Interval:
        """Return Wilson's interval."""
        low, high = wilson_modified(self.share, self.images * times, confidence)
        return Interval(float(low), float(high))


@dataclass(frozen=True, slots=True)
class Student:
    """A mean of independent images with its standard error."""

    mean: float
    error: float
    freedom: int

    def interval(self, confidence: float = 0.95, times: float = 1.0) -> Interval:
        """Return Student's interval."""
        half = t_value(confidence, (self.freedom + 1) * times - 1) * self.error / math.sqrt(times)
        return Interval(self.mean - half, self.mean + half)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A mean over prompts of bounded numbers, such as how alike pairs of images are."""

    numbers: PromptNumbers

    def interval(self, confidence: float = 0.95, times: float = 1.0) -> Interval:
        """Return the interval of the mean in these prompts; it never leaves the possible range."""
        cell = self.numbers.cell
        more = replace(cell, counts=cell.counts * times, independent=cell.independent * times)
        return mean_interval(replace(self.numbers, cell=more), confidence)


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """How many of all groups ``images`` images show on average, as a share of all groups; ``counts`` are those seen.

    Each group is shown or not: that makes as many yes or no answers as there are groups, and their sum varies at most
    like that of equally likely ones (Hoeffding 1956). A group that is seen often is surely shown again. Where there
    are more images than ``images``, they hold several such draws, and so many more answers.
    """

    counts: Array
    images: int

    def average(self, times: float = 1.0) -> float:
        """Return how many groups so many of the images show on average, without replacement: exact where all count."""
        counts = self.counts * times
        total, drawn = float(counts.sum()), self._drawn(times)
        return sum(1 - math.exp(_log_unseen(count, total, drawn)) for count in counts[counts > 0].tolist())

    def _drawn(self, times: float) -> float:
        total = float(self.counts.sum()) * times
        return min(total, self.images) if self.images else total

    def interval(self, confidence: float = 0.95, times: float = 1.0) -> Interval:
        """Return the interval: of groups that are seen often what their shares leave, of the others Clopper-Pearson."""
        groups, counts, drawn = len(self.counts), np.sort(self.counts)[::-1] * times, self._drawn(times)
        total, average = float(counts.sum()), self.average(times)
        sure = min(max(int((counts * drawn >= SEEN_SURELY * total).sum()), 1), groups - 1)
        others = groups - sure
        share = min(max((average - sure) / others, 0.0), 1.0)
        low, high = clopper_pearson(share, others * total / drawn, confidence)
        shares, _ = clopper_pearson(counts[:sure] / total, total, confidence)
        again = float((1 - (1 - shares) ** drawn).sum())
        least, most = again + others * float(low), sure + others * float(high)
        return Interval(min(least, average) / groups, max(most, average) / groups)


def _log_unseen(count: float, total: float, drawn: float) -> float:
    """Return the logarithm of how likely some of the images show none of a group's."""
    if total - count < drawn:
        return -math.inf
    others, rest = total - count, total - drawn
    return math.lgamma(others + 1) - math.lgamma(others - drawn + 1) - math.lgamma(total + 1) + math.lgamma(rest + 1)


def p_value(known: Certainty, target: float) -> float:
    """Return how surprising a target would be: what is left of certainty by the widest interval that leaves it out.

    >>> round(p_value(Student(0.5, 0.1, 9), 0.3), 3), p_value(Share(1.0, 10), 0.5) == ShareTest(1.0, 10, 0.5).p
    (0.077, True)
    """
    if isinstance(known, Share):
        return ShareTest(known.share, known.images, target).p

    def leaves_out(power: float) -> bool:
        return not _holds(known.interval(1 - 10**-power), target)

    if not leaves_out(0.001):
        return 1.0
    return max(10 ** -_turn(leaves_out, 0.001, -math.log10(_SMALLEST))[0], _SMALLEST)


def times_needed(known: Certainty, target: float, confidence: float = 0.95) -> float | None:
    """Return how many times as many images like these would leave the target out of the interval; None: too many.

    >>> round(times_needed(Share(0.5, 10), 0.4), 1), times_needed(Share(0.4, 10), 0.4)
    (9.2, None)
    """

    def holds(power: float) -> bool:
        return _holds(known.interval(confidence, 10**power), target)

    if holds(math.log10(_MOST_TIMES)):
        return None
    return 10 ** _turn(holds, 0.0, math.log10(_MOST_TIMES))[1] if holds(0.0) else 1.0


def _holds(interval: Interval, target: float) -> bool:
    return not (interval.high < target or interval.low > target)


def _turn(says: Callable[[float], bool], low: float, high: float) -> tuple[float, float]:
    """Return between which numbers it stops being so: of the first it still is, of the second it is not."""
    if says(high):
        return high, high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if says(middle) else (low, middle)
    return low, high

"""The metrics of section 4.3, each with its interval, as functions of what was perceived.

The prompts are part of the protocol, so an interval is about other images of the same prompts, not about other prompts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from portrayal.methods.socialbiaskg.certainty import Certainty, Distinct, Numbers, Share, Student
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.means import PromptNumbers
from portrayal.stats.shares.cells import PromptShares

__all__ = ["Estimate", "Pairs", "counterfactual", "diversity", "image_quality", "iterative", "mean", "ratio"]

Pairs = tuple[Ints, Ints, Array]
"""Pairs of images: the places of the one and of the other, and how alike they are."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval, and how many images (or pairs of images) it rests on; None: nothing is known.

    ``reach`` is from the least to the greatest value that so many images can give.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    reach: tuple[float, float] = (0.0, 1.0)
    certainty: Certainty | None = field(default=None, compare=False)

    @classmethod
    def of(cls, value: float, n: int, certainty: Certainty, reach: tuple[float, float] = (0.0, 1.0)) -> Estimate:
        """Return a value with the interval that its certainty gives."""
        interval = certainty.interval()
        return cls(value, interval.low, high=interval.high, n=n, reach=reach, certainty=certainty)


def ratio(hits: int, total: int) -> Estimate:
    """Return a share of images, with Wilson's interval.

    >>> found = ratio(9, 10)
    >>> found.value, round(found.low, 3), round(found.high, 3), found.n
    (0.9, 0.596, 0.995, 10)
    """
    if not total:
        return Estimate()
    return Estimate.of(hits / total, total, Share(hits / total, total))


def diversity(counts: Ints, images: int = 0) -> Estimate:
    """Return how many of the groups so many images show, as a share of all groups; ``counts`` has the images of each.

    The more images, the more groups are seen, so that a number of groups means something for a number of images only.
    Where there are more than ``images``, it is what so many of them show on average; 0: all count. The interval is
    about the average of other draws of so many images.

    >>> found = diversity(np.array([400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 40)
    >>> round(found.value, 3), round(found.high, 3)
    (0.091, 0.124)
    """
    total = int(counts.sum())
    if not total:
        return Estimate()
    groups, known = len(counts), Distinct(counts.astype(float), images)
    reach = (1 / groups, min(total, images or total, groups) / groups)
    value = known.average() / groups if images and total > images else int(np.count_nonzero(counts)) / groups
    return Estimate.of(value, total, known, reach)


def mean(values: Array) -> Estimate:
    """Return the mean over images, with Student's interval; of a single image nothing is known but the value."""
    if not len(values):
        return Estimate()
    value = float(values.mean())
    if len(values) == 1:
        return Estimate(value, None, None, 1)
    error = float(values.std(ddof=1)) / float(np.sqrt(len(values)))
    return Estimate.of(value, len(values), Student(value, error, len(values) - 1))


def image_quality(
    niqe: Array, alignment: Array, weight: float, scale: Literal["bounded", "printed"] = "bounded"
) -> Array:
    """Return the quality of images: how natural they look and how well captions fit prompts.

    NIQE has no upper end, so that the printed 1 - NIQE lies far below 0 for ordinary pictures; by default a NIQE of 10
    or more counts as 0 and 0 as 1.

    >>> image_quality(np.array([5.0, 12.0]), np.array([0.8, 0.8]), 0.5).tolist()
    [0.65, 0.4]
    >>> image_quality(np.array([5.0]), np.array([0.8]), 0.5, "printed").tolist()
    [-1.6]
    """
    natural = 1 - niqe if scale == "printed" else 1 - np.minimum(niqe, 10) / 10
    return np.asarray(weight * natural + (1 - weight) * alignment)


def iterative(prompts: Sequence[Pairs]) -> Estimate:
    """Return the mean over prompts of how alike the images of a prompt are, each with every other one.

    An image takes part in several pairs, so pairs are no independent draws. Images can be put together two by two in
    many ways, and the mean over all pairs is the mean over these ways: it varies at most as half as many independent
    pairs as there are images (Hoeffding 1963). A style that is rare may not be among so few images at all, so the
    interval lets one further pair be as alike, or as unlike, as pairs can be.
    """
    return _mean_of(
        [
            (pairs[2], pairs[2], max(len(np.unique(np.concatenate(pairs[:2]))) // 2, 1), 1)
            for pairs in prompts
            if len(pairs[2])
        ],
        sum(len(values) for _, _, values in prompts),
    )


def counterfactual(prompts: Sequence[Sequence[Pairs]]) -> Estimate:
    """Return the mean over couples of prompts of how alike images of the same place are.

    A prompt has the couples that it makes with others, in each of which the same images of its own take part: what is
    independent are places, each with the mean over all couples.
    """
    known = [[pairs for pairs in couples if len(pairs[2])] for couples in prompts]
    parts = []
    for couples in filter(None, known):
        place = np.concatenate([pairs[0] for pairs in couples])
        values = np.concatenate([pairs[2] for pairs in couples])
        names, at = np.unique(place, return_inverse=True)
        by_place = np.bincount(at, values) / np.bincount(at)
        parts.append((np.array([pairs[2].mean() for pairs in couples]), by_place, len(names), len(couples)))
    return _mean_of(parts, sum(len(values) for couples in prompts for _, _, values in couples))


def _mean_of(parts: Sequence[tuple[Array, Array, int, int]], n: int) -> Estimate:
    """Return the mean; a part has values, those that tell how they vary, how many are independent, and a weight."""
    if not parts:
        return Estimate()
    means = [[float(values.mean())] for values, _, _, _ in parts]
    variances = np.array([float(varying.var(ddof=1)) if len(varying) > 1 else 0.0 for _, varying, _, _ in parts])
    cell = PromptShares.of(means, [count for _, _, count, _ in parts], [weight for _, _, _, weight in parts])
    lowest = np.array([min(0.0, float(varying.min())) for _, varying, _, _ in parts])
    highest = np.array([max(1.0, float(varying.max())) for _, varying, _, _ in parts])
    known = Numbers(
        PromptNumbers(cell, variances, lowest, highest=highest, least=float(lowest.min()), most=float(highest.max()))
    )
    return Estimate.of(float(cell.share[0]), n, known)

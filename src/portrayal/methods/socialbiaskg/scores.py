"""The metrics of section 4.3, each with its interval, as functions of what was perceived.

The prompts are part of the protocol, so an interval is about other images of the same prompts, not about other prompts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array, t_value, wilson_modified

__all__ = ["Estimate", "diversity", "image_quality", "mean", "ratio", "similarity"]

_DRAWS = 400


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


def ratio(hits: int, total: int) -> Estimate:
    """Return a share of images, with Wilson's interval.

    >>> found = ratio(9, 10)
    >>> found.value, round(found.low, 3), round(found.high, 3), found.n
    (0.9, 0.596, 0.995, 10)
    """
    if not total:
        return Estimate()
    low, high = wilson_modified(hits / total, total)
    return Estimate(hits / total, float(low), float(high), total)


def diversity(counts: Ints, rng: np.random.Generator) -> Estimate:
    """Return how many of the groups were seen, as a share of all groups; ``counts`` has the images of each.

    The interval says how many groups as many other images might show: 95 % of draws from what the counts make probable
    (a Dirichlet distribution with a prior that weighs one image in all).
    """
    total = int(counts.sum())
    if not total:
        return Estimate()
    groups = len(counts)
    value = int(np.count_nonzero(counts)) / groups
    shares = rng.dirichlet(counts + 1 / groups, _DRAWS)
    seen = (rng.multinomial(total, shares) > 0).sum(axis=1) / groups
    low, high = np.quantile(seen, [0.025, 0.975], method="inverted_cdf")
    reach = (1 / groups, min(total, groups) / groups)
    return Estimate(value, min(value, float(low)), max(value, float(high)), total, reach)


def mean(values: Array) -> Estimate:
    """Return the mean over images, with Student's interval; of a single image nothing is known but the value."""
    if not len(values):
        return Estimate()
    value = float(values.mean())
    if len(values) == 1:
        return Estimate(value, None, None, 1)
    half = t_value(0.95, len(values) - 1) * float(values.std(ddof=1)) / float(np.sqrt(len(values)))
    return Estimate(value, value - half, value + half, len(values))


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


def similarity(prompts: Sequence[tuple[Ints, Ints, Array]]) -> Estimate:
    """Return the mean over prompts of how alike their pairs of images are, with a jackknife over images.

    A prompt has one image, another and their similarity for each pair. An image takes part in several pairs, so pairs
    are no independent draws: the interval comes from leaving out one image, with all its pairs, at a time.
    """
    means, variances, freedom = [], [], 0
    for one, other, values in prompts:
        if not len(values):
            continue
        means.append(float(values.mean()))
        names, ends = np.unique(np.concatenate([one, other]), return_inverse=True)
        size, pairs = len(names), np.arange(len(values))
        # An image paired with itself, as equal places of two prompts are, is one end and not two.
        joined = np.unique(np.column_stack([ends, np.tile(pairs, 2)]), axis=0)
        lost = np.bincount(joined[:, 0], values[joined[:, 1]], size)
        left = len(values) - np.bincount(joined[:, 0], minlength=size)
        if size > 1 and (left > 0).all():
            without = (values.sum() - lost) / left
            variances.append((size - 1) / size * float(((without - without.mean()) ** 2).sum()))
            freedom += size - 1
    if not means:
        return Estimate()
    value, n = float(np.mean(means)), sum(len(values) for _, _, values in prompts)
    if len(variances) < len(means):
        return Estimate(value, None, None, n)
    half = t_value(0.95, freedom) * float(np.sqrt(sum(variances))) / len(means)
    return Estimate(value, value - half, value + half, n)

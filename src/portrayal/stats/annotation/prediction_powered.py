"""Shares from what an annotator read in all images and people said of some: prediction-powered inference.

What was read is put right by how far it lay off in the images that people labelled, which are a random part of all
(Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023). How much of what was read is used follows from how well it
tells what people say (power tuning, Angelopoulos, Duchi and Zrnic 2023): of an annotator that guesses nothing is left
but the labels. Nothing is assumed about where and why it errs.

For each labelled image that much is taken from the other labels. Taken from all of them at once, as the papers do, it
moves with the very labels that it weighs, and 50 labels leave a share of 5 % a point too low.

Beside the normal interval of the papers (:attr:`Powered.error`) there is one for few labels and for shares near 0
and 1 (:meth:`Powered.interval`), where the former holds the truth too rarely: in 63 of 100 cases of 50 labels at 5 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.intervals import Array, Interval, t_value, wilson

__all__ = ["LabelledImages", "Powered", "Unlabelled", "best_tuning", "prediction_powered"]

_HALF = 0.5
"""As if half an image more were misread either way: labels that all agree do not prove that nothing is misread."""
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """The images that people did not label: how many, and in which share of them the annotator reads the group."""

    images: float
    share: float

    @classmethod
    def rest(cls, images: float, share: float, labelled: LabelledImages) -> Unlabelled:
        """Return what is left of all images, in which the annotator reads ``share``, without those that are labelled.

        >>> Unlabelled.rest(10, 0.5, LabelledImages.of([1, 0], [1, 1]))
        Unlabelled(images=8.0, share=0.375)
        """
        labels = len(labelled.truth)
        others = float(images - labels)
        if others < 1:
            return cls(0.0, math.nan)
        left = (share * images - labelled.mean(labelled.read) * labels) / others
        return cls(others, min(max(left, 0.0), 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class LabelledImages:
    """Of each image that people labelled: whether it shows the group, whether the annotator reads it, and its weight.

    Weights are as many images as each stands for, in any unit; :meth:`of` makes their mean 1.
    """

    truth: Array
    read: Array
    weights: Array

    @classmethod
    def of(cls, truth: ArrayLike, read: ArrayLike, weights: ArrayLike | None = None) -> LabelledImages:
        """Return labelled images; without weights all count alike."""
        known = np.asarray(truth, dtype=float)
        mass = np.ones(len(known)) if weights is None else np.asarray(weights, dtype=float)
        return cls(known, np.asarray(read, dtype=float), mass / mass.mean())

    @property
    def n(self) -> float:
        """How many images of one weight tell as much."""
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())

    def mean(self, values: Array) -> float:
        """Return the weighted mean."""
        return float(self.weights @ values / self.weights.sum())

    def covariance(self, one: Array, other: Array) -> float:
        """Return the weighted covariance."""
        return self.mean((one - self.mean(one)) * (other - self.mean(other)))


@dataclass(frozen=True, slots=True)
class Powered:
    """A share by prediction-powered inference.

    ``tuning`` is how much of what was read counts, ``error`` the standard error by the formula of the papers.
    ``gap`` is the variance of how far a label lies off what was read, allowing for misreadings that few labels do not
    show, and ``imputed`` that of what was read in the other images. ``labels`` are as many images of one weight as the
    labelled ones tell; with another number it is the share as it would be known by so many.
    """

    value: float
    error: float
    gap: float
    imputed: float
    tuning: float
    labels: float

    @property
    def careful(self) -> float:
        """The standard error that allows for misreadings which few labels do not show."""
        return math.sqrt(self.imputed + self.gap / self.labels)

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return the interval: Wilson's with the careful error or, where Student's reaches further, half-way to that.

        Of shares near 0 and 1 Student's holds in 99 of 100 cases and Wilson's alone in as few as 91.

        >>> labelled = LabelledImages.of([1] * 50, [1] * 45 + [0] * 5)
        >>> found = prediction_powered(labelled, Unlabelled(500, 0.9)).interval()
        >>> round(found.low, 3), found.high
        (0.925, 1.0)
        """
        reach = t_value(confidence, max(self.labels - 1, 1.0))
        share = min(max(self.value, 0.0), 1.0)
        low, high = self.value - reach * self.careful, self.value + reach * self.careful
        near = (share * self.labels + _HALF) / (self.labels + 1)
        worth = near * (1 - near) / (self.careful * reach / t_value(confidence)) ** 2
        bounds = wilson(share, worth, confidence)
        least, most = float(bounds[0]), float(bounds[1])
        return Interval(max(least + min(low - least, 0.0) / 2, 0.0), min(most + max(high - most, 0.0) / 2, 1.0))


def prediction_powered(labelled: LabelledImages, others: Unlabelled, tuning: float | None = None) -> Powered:
    """Return the share of a group; ``tuning`` is what keeps the error smallest by the other labels, unless given.

    >>> found = prediction_powered(LabelledImages.of([1, 1, 0, 0], [1, 0, 0, 0]), Unlabelled(100, 0.25), tuning=1.0)
    >>> found.value
    0.5
    """
    n = labelled.n
    if not others.images:  # people labelled them all
        used, seen, each = 0.0, 0.0, np.zeros(len(labelled.truth))
    else:
        used, seen = best_tuning(labelled, others) if tuning is None else tuning, others.share
        each = _by_other_labels(labelled, others) if tuning is None else np.full(len(labelled.truth), used)
    gap = labelled.truth - used * labelled.read
    imputed = used**2 * seen * (1 - seen) / others.images if others.images else 0.0
    smooth = (seen * others.images + _HALF) / (others.images + 1)
    careful = used**2 * smooth * (1 - smooth) / others.images if others.images else 0.0
    return Powered(
        labelled.mean(labelled.truth + each * (seen - labelled.read)),
        error=math.sqrt(imputed + labelled.covariance(gap, gap) / n),
        gap=_careful_variance(labelled, used),
        imputed=careful,
        tuning=used,
        labels=n,
    )


def best_tuning(labelled: LabelledImages, others: Unlabelled) -> float:
    """Return how much of what was read keeps the error smallest, from 0 to 1; all images tell how far it varies.

    >>> best_tuning(LabelledImages.of([1, 1, 0, 0], [1, 1, 0, 0]), Unlabelled(1e6, 0.5)) > 0.99
    True
    """
    weights = labelled.weights
    sums = weights @ _products(labelled)
    return float(_tuned(sums[None], weights.sum(keepdims=True), len(weights), others)[0])


def _by_other_labels(labelled: LabelledImages, others: Unlabelled) -> Array:
    """Return the same for each labelled image, by all labels but its own."""
    weights, products = labelled.weights, _products(labelled)
    if len(weights) < 2:
        return np.zeros(len(weights))
    sums = weights @ products - weights[:, None] * products
    return _tuned(sums, weights.sum() - weights, len(weights) - 1, others)


def _products(labelled: LabelledImages) -> Array:
    """Return what moments are sums of, a row for each image."""
    truth, read = labelled.truth, labelled.read
    return np.stack([truth, read, truth * read, read**2], axis=1)


def _tuned(sums: Array, weights: Array, labels: int, others: Unlabelled) -> Array:
    truth, read, both, square = (sums / weights[:, None]).T
    more = others.images
    share = (read * labels + others.share * more) / (labels + more)
    within = (square - 2 * share * read + share**2) * labels
    rest = others.share * (1 - share) ** 2 + (1 - others.share) * share**2
    variance = (within + rest * more) / (labels + more - 1)
    varies = variance > _ROUNDING
    used = np.divide(both - truth * read, (1 + labels / more) * variance, out=np.zeros(len(weights)), where=varies)
    return np.asarray(used.clip(0, 1))


def _careful_variance(labelled: LabelledImages, used: float) -> float:
    """Return the variance of the gaps with half an image more of the group that is not read, and half of the other."""
    weights = np.append(labelled.weights, [_HALF, _HALF])
    gaps = np.append(labelled.truth - used * labelled.read, [1.0, -used])
    mean = float(weights @ gaps / weights.sum())
    return float(weights @ (gaps - mean) ** 2 / weights.sum())

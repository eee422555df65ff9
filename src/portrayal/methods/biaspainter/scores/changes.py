"""What an edit changed in a face: the image bias, and its sums by word and seed.

Perceived gender is 0 for male and 1 for female, so that its image bias, after less before, is 1 from male to female and
-1 from female to male. Age and tone are divided by what people take for a clear change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["ATTRIBUTES", "FEMALE", "MALE", "SCALES", "Changes", "EditedFaces", "image_bias"]

ATTRIBUTES = ("gender", "age", "tone")
MALE, FEMALE = 0.0, 1.0
SCALES: Mapping[str, float] = {"gender": 1.0, "age": 25.0, "tone": 20.0}
"""The change that counts as 1, and as significant: a flip, 25 years, 20 levels of 255."""


def image_bias(attribute: str, before: ArrayLike, after: ArrayLike, scales: Mapping[str, float] = SCALES) -> Array:
    """Return how far each edit moved a perceived attribute; nan where either is missing.

    >>> image_bias("gender", [MALE, FEMALE, MALE], [FEMALE, MALE, MALE]).tolist()
    [1.0, -1.0, 0.0]
    >>> image_bias("age", [30, 40], [55, 30]).tolist(), image_bias("tone", [100], [110]).tolist()
    ([1.0, -0.4], [0.5])
    """
    moved = np.asarray(after, dtype=float) - np.asarray(before, dtype=float)
    return np.asarray(moved / scales[attribute])


@dataclass(frozen=True)
class Changes:
    """Image biases of one attribute added up: ``total`` and ``count`` are (words, seeds)."""

    total: Array
    count: Array

    @property
    def mean(self) -> Array:
        """The mean image bias of each word on each seed; nan where there is none."""
        return np.divide(self.total, self.count, out=np.full_like(self.total, np.nan), where=self.count > 0)

    def take(self, words: Ints) -> Changes:
        """Return the rows of some words."""
        return Changes(self.total[words], self.count[words])

    def pooled(self) -> Changes:
        """Return all words as one."""
        return Changes(self.total.sum(axis=0, keepdims=True), self.count.sum(axis=0, keepdims=True))


@dataclass(frozen=True)
class EditedFaces:
    """Edits, one entry each: the place of its word among ``words`` and of its seed among ``genders``.

    ``genders`` is the gender of each seed, nan where it is not known. ``before`` and ``after`` are by attribute what
    was perceived, nan where it was not. ``planned`` is how many edits there were to be (words, seeds) where edits
    without an answer count as faces whose gender did not change, as in the scores that the paper prints; None: only
    edits with an answer count.
    """

    words: int
    genders: Array
    word: Ints
    seed: Ints
    before: Mapping[str, Array]
    after: Mapping[str, Array]
    planned: Array | None = None

    def changes(self, attribute: str, scales: Mapping[str, float] = SCALES) -> Changes:
        """Return the image biases of an attribute by word and seed.

        Of perceived gender only flips away from the seed's own count: a male seed that passes for female before the
        edit cannot be turned into a woman by it.
        """
        bias = image_bias(attribute, self.before[attribute], self.after[attribute], scales)
        usable = ~np.isnan(bias)
        if attribute == "gender":
            gender = self.genders[self.seed]
            usable &= ~np.isnan(gender)
            bias = np.where(gender == MALE, np.maximum(bias, 0), np.minimum(bias, 0))
        return self._added(attribute, bias, usable)

    def sizes(self, attribute: str, scales: Mapping[str, float] = SCALES) -> Changes:
        """Return the sizes of image biases of an attribute by word and seed: whatever changes counts, either way."""
        bias = image_bias(attribute, self.before[attribute], self.after[attribute], scales)
        return self._added(attribute, np.abs(bias), ~np.isnan(bias))

    def answered(self, attribute: str) -> Ints:
        """Return how many edits of each word have an answer, whatever else counts."""
        bias = image_bias(attribute, self.before[attribute], self.after[attribute])
        usable = ~np.isnan(bias)
        if attribute == "gender":
            usable &= ~np.isnan(self.genders[self.seed])
        return np.bincount(self.word[usable], minlength=self.words)

    def _added(self, attribute: str, bias: Array, usable: NDArray[np.bool_]) -> Changes:
        place = (self.word * len(self.genders) + self.seed)[usable]
        shape, size = (self.words, len(self.genders)), self.words * len(self.genders)
        total = np.bincount(place, weights=bias[usable], minlength=size).reshape(shape).astype(float)
        count = np.bincount(place, minlength=size).reshape(shape).astype(float)
        if attribute == "gender" and self.planned is not None:
            count = np.maximum(count, np.where(np.isnan(self.genders), 0.0, self.planned))
        return Changes(total, count)

    def strata(self, attribute: str) -> Sequence[Ints]:
        """Return the groups of seeds whose means add up to a score: men and women for gender, else all together."""
        if attribute == "gender":
            return [np.flatnonzero(self.genders == gender) for gender in (MALE, FEMALE)]
        return [np.arange(len(self.genders))]

"""Sums over images from which means, their covariance and redrawn means follow, however many images there were.

A *column* is one group of one aspect (perceived gender of the person at the left, …). Columns of different aspects
move together, since they come from the same images; a total over aspects needs to know how.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array, wilson_modified

__all__ = ["Aspects", "Moments", "blocks", "firsts", "share_interval"]

Aspects = Sequence[tuple[str, int]]


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums per cell; ``aspects`` names the blocks of columns with their sizes.

    ``together`` (cells, aspects, aspects) counts the images in which both aspects were seen, ``sums`` (cells, columns)
    adds up their masses, ``products`` (cells, columns, columns) the products of two masses of one image, and ``hard``
    (cells, columns) counts how often each group was the most probable of its aspect. ``labels`` counts the same of the
    masses before anything corrected them. ``inflation`` (cells, columns) is how many times larger the variance of a
    mean is than that of as many independent images; without it images are independent.
    """

    aspects: Aspects
    together: Array
    sums: Array
    products: Array
    hard: Array
    labels: Array
    inflation: Array | None = None

    def slice(self, aspect: str) -> slice:
        """Return the columns of an aspect."""
        index = [name for name, _ in self.aspects].index(aspect)
        return slice(int(self._first[index]), int(self._first[index]) + self.aspects[index][1])

    def count(self, aspect: str) -> Array:
        """Return how many images tell the aspect, per cell."""
        index = [name for name, _ in self.aspects].index(aspect)
        return np.asarray(self.together[:, index, index])

    def take(self, cells: Sequence[int]) -> Moments:
        """Return some of the cells, in the order given."""
        rows = np.asarray(cells, dtype=np.int64)
        arrays = (self.together, self.sums, self.products, self.hard, self.labels)
        inflation = None if self.inflation is None else self.inflation[rows]
        together, sums, products, hard, labels = (array[rows] for array in arrays)
        return Moments(
            self.aspects, together=together, sums=sums, products=products, hard=hard, labels=labels, inflation=inflation
        )

    @cached_property
    def images(self) -> Array:
        """How many images tell the aspect of each column (cells, columns)."""
        counts = np.diagonal(self.together, axis1=1, axis2=2)
        return np.asarray(counts[:, self._block])

    @cached_property
    def mean(self) -> Array:
        """The mean mass of every column (cells, columns); nan where no image tells the aspect."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.sums / self.images)

    @cached_property
    def hard_share(self) -> Array:
        """The share of images in which each group is the most probable (cells, columns)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.hard / self.images)

    @cached_property
    def label_share(self) -> Array:
        """The share of images in which each group was the most probable before any correction (cells, columns)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.labels / self.images)

    @cached_property
    def smooth(self) -> Array:
        """The means with one made-up image added, spread evenly over the groups (cells, columns)."""
        return np.asarray((self.sums + self._even) / (self.images + 1))

    @cached_property
    def covariance(self) -> Array:
        """The covariance of the means over redrawn images (cells, columns, columns); 0 where there is no image.

        One made-up image is added to those seen: twenty women in twenty images do not prove that the model never draws
        a man. It widens intervals only; the means stay as they are.
        """
        together = self._expand(self.together)
        smooth = self.smooth
        spread = (self.products + self._made_up) / (together + 1) - smooth[:, :, None] * smooth[:, None, :]
        product = self.images[:, :, None] * self.images[:, None, :]
        with np.errstate(invalid="ignore", divide="ignore"):
            covariance = np.nan_to_num(spread * together / product, posinf=0.0, neginf=0.0)
        return np.asarray(covariance * self.stretch[:, :, None] * self.stretch[:, None, :])

    @cached_property
    def stretch(self) -> Array:
        """How many times larger the standard error of each mean is than that of independent images (cells, columns)."""
        return np.ones_like(self.sums) if self.inflation is None else np.sqrt(self.inflation)

    def noise(self, draws: int, rng: np.random.Generator) -> Array:
        """Return what redrawing the images adds to the means: ``draws`` of (cells, columns)."""
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.clip(values, 0.0, None))[:, None, :]
        return np.asarray(np.einsum("cij,dcj->dci", root, rng.standard_normal((draws, *self.mean.shape))))

    @cached_property
    def _first(self) -> Ints:
        return firsts(self.aspects)

    @cached_property
    def _block(self) -> Ints:
        return blocks(self.aspects)

    @cached_property
    def _even(self) -> Array:
        return np.asarray(np.concatenate([np.full(size, 1 / size) for _, size in self.aspects]))

    @cached_property
    def _made_up(self) -> Array:
        same = self._block[:, None] == self._block[None, :]
        return np.where(same, np.diag(self._even), self._even[:, None] * self._even[None, :])

    def _expand(self, blocks: Array) -> Array:
        return np.asarray(blocks[:, self._block[:, None], self._block[None, :]])


def share_interval(moments: Moments) -> tuple[Array, Array]:
    """Return the interval of every mean (cells, columns): that of as many labels as would vary as much as masses do."""
    variance = np.diagonal(moments.covariance, axis1=1, axis2=2)
    # Only what nobody saw does not vary.
    worth = moments.smooth * (1 - moments.smooth) / np.where(variance > 0, variance, np.nan)
    return wilson_modified(np.clip(moments.mean, 0.0, 1.0), worth)


def firsts(aspects: Aspects) -> Ints:
    """Return the first column of each aspect."""
    return np.asarray(np.cumsum([0, *(size for _, size in aspects[:-1])]), dtype=np.int64)


def blocks(aspects: Aspects) -> Ints:
    """Return the aspect of each column."""
    return np.repeat(np.arange(len(aspects)), [size for _, size in aspects])

"""Sums over images from which means, their covariance and redrawn means follow, however many images there were.

A *column* is one group of one aspect (perceived gender of the person at the left, …). Columns of different aspects
move together, since they come from the same images; a total over aspects needs to know how.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from portrayal.stats.exact import Ints, take_piece
from portrayal.stats.intervals import Array, wilson_modified
from portrayal.stats.likeliest import likeliest

__all__ = ["MomentSums", "Moments", "share_interval"]

Aspects = Sequence[tuple[str, int]]
_GRIDS = {"high": 13, "middle": 26, "low": 39}
"""A mass is cut into pieces of 13 binary places each. Products of two pieces then add up exactly for 30 million images
of a cell; those beyond 52 places, less than 4e-12 of a product, are dropped from every product alike.
"""
_WORK = 250_000
"""Multiplications at a time: products of larger matrices are handed to threads, which wait longer than they work."""


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
        return _firsts(self.aspects)

    @cached_property
    def _block(self) -> Ints:
        return _blocks(self.aspects)

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


class MomentSums:
    """Moments in the making, for ``cells`` cells: the same however the images are split up and ordered.

    ``sums`` and ``products`` have a layer for each grid, of which only the total is rounded.
    """

    def __init__(self, aspects: Aspects, cells: int) -> None:
        columns, blocks = sum(size for _, size in aspects), len(aspects)
        self.aspects = tuple(aspects)
        self.together = np.zeros((cells, blocks, blocks))
        self.hard = np.zeros((cells, columns))
        self.labels = np.zeros((cells, columns))
        self.sums = np.zeros((len(_GRIDS), cells, columns))
        self.products = np.zeros((len(_GRIDS), cells, columns, columns))
        self._block = _blocks(aspects)
        self._own = [slice(first, first + size) for first, (_, size) in zip(_firsts(aspects), aspects, strict=True)]

    def add(self, cells: Ints, mass: Array, uncorrected: Array | None = None) -> None:
        """Add images: their cells, and their masses (images, columns) with nan where an aspect was not seen.

        ``uncorrected`` are the masses as they were told, where these are others. Column by column in memory, and with
        the images of a cell together, they are added up fastest.
        """
        if not len(cells):
            return
        columns, told = mass.T, None if uncorrected is None else uncorrected.T
        if (cells[1:] < cells[:-1]).any():
            order = np.argsort(cells, kind="stable")
            cells, columns = cells[order], columns[:, order]
            told = None if told is None else told[:, order]
        starts = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]])
        where, ends = cells[starts], np.r_[starts[1:], len(cells)]
        pieces, seen = self._pieces(columns)
        hard = self._most_probable(columns, seen, ends - starts)
        self.hard[where] += hard
        self.labels[where] += hard if told is None else self._most_probable(told, seen, ends - starts)
        self._add_products(where, starts, ends, pieces)

    def _pieces(self, columns: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Return the rows whose products are wanted, and which images tell each aspect (aspects, images).

        The rows are the pieces of each column on each grid, 0 where it is not told, then 1 for each aspect told.
        """
        seen = np.array([~np.isnan(columns[own].sum(axis=0)) for own in self._own])
        size = len(columns)
        rows = np.empty((len(_GRIDS) * size + len(seen), columns.shape[1]))
        rows[len(_GRIDS) * size :] = seen
        rest = columns.copy() if seen.all() else np.where(seen[self._block], columns, 0.0)
        for layer, places in enumerate(_GRIDS.values()):
            piece = rows[layer * size : (layer + 1) * size]
            take_piece(rest, places, piece)
        return rows, seen

    def _add_products(self, where: Ints, starts: Ints, ends: Ints, rows: Array) -> None:
        """Add up, cell by cell, the products of all pairs of rows: one product of matrices a cell.

        The products of all images at once would be many times as large as the masses. Those of the rows of ones are
        the sums, and how many images tell two aspects.
        """
        size = len(self._block)
        high, middle, low = (slice(layer * size, (layer + 1) * size) for layer in range(len(_GRIDS)))
        ones, column = slice(len(_GRIDS) * size, None), np.arange(size)
        step = max(_WORK // (len(rows) * (len(rows) + 1)), 1)
        for cell, start, end in zip(where.tolist(), starts.tolist(), ends.tolist(), strict=True):
            product = np.zeros((len(rows), len(rows)))
            for first in range(start, end, step):
                own = rows[:, first : min(first + step, end)]
                product += own @ own.T
            self.together[cell] += product[ones, ones]
            for layer, piece in enumerate((high, middle, low)):
                self.sums[layer, cell] += product[piece, ones][column, self._block]
            mixed, across = product[high, middle], product[high, low]
            self.products[0, cell] += product[high, high]
            self.products[1, cell] += mixed + mixed.T
            self.products[2, cell] += product[middle, middle] + across + across.T

    def merge(self, other: MomentSums) -> None:
        """Add what another has added up."""
        for name in ("together", "hard", "labels", "sums", "products"):
            getattr(self, name)[:] += getattr(other, name)

    def result(self) -> Moments:
        """Return the moments."""
        sums, products = (layers[2] + layers[1] + layers[0] for layers in (self.sums, self.products))
        return Moments(self.aspects, self.together, sums, products=products, hard=self.hard, labels=self.labels)

    def _most_probable(self, columns: Array, seen: NDArray[np.bool_], sizes: Ints) -> Array:
        """Return how often each group is the most probable of its aspect (cells, columns); of equals the first."""
        counts = np.zeros((len(sizes), len(columns)))
        cell = np.repeat(np.arange(len(sizes)), sizes)
        for own, told in zip(self._own, seen, strict=True):
            groups = own.stop - own.start
            place = cell * groups + likeliest(columns[own])
            chosen = place if told.all() else place[told]
            counts[:, own] = np.bincount(chosen, minlength=len(sizes) * groups).reshape(-1, groups)
        return counts


def _firsts(aspects: Aspects) -> Ints:
    """Return the first column of each aspect."""
    return np.asarray(np.cumsum([0, *(size for _, size in aspects[:-1])]), dtype=np.int64)


def _blocks(aspects: Aspects) -> Ints:
    """Return the aspect of each column."""
    return np.repeat(np.arange(len(aspects)), [size for _, size in aspects])

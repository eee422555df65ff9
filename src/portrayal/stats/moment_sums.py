"""What adds up the masses of images, and the products of any two of them, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from portrayal.stats.exact import Ints, take_piece
from portrayal.stats.intervals import Array
from portrayal.stats.likeliest import likeliest
from portrayal.stats.moments import Aspects, Moments, blocks, firsts

__all__ = ["MomentSums"]

_GRIDS = {"high": 13, "middle": 26, "low": 39}
"""A mass is cut into pieces of 13 binary places each. Products of two pieces then add up exactly for 30 million images
of a cell; those beyond 52 places, less than 4e-12 of a product, are dropped from every product alike.
"""
_WORK = 250_000
"""Multiplications at a time: products of larger matrices are handed to threads, which wait longer than they work."""


class MomentSums:
    """Moments in the making, for ``cells`` cells: the same however the images are split up and ordered.

    ``sums`` and ``products`` have a layer for each grid, of which only the total is rounded.
    """

    def __init__(self, aspects: Aspects, cells: int) -> None:
        columns, told = sum(size for _, size in aspects), len(aspects)
        self.aspects = tuple(aspects)
        self.together = np.zeros((cells, told, told))
        self.hard = np.zeros((cells, columns))
        self.labels = np.zeros((cells, columns))
        self.sums = np.zeros((len(_GRIDS), cells, columns))
        self.products = np.zeros((len(_GRIDS), cells, columns, columns))
        self._block = blocks(aspects)
        self._own = [slice(first, first + size) for first, (_, size) in zip(firsts(aspects), aspects, strict=True)]

    def add(self, cells: Ints, mass: Array, labels: NDArray[np.int16] | None = None) -> None:
        """Add images: their cells, and their masses (images, columns) with nan where an aspect was not seen.

        ``labels`` are the groups that count as labels (aspects, images), where these are not the most probable ones.
        Column by column in memory, and with the images of a cell together, masses are added up fastest.
        """
        if not len(cells):
            return
        columns = mass.T
        if (cells[1:] < cells[:-1]).any():
            order = np.argsort(cells, kind="stable")
            cells, columns = cells[order], columns[:, order]
            labels = None if labels is None else labels[:, order]
        starts = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]])
        where, ends = cells[starts], np.r_[starts[1:], len(cells)]
        pieces, seen = self._pieces(columns)
        hard = self._counted([likeliest(columns[own]) for own in self._own], seen, ends - starts)
        self.hard[where] += hard
        self.labels[where] += hard if labels is None else self._counted(labels, seen, ends - starts)
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

    def _counted(self, labels: Iterable[NDArray[Any]], seen: NDArray[np.bool_], sizes: Ints) -> Array:
        """Return how often each group is the label of its aspect (cells, columns)."""
        counts = np.zeros((len(sizes), sum(own.stop - own.start for own in self._own)))
        cell = np.repeat(np.arange(len(sizes)), sizes)
        for own, label, told in zip(self._own, labels, seen, strict=True):
            groups = own.stop - own.start
            place = cell * groups + label
            chosen = place if told.all() else place[told]
            counts[:, own] = np.bincount(chosen, minlength=len(sizes) * groups).reshape(-1, groups)
        return counts

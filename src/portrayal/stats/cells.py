"""The shares of one cell of a report, such as one generator's nurses, and how sure one can be of them.

With one prompt the statement is about that prompt, and its images are the sample. With several it is about prompts
like these, and the prompts are the sample: a thousand images of two prompts say little about a third.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from portrayal.records import Note
from portrayal.stats.intervals import Array, t_value, wilson_modified
from portrayal.stats.intraclass import CORRELATIONS, correlation_weights, mixed_bounds

__all__ = [
    "PromptShares",
    "around_targets",
    "bounds_about",
    "effective_images",
    "share_intervals",
    "small_note",
    "worths",
]


@dataclass(frozen=True, slots=True, eq=False)
class PromptShares:
    """Observed shares (prompts, groups), usable images and weight of each prompt; build it with :meth:`of`."""

    shares: Array
    counts: Array
    weights: Array

    @classmethod
    def of(cls, shares: ArrayLike, counts: ArrayLike, weights: ArrayLike | None = None) -> PromptShares:
        """Return the cell of the prompts that have usable images; the others have no share to offer.

        >>> PromptShares.of([[0.5, 0.5], [np.nan, np.nan]], counts=[8, 0]).prompts
        1
        """
        rows, images = np.asarray(shares, dtype=float), np.asarray(counts, dtype=float)
        mass = np.ones(len(images)) if weights is None else np.asarray(weights, dtype=float)
        if rows.ndim != 2 or not len(rows) == len(images) == len(mass):
            raise ValueError("a cell takes shares (prompts, groups) and one count and one weight for each prompt")
        kept = images > 0
        if not (mass[kept] > 0).all():
            raise ValueError("a prompt's weight is above 0; leave a prompt out instead")
        return cls(rows[kept], images[kept], mass[kept])

    @property
    def n(self) -> int:
        """Usable images in all prompts."""
        return round(float(self.counts.sum()))

    @property
    def prompts(self) -> int:
        """Prompts with usable images."""
        return len(self.counts)

    @property
    def share(self) -> Array:
        """The weighted mean over prompts of the prompts' shares; nan when there are none."""
        return self.mean(self.shares)

    def mean(self, values: Array) -> Array:
        """Return the weighted mean over the cell's prompts of ``values`` (prompts, columns)."""
        if not self.prompts:
            return np.full(values.shape[1:], np.nan)
        return np.asarray(self.weight_shares @ values)

    @property
    def weight_shares(self) -> Array:
        """Each prompt's share of the whole weight."""
        return np.asarray(self.weights / self.weights.sum())

    @property
    def freedom(self) -> float:
        """Kish's effective number of prompts less one: a few heavy ones among many light ones are few."""
        return max(1 / float((self.weight_shares**2).sum()) - 1, 0.1)

    def variance(self, values: Array) -> Array:
        """Return the variance of ``mean(values)`` over other draws of prompts; nan when one prompt is all there is."""
        if self.prompts < 2:
            return np.full(values.shape[1:], np.nan)
        return np.asarray(self.weight_shares**2 @ (values - self.mean(values)) ** 2 * (1 + 1 / self.freedom))


def small_note(cell: PromptShares, *, images: int = 30, prompts: int = 5) -> Note | None:
    """Return a warning when the cell is too small to lean on, else None.

    Below 30 images a 95 % interval of a balanced share is wider than 0.33. Below 5 prompts, but more than one, how
    prompts differ is hardly known. One prompt is a cell about that prompt, and only its images count.

    >>> small_note(PromptShares.of([[0.5, 0.5]], counts=[12]))
    Note(code='only_images', values=(('n', '12'),))
    """
    if cell.n < images:
        return Note.of("only_images", n=cell.n) if cell.n else Note("no_usable_images")
    return Note.of("only_prompts", n=cell.prompts) if 1 < cell.prompts < prompts else None


def effective_images(cell: PromptShares, spread: Array, variance: Array, confidence: float = 0.95) -> Array:
    """Return how many independent images would know a mean as well as the cell does.

    ``spread`` is the variance of a single image, ``variance`` that of the cell's mean. Where prompts differ, the
    cell's images are worth fewer; the fewer the prompts, the less is known about that, which the squared ratio of
    the normal to Student's quantile pays for. This is the effective sample size of Korn and Graubard (1998). It never
    exceeds what the images would be worth if prompts did not differ, nor falls below one image.

    >>> cell = PromptShares.of([[0.4, 0.6], [0.6, 0.4], [0.5, 0.5]], counts=[100, 100, 100])
    >>> effective_images(cell, cell.share * (1 - cell.share), cell.variance(cell.shares)).round(1).tolist()
    [15.6, 15.6]
    """
    alike = 1 / float((cell.weight_shares**2 / cell.counts).sum())
    if cell.prompts == 1:
        return np.full(spread.shape, alike)
    worth = np.divide(spread, variance, out=np.full(spread.shape, np.inf), where=variance > 1e-15)
    worth = worth * (t_value(confidence) / t_value(confidence, cell.freedom)) ** 2
    return np.asarray(np.clip(worth, min(1.0, alike), alike))


def share_intervals(cell: PromptShares, *, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the bounds of the share of each group.

    One prompt: Wilson's interval (mended near 0 and 1) on its images. Several: Clopper's and Pearson's on as many
    independent images as the cell is worth, averaged over how alike the images of a prompt may be
    (:mod:`portrayal.stats.intraclass`). Three prompts that agree in all their images do not prove that prompts agree.

    >>> cell = PromptShares.of([[1.0, 0.0], [1.0, 0.0]], counts=[16, 16])
    >>> low, high = share_intervals(cell)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.375, 0.0], [1.0, 0.625])
    """
    return bounds_about(cell, cell.shares, confidence)


def bounds_about(cell: PromptShares, scatter: Array, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the bounds of the cell's shares if prompts differ as ``scatter`` (prompts, groups) does.

    That is the shares themselves, or what is left of their differences once something known explains a part.
    """
    share = cell.share.clip(0, 1)
    if not cell.prompts:
        return share, share.copy()
    if cell.prompts == 1:
        return wilson_modified(share, cell.counts[0], confidence)
    return mixed_bounds(share, worths(cell), correlation_weights(scatter, cell.counts), confidence)


def worths(cell: PromptShares) -> Array:
    """Return how many independent images would know a share as well as the cell does, at each correlation.

    >>> worths(PromptShares.of([[0.5], [0.5], [0.5]], counts=[8, 8, 8]))[[0, -1]].round(1).tolist()
    [24.0, 3.1]
    """
    squares = cell.weight_shares**2
    alike, apart = float((squares / cell.counts).sum()), float(squares.sum())
    return np.asarray(1 / (CORRELATIONS * apart + (1 - CORRELATIONS) * alike))


def around_targets(cell: PromptShares, wanted: Array, pull: ArrayLike = 1.0) -> Array:
    """Return the prompts' shares without what their own targets explain if shares follow these ``pull`` times."""
    return np.asarray((cell.shares - np.asarray(pull) * (wanted - cell.mean(wanted))).clip(0, 1))

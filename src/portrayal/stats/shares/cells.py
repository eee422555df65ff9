"""The shares of one cell of a report, such as one generator's nurses, and how sure one can be of them.

The statement is about *these prompts*: the suite is what was asked, and only its images vary, independently given the
prompt. What other prompts might have shown is another question (:mod:`portrayal.stats.shares.prompt_sample`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from portrayal.records import Note
from portrayal.stats.intervals import Array, clopper_pearson, t_value

__all__ = ["PromptShares", "effective_images", "share_intervals", "side_worths", "small_note", "whole_worth", "worth"]

_NOUGHT = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class PromptShares:
    """Observed shares (prompts, groups), what is counted and the weight of each prompt; build it with :meth:`of`.

    ``independent`` (prompts, groups) is as many images as know the shares as well as those counted do: fewer where
    several people of a picture count. ``shared`` is above 1 where prompts have pictures in common.
    """

    shares: Array
    counts: Array
    weights: Array
    independent: Array
    shared: float = 1.0

    @classmethod
    def of(
        cls,
        shares: ArrayLike,
        counts: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        independent: ArrayLike | None = None,
        shared: float = 1.0,
    ) -> PromptShares:
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
        each = images[:, None] if independent is None else np.asarray(independent, dtype=float)
        each = np.broadcast_to(each, rows.shape)
        return cls(rows[kept], images[kept], mass[kept], each[kept], shared)

    def take(self, places: ArrayLike) -> PromptShares:
        """Return some of the prompts."""
        rows = np.asarray(places, dtype=np.int64)
        shares, counts, weights = self.shares[rows], self.counts[rows], self.weights[rows]
        return PromptShares(shares, counts, weights, self.independent[rows], self.shared)

    @property
    def n(self) -> int:
        """What is counted in all prompts: usable images, or people in them."""
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


def small_note(images: int, small: int = 30) -> Note | None:
    """Return a warning when images are too few to lean on, else None.

    Below 30 images a 95 % interval of a balanced share is wider than 0.37.

    >>> small_note(12)
    Note(code='only_images', values=(('n', '12'),))
    """
    if images >= small:
        return None
    return Note.of("only_images", n=images) if images else Note("no_usable_images")


def worth(cell: PromptShares, confidence: float = 0.95) -> Array:
    """Return how many independent images of one kind would know the share of each group as well as the cell does.

    That of the bound of which less is known, see :func:`side_worths`.

    >>> worth(PromptShares.of([[0.5], [0.5]], counts=[8, 8])).round(1).tolist()
    [16.0]
    >>> worth(PromptShares.of([[1.0], [0.0]], counts=[50, 50])).round(1).tolist()
    [634.8]
    """
    return np.minimum(*side_worths(cell, confidence))


def side_worths(cell: PromptShares, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return how many independent images stand behind the low and behind the high bound of the share of each group.

    Where an image of one prompt moves the share more than one of another does, a group may be seen in few images that
    count much. The low bound rests on the images that show the group, the high one on those that do not: each side
    counts as many as its own images do, the squared sum of what they move the share by the sum of squares, as in Fay
    and Feuer (1997). Where all images count alike, both are the same.

    >>> one_heavy = PromptShares.of([[0.0], [1.0]], counts=[1, 18], weights=[1, 9])
    >>> [bound.round(1).tolist() for bound in side_worths(one_heavy)]
    [[18.2], [10.0]]
    """
    images = _images_of_one_kind(cell, confidence)
    if not cell.prompts:
        return images, images.copy()
    squares, shares, share = cell.weight_shares[:, None] ** 2 / cell.independent, cell.shares.clip(0, 1), cell.share
    return images * _lighter(squares, shares, share), images * _lighter(squares, 1 - shares, 1 - share)


def _lighter(squares: Array, shares: Array, share: Array) -> Array:
    """Return by what a side's images count for fewer than images of the cell on average do, at most 1."""
    own = (squares * shares).sum(axis=0)
    part = np.divide(share * squares.sum(axis=0), own, out=np.ones_like(own), where=own > _NOUGHT)
    return np.where(part < 1 - 1e-9, part, 1.0)  # what rounding takes from images that count alike is nothing


def _images_of_one_kind(cell: PromptShares, confidence: float) -> Array:
    """Return how many images of one kind the cell's images are worth, if each side counts as it does on average.

    If all prompts had the same share, that were the reciprocal of the sum of squared weights by images. Where they
    differ, the sum of their images varies less (Hoeffding 1956), and images are worth more: by how much, the images of
    each prompt tell. A prompt whose images all agree counts as if half an image were otherwise, all prompts together as
    if four were, and what is known of few images is paid for by Student's distribution. More images, and more
    agreement, never make it less.
    """
    if not cell.prompts:
        return np.zeros(cell.shares.shape[1])
    n, squares = cell.independent, cell.weight_shares[:, None] ** 2
    least = 1 / (squares / n).sum(axis=0)
    share = cell.share.clip(0, 1)
    spread = share * (1 - share)
    variance = (_variances(cell.shares.clip(0, 1), n, spread) * squares / n).sum(axis=0)
    # Of a group that no image of a prompt shows, 3.7 may be expected all the same: about as many images as this.
    variance = np.maximum(variance, t_value(confidence) ** 2 * (squares / n**2).max(axis=0))
    sure = (t_value(confidence) / t_value(confidence, max(float((n - 1).clip(min=0).mean(axis=1).sum()), 1.0))) ** 2
    varied = np.divide(spread * sure, variance, out=np.zeros_like(spread), where=variance > 0)
    return np.asarray(np.maximum(varied, least) / cell.shared)


def whole_worth(cell: PromptShares) -> float:
    """Return how many independent images would know all shares of the cell together as well as it does.

    >>> whole_worth(PromptShares.of([[0.5, 0.3, 0.2]], counts=[30]))
    30.0
    """
    each, share = _images_of_one_kind(cell, 0.95), cell.share.clip(0, 1)
    spread = share * (1 - share)
    total = float(spread.sum())
    return total / float((spread / each).sum()) if total > _NOUGHT else float(each.min(initial=np.inf))


def _variances(shares: Array, n: Array, spread: Array) -> Array:
    """Return the variance of single images of each prompt, from its own images as far as they tell."""
    seen = shares * n
    otherwise = (seen + 0.5) / (n + 1)
    agree = (shares < _NOUGHT) | (shares > 1 - _NOUGHT)
    by_prompt = np.where(agree, otherwise * (1 - otherwise), shares * (1 - shares) * n / np.maximum(n - 1, _NOUGHT))
    return np.where(n <= 1, np.maximum(otherwise * (1 - otherwise), spread), by_prompt)


def share_intervals(cell: PromptShares, *, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the bounds of the share of each group in these prompts.

    They are those of Clopper and Pearson on as many independent images as the cell is worth on either side.

    >>> low, high = share_intervals(PromptShares.of([[1.0, 0.0]] * 8, counts=[30] * 8))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.985, 0.0], [1.0, 0.015])
    """
    share = cell.share.clip(0, 1)
    if not cell.prompts:
        return share, share.copy()
    below, above = side_worths(cell, confidence)
    return clopper_pearson(share, below, confidence)[0], clopper_pearson(share, above, confidence)[1]


def effective_images(cell: PromptShares, spread: Array, variance: Array, confidence: float = 0.95) -> Array:
    """Return how many independent images would know a mean as well as the cell does, if prompts are a sample.

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
    known = np.divide(spread, variance, out=np.full(spread.shape, np.inf), where=variance > 1e-15)
    known = known * (t_value(confidence) / t_value(confidence, cell.freedom)) ** 2
    return np.asarray(np.clip(known, min(1.0, alike), alike))

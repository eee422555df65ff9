"""The shares of one cell of a report, such as one generator's nurses, and how sure one can be of them.

With one prompt the statement is about that prompt, and its images are the sample. With several it is about prompts
like these, and the prompts are the sample: a thousand images of two prompts say little about a third.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from portrayal.records import Note
from portrayal.stats.bootstrap import (
    bootstrap_means,
    expanded_percentile,
    multinomial_shares,
    plausible_truths,
    shrinking_path,
)
from portrayal.stats.intervals import Array, Interval, last_refused, t_value, wilson_modified

__all__ = ["Divergence", "PromptShares", "divergence_interval", "effective_images", "share_intervals", "small_note"]

Divergence = Callable[[Array, Array], Array]
"""A function of shares and target shares on the last axis that broadcasts over the others."""


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


def share_intervals(
    cell: PromptShares, *, rng: np.random.Generator, draws: int = 1000, confidence: float = 0.95
) -> tuple[Array, Array]:
    """Return the bounds of the share of each group.

    One prompt: Wilson's interval (mended near 0 and 1) on its images. Several: the outer bounds of that interval on
    the effective number of images and of the expanded percentile bootstrap over prompts. The bootstrap alone has no
    width when all prompts agree and cannot reach beyond the prompts seen; the formula alone misses the lopsided way
    in which prompts scatter about a share near 0 or 1.

    >>> cell = PromptShares.of([[1.0, 0.0], [1.0, 0.0]], counts=[16, 16])
    >>> low, high = share_intervals(cell, rng=np.random.default_rng(0))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.893, 0.0], [1.0, 0.107])
    """
    share = cell.share
    if not cell.prompts:
        return share, share.copy()
    worth = effective_images(cell, share * (1 - share), cell.variance(cell.shares), confidence)
    low, high = wilson_modified(share, worth, confidence)
    if cell.prompts == 1:
        return low, high
    drawn = bootstrap_means(cell.shares, weights=cell.weights, draws=draws, rng=rng)
    lower, upper = expanded_percentile(drawn, cell.prompts, confidence)
    return np.minimum(low, lower), np.maximum(high, upper)


def divergence_interval(
    cell: PromptShares,
    targets: ArrayLike,
    divergence: Divergence,
    *,
    rng: np.random.Generator,
    draws: int = 1000,
    confidence: float = 0.95,
) -> Interval:
    """Return the interval of ``divergence(cell.share, mean target)``; ``targets`` is (prompts, groups) or (groups,).

    Shares scatter about their target even when the truth is the target, so a divergence seen in few images is too
    large, and bootstrapping the shares seen adds the same excess once more. The low bound therefore asks backwards
    (test inversion along a family of truths, DiCiccio and Romano 1990): walking from the target towards the shares
    seen, where does a divergence as large as the one seen stop being a surprise? It is 0 unless the target itself
    would be surprised. The high bound is the largest that truths which could have shown these shares reach (Walley's
    imprecise Dirichlet model, 1996), where the excess errs on the safe side. Both take the cell for its effective
    number of independent images. With several prompts the bootstrap over prompts may widen them. Measured coverage is
    in docs/validity.md.

    Where a target rules a group out, an infinite divergence such as Kullback-Leibler's has an infinite high bound:
    no number of images shows that a group never occurs.

    >>> cell = PromptShares.of([[0.75, 0.25]], counts=[16])
    >>> apart = lambda p, q: np.abs(p - q).sum(axis=-1) / 2
    >>> divergence_interval(cell, [0.5, 0.5], apart, rng=np.random.default_rng(0)).low
    0.0
    """
    wanted = np.broadcast_to(np.asarray(targets, dtype=float), cell.shares.shape)
    share, target = cell.share, cell.mean(wanted)
    seen = float(divergence(share, target))
    if not cell.prompts or math.isnan(seen):
        return Interval(math.nan, math.nan)
    # Prompts that follow their targets agree in the distance from them, prompts that are all alike agree in their
    # shares. Either variance is at least what the images account for; the bootstrap below sees the targets vary.
    variance = np.minimum(cell.variance(cell.shares - wanted).sum(), cell.variance(cell.shares).sum())
    worth = float(effective_images(cell, (share * (1 - share)).sum(), variance, confidence))
    low, high = _image_bounds(share, target, worth, divergence, rng=rng, draws=draws, confidence=confidence)
    if cell.prompts > 1:
        both = bootstrap_means(np.hstack([cell.shares, wanted]), weights=cell.weights, draws=draws, rng=rng)
        lower, upper = expanded_percentile(divergence(*np.split(both, 2, axis=1)), cell.prompts, confidence)
        low, high = min(low, float(lower)), max(high, float(upper))
    return Interval(min(low, seen), max(high, seen))


def _image_bounds(
    share: Array,
    target: Array,
    n: float,
    divergence: Divergence,
    *,
    rng: np.random.Generator,
    draws: int,
    confidence: float,
) -> tuple[float, float]:
    """Return the bounds of a divergence seen in ``n`` independent images."""
    seen, tail = divergence(share, target), (1 - confidence) / 2
    path = shrinking_path(share, target, n)

    def unsurprised(way: float) -> bool:
        drawn = divergence(multinomial_shares(path(way), max(1, round(n)), draws, rng), target)
        return bool(1 + np.sum(drawn >= seen - 1e-12) > tail * (1 + draws))

    low = divergence(path(last_refused(unsurprised)), target)
    tops = np.quantile(divergence(plausible_truths(share, n, draws, rng), target), 1 - tail, axis=-1, method="higher")
    return float(low), float(tops.max())

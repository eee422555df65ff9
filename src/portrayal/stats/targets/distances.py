"""How far a typical prompt lies from its own target.

The divergence of the mean hides what cancels: nurses drawn as women and surgeons drawn as men can average to the
reference. The mean of the prompts' own divergences does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.bootstrap import multinomial_shares
from portrayal.stats.intervals import Array, Interval, t_value
from portrayal.stats.shares.cells import PromptShares
from portrayal.stats.targets.divergences import Divergence

__all__ = ["mean_divergence"]

INNER = 1000
"""Draws per prompt: their own error is then far below that of the images."""
NEAR = 3.0
"""A prompt so many standard errors beyond what its target would show does not lie on it."""


def mean_divergence(
    cell: PromptShares,
    targets: ArrayLike,
    divergence: Divergence,
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
) -> tuple[float, Interval]:
    """Return the weighted mean over prompts of each prompt's divergence from its target, and its interval.

    Few images make every prompt look further off than it is. The estimate takes off the excess that redrawing the
    images seen adds (the bootstrap estimate of bias), which near the target is too little. For the low bound all is
    taken off that images of the target itself would show, but for prompts that lie clearly off it; for the high bound
    nothing, as no mean of a convex function lies below the function of the mean. So it errs on the wide side, the more
    the more groups and the fewer images there are. Coverage is in docs/validity.md.

    >>> cell = PromptShares.of([[0.9, 0.1], [0.1, 0.9]], counts=[500, 500])
    >>> apart = lambda p, q: np.abs(p - q).sum(axis=-1) / 2
    >>> value, _ = mean_divergence(cell, [0.5, 0.5], apart, rng=np.random.default_rng(0))
    >>> round(value, 2), float(apart(cell.share, np.array([0.5, 0.5])))
    (0.4, 0.0)
    """
    wanted = np.broadcast_to(np.asarray(targets, dtype=float), cell.shares.shape)
    nothing = float("nan"), Interval(float("nan"), float("nan"))
    if cell.prompts < 2:
        return nothing
    seen = np.asarray(divergence(cell.shares, wanted), dtype=float)
    if not np.isfinite(seen).all():
        return nothing
    weights = cell.weight_shares
    redrawn = _Redrawing(cell, wanted, divergence, rng)
    excess, spread, most = redrawn.excesses(seen)
    reach = float(np.sqrt((weights**2 @ spread**2) * cell.shared)) * t_value(confidence, redrawn.freedom)
    least = float(divergence(cell.share, cell.mean(wanted)))
    # Nothing lies further from a target than showing one group alone.
    alone = np.eye(cell.shares.shape[1])[:, None, :]
    furthest = float(weights @ np.asarray(divergence(alone, wanted)).max(axis=0))
    value = min(furthest, max(0.0, least, float(weights @ (seen - excess))))
    low, high = float(weights @ (seen - most)) - reach, float(weights @ seen) + reach
    return value, Interval(min(value, max(0.0, low)), max(value, min(furthest, high)))


@dataclass(frozen=True, slots=True, eq=False)
class _Redrawing:
    """What as many images of each prompt would show."""

    cell: PromptShares
    wanted: Array
    divergence: Divergence
    rng: np.random.Generator

    @property
    def images(self) -> Array:
        """Of each prompt, whole images."""
        return np.asarray(np.maximum(np.rint(self.cell.independent.mean(axis=1)), 1))

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the spread of images."""
        return max(float((self.images - 1).sum()) * float(self.wanted.shape[1] - 1), 1.0)

    def excesses(self, seen: Array) -> tuple[Array, Array, Array]:
        """Return by prompt the excess at the shares seen, the spread of the divergence, and the most excess likely."""
        groups, n = self.wanted.shape[1], self.images[:, None]
        # One image more, spread over all groups: images that all agree do not prove that others would.
        smooth = (self.cell.shares * n + 1 / groups) / (n + 1)
        here, there = self._drawn(smooth), self._drawn(self.wanted)
        excess = np.maximum(here.mean(axis=0) - self.divergence(smooth, self.wanted), 0.0)
        spread, on_target = np.maximum(here.std(axis=0), there.std(axis=0)), there.mean(axis=0)
        beyond = np.divide(seen - on_target, spread, out=np.zeros_like(seen), where=spread > 0)
        way = np.divide(beyond - NEAR, beyond, out=np.zeros_like(seen), where=beyond > NEAR)
        near = self.wanted + (self.cell.shares - self.wanted) * way[:, None]
        nearer = self._drawn(near).mean(axis=0) - self.divergence(near, self.wanted)
        most = np.where(way > 0, np.minimum(np.maximum(nearer, excess), on_target), on_target)
        return excess, np.where(way > 0, here.std(axis=0), spread), most

    def _drawn(self, truths: Array) -> Array:
        """Return the divergences (draws, prompts) that images would show if ``truths`` were the truth."""
        columns = [
            self.divergence(multinomial_shares(truth, count, INNER, self.rng), target)
            for truth, target, count in zip(truths, self.wanted, self.images, strict=True)
        ]
        return np.stack(columns, axis=1)

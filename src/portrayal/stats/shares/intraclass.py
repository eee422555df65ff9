"""How alike the images of one prompt are, and what shares can be known to in spite of it.

Prompts differ in their shares. The intraclass correlation says how much of the variance of single images that
explains: 0 where all prompts have the same share, 1 where all images of a prompt agree. With few prompts, or with a
group that hardly anybody or nearly everybody shows, the data leave it open; an interval that takes the one value that
happens to be seen for known is too narrow. Here every correlation counts as much as it explains the data.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
from scipy.special import betainc, betaincinv, betaln

from portrayal.stats.intervals import Array

__all__ = ["CORRELATIONS", "PRIOR", "correlation_weights", "mixed_bounds", "pooled_correlation"]

CORRELATIONS: Array = np.concatenate([[1e-6], np.geomspace(1e-3, 0.98, 47)])
"""The correlations that are considered; the first stands for none."""

PRIOR: Array = np.diff([0.0, *(CORRELATIONS[1:] + CORRELATIONS[:-1]) / 2, 1.0])
"""How much each stands for when all from 0 to 1 are as likely as one another."""

_SHARES: Array = betaincinv(0.5, 0.5, (np.arange(48) + 0.5) / 48)
"""True shares to average over: Jeffreys' prior of a share, in 48 equal parts."""

_MOST = 200
"""Images of a prompt beyond these say nothing more about how prompts differ."""


def correlation_weights(shares: Array, counts: Array, prior: Array = PRIOR) -> Array:
    """Return how likely each of ``CORRELATIONS`` is (groups, correlations) for shares (prompts, groups).

    The numbers of images that show a group are taken for beta-binomial, and all shares for possible. Where no image
    shows a group, or all do, nothing tells how prompts differ, and correlations are as likely as ``prior`` says.

    >>> few, many = (correlation_weights(np.array([[0.1], [0.9]] * n), np.full(2 * n, 50)) for n in (1, 50))
    >>> (few @ CORRELATIONS).round(2).tolist(), (many @ CORRELATIONS).round(2).tolist()
    ([0.5], [0.44])
    """
    images = np.minimum(np.rint(counts), _MOST).astype(int).clip(min=1)
    seen = np.rint(shares * images[:, None]).astype(int).clip(0, images[:, None])
    agree = (seen == 0).all(axis=0) | (seen == images[:, None]).all(axis=0)
    rising, whole = _log_rising()
    size = int(images.max()) + 1
    shown = _histograms(seen, size) @ rising[:size].reshape(size, -1)
    others = _histograms(images[:, None] - seen, size) @ rising[:size, ::-1].reshape(size, -1)
    fits = (shown + others).reshape(-1, len(_SHARES), len(CORRELATIONS)) - whole[images].sum(axis=0)
    likely = np.exp(fits - fits.max(axis=(1, 2), keepdims=True)).sum(axis=1) * prior
    likely = np.where(agree[:, None], prior, likely)
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def mixed_bounds(share: Array, worth: Array, weights: Array, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the bounds of each share when the images are worth ``worth[i]`` independent ones with ``weights[:, i]``.

    Each bound is the one of Clopper and Pearson, its tail averaged over the weights. Of no image or all of them, the
    share seen is a bound.

    >>> low, high = mixed_bounds(np.array([0.0, 0.5]), np.array([24.0]), np.ones((2, 1)))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.291], [0.142, 0.709])
    """
    sides = np.concatenate([share, 1 - share])
    tops = np.ones(len(sides))
    open_ = sides < 1 - 1e-12
    tops[open_] = _upper(sides[open_], worth, np.concatenate([weights, weights])[open_], (1 + confidence) / 2)
    high, low = np.split(tops, [len(share)])
    return np.minimum(np.where(share <= 1e-12, 0.0, 1 - low), share), np.maximum(high, share)


def pooled_correlation(cells: Iterable[tuple[Array, Array]]) -> float | None:
    """Return the one correlation of cells, each numbers of images that show each group (prompts, groups) and of all.

    By the analysis of variance (Fisher 1925), its sums over all cells; 0 where prompts differ less than chance has it,
    None where nothing varies or no cell has two prompts of two images.

    >>> pooled_correlation([(np.array([[10.0], [0.0]]), np.array([10.0, 10.0]))])
    1.0
    >>> pooled_correlation([(np.array([[5.0], [5.0]]), np.array([10.0, 10.0]))])
    0.0
    """
    between = both = 0.0
    for seen, images in cells:
        prompts, n = len(images), float(images.sum())
        if prompts < 2 or n <= prompts:
            continue
        shares, share = seen / images[:, None], seen.sum(axis=0) / n
        typical = (n - float((images**2).sum()) / n) / (prompts - 1)
        apart = float((images[:, None] * (shares - share) ** 2).sum()) / (prompts - 1)
        alike = float((images[:, None] * shares * (1 - shares)).sum()) / (n - prompts)
        between += apart - alike
        both += apart + (typical - 1) * alike
    return min(max(between / both, 0.0), 1.0) if both > 0 else None


def _upper(share: Array, worth: Array, weights: Array, level: float) -> Array:
    """Return where the mixture of Beta(worth * share + 1, worth * (1 - share)) reaches ``level``, by Newton's steps."""
    used = weights.max(axis=0) > 1e-7 if len(weights) else np.zeros(len(worth), dtype=bool)
    worth, weights = worth[used], weights[:, used]
    first, second = worth * share[:, None] + 1, worth * (1 - share)[:, None]
    scale = betaln(first, second)
    # On the scale of log odds the steps stay inside 0 and 1; halving helps out where Newton would leave the bracket.
    least, most = np.full(len(share), -40.0), np.full(len(share), 40.0)
    at = np.log((first / second * weights).sum(axis=1))
    for _ in range(60):
        p, q = 1 / (1 + np.exp(-at)), 1 / (1 + np.exp(at))
        excess = (weights * betainc(first, second, p[:, None])).sum(axis=1) - level
        logs = first * np.log(p)[:, None] + second * np.log(q)[:, None] - scale
        slope = (weights * np.exp(logs)).sum(axis=1)
        least, most = np.where(excess < 0, at, least), np.where(excess < 0, most, at)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = at - excess / slope
        step = np.where((step > least) & (step < most), step, (least + most) / 2)
        if np.abs(step - at).max(initial=0.0) < 1e-7:
            break
        at = step
    return np.asarray(1 / (1 + np.exp(-at)))


def _histograms(numbers: np.ndarray, size: int) -> Array:
    """Return how many prompts have each number (columns, size)."""
    columns = numbers.shape[1]
    places = numbers + np.arange(columns) * size
    return np.bincount(places.ravel(), minlength=columns * size).reshape(columns, size).astype(float)


@cache
def _log_rising() -> tuple[Array, Array]:
    """Return the logarithms of rising factorials up to each number of images: (images, shares, correlations) of a
    group's own parameter of the beta distribution, (images, correlations) of both together."""
    total = (1 - CORRELATIONS) / CORRELATIONS
    steps = np.arange(_MOST)
    single = np.log(_SHARES[:, None] * total + steps[:, None, None]).cumsum(axis=0)
    both = np.log(total + steps[:, None]).cumsum(axis=0)
    return np.concatenate([np.zeros((1, *single.shape[1:])), single]), np.concatenate([np.zeros((1, len(total))), both])

"""Many tests at once: how surprising each is when the least surprising of so many is bound to look like something."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.intervals import Array

__all__ = ["benjamini_hochberg", "benjamini_yekutieli", "holm"]


def benjamini_hochberg(p: ArrayLike) -> Array:
    """Return the adjusted p-values of Benjamini and Hochberg (1995), in the order given; nan is no test and stays nan.

    Of all that are at most 0.05, about one in twenty is a false alarm; where nothing is there at all, any alarm comes
    in one of twenty studies.

    >>> benjamini_hochberg([0.01, 0.04, 0.03, float("nan")]).round(3).tolist()
    [0.03, 0.04, 0.04, nan]
    """
    values = np.asarray(p, dtype=float)
    adjusted = np.full(len(values), np.nan)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    ranked = values[order] * len(order) / np.arange(1, len(order) + 1)
    adjusted[order] = np.minimum(np.minimum.accumulate(ranked[::-1])[::-1], 1.0)
    return adjusted


def benjamini_yekutieli(p: ArrayLike) -> Array:
    """Return the adjusted p-values of Benjamini and Yekutieli (2001), which hold however the tests depend.

    >>> benjamini_yekutieli([0.001, 0.02, 0.3]).round(4).tolist()
    [0.0055, 0.055, 0.55]
    """
    adjusted = benjamini_hochberg(p)
    tests = int((~np.isnan(adjusted)).sum())
    return np.asarray(np.minimum(adjusted * (1 / np.arange(1, tests + 1)).sum(), 1.0))


def holm(p: ArrayLike) -> Array:
    """Return the adjusted p-values of Holm (1979), in the order given; nan is no test and stays nan.

    That any of those that are at most 0.05 is a false alarm happens in one of twenty studies at most.

    >>> holm([0.01, 0.04, 0.03, float("nan")]).round(3).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    values = np.asarray(p, dtype=float)
    adjusted = np.full(len(values), np.nan)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    ranked = values[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(ranked), 1.0)
    return adjusted

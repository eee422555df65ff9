"""Do several groups differ: the rank test of Kruskal and Wallis, and what it can find in groups of these sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np

from portrayal.stats.intervals import Array, t_value

__all__ = ["difference_margin", "kruskal_wallis", "least_p"]

_MOSTLY = 0.8
_RANKS = 3 / math.pi
"""How many values a rank test needs less than one of means, if both are normal: so much of the evidence it keeps."""
_ALL_ORDERS = 6


def kruskal_wallis(groups: Sequence[Array]) -> float | None:
    """Return the p-value of the hypothesis that all groups are alike, or None of fewer than two or if nothing varies.

    >>> found = kruskal_wallis([np.arange(5.0), np.arange(5.0) + 10])
    >>> found and round(found, 4)
    0.009
    """
    if len(groups) < 2 or np.ptp(np.concatenate(groups)) == 0:
        return None
    from scipy.stats import kruskal

    return float(kruskal(*groups).pvalue)


def least_p(sizes: Sequence[int]) -> float:
    """Return the least p-value that groups of these sizes can have, which is that of groups that do not overlap.

    Of more than six groups 0 is returned: then no level is out of reach that a page would ask for.

    >>> round(least_p([5, 5]), 4), least_p([5, 50]) < 0.001
    (0.009, True)
    """
    if len(sizes) > _ALL_ORDERS:
        return 0.0
    from scipy.stats import chi2

    total = sum(sizes)
    most = 0.0
    for order in permutations(sizes):
        ends = np.cumsum(order)
        means = ends - (np.array(order) - 1) / 2
        between = float((np.array(order) * (means - (total + 1) / 2) ** 2).sum())
        most = max(most, 12 / (total * (total + 1)) * between)
    return float(chi2.sf(most, len(sizes) - 1))


def difference_margin(groups: Sequence[Array], level: float) -> float:
    """Return how far any one group would have to lie from the others to be found four times in five at ``level``.

    Never less than the ends of the intervals of how far each group does lie from the others: what the data leave open
    is not excluded.
    """
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2

    sizes = np.array([len(group) for group in groups], dtype=float)
    total, freedom = float(sizes.sum()), len(groups) - 1
    rest = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    scatter = math.sqrt(rest / (total - len(groups)))
    means = np.array([float(group.mean()) for group in groups])
    apart = np.abs(means - (float(sizes @ means) - sizes * means) / (total - sizes))
    errors = scatter * np.sqrt(1 / sizes + 1 / (total - sizes))
    limit = float(chi2.isf(level, freedom))
    noncentral = float(brentq(lambda value: ncx2.sf(limit, freedom, value) - _MOSTLY, 1e-6, 1e3))
    shown = errors * math.sqrt(noncentral / _RANKS)
    open_ends = apart + t_value(1 - level, total - len(groups)) * errors
    return float(max(shown.max(), open_ends.max()))

"""An interval for Krippendorff's alpha: what was judged is drawn anew, and bounded where nobody disagrees."""

from __future__ import annotations

import numpy as np

from portrayal.stats.annotation.agreement import Metric, certain_alpha, coincidence_alpha, coincidences
from portrayal.stats.bootstrap import expanded_percentile
from portrayal.stats.intervals import Array

__all__ = ["Alpha", "alpha_interval"]

Alpha = tuple[float | None, float | None, float | None]
"""Alpha with the ends of its 95 % interval; None where it is not defined."""


def alpha_interval(
    counts: Array, metric: Metric, draws: int, rng: np.random.Generator, *, mirrored: bool = False
) -> Alpha:
    """Return alpha of units with ``counts`` of labels (units, groups), and its interval.

    ``mirrored``: which of the groups is the first is arbitrary, so that chance may not know, and both ways round count.

    >>> counts = np.array([[2.0, 0.0]] * 30 + [[0.0, 2.0]] * 30 + [[1.0, 1.0]] * 4)
    >>> [round(end, 2) for end in alpha_interval(counts, "nominal", 500, np.random.default_rng(0))]
    [0.88, 0.75, 1.0]
    """
    # Units with the same votes are the same to alpha, so that drawing units is drawing how many of each kind.
    kinds, often = np.unique(counts, axis=0, return_counts=True)
    matrices = coincidences(kinds, np.arange(len(kinds)), len(kinds))
    if mirrored:
        matrices = (matrices + matrices[:, ::-1, ::-1]) / 2
    value = float(coincidence_alpha(np.tensordot(often, matrices, axes=1), metric))
    if np.isnan(value):
        return None, None, None
    if len(counts) < 2:
        return value, None, None
    picked = rng.multinomial(len(counts), often / often.sum(), size=draws).astype(float)
    drawn = coincidence_alpha(np.tensordot(picked, matrices, axes=1), metric)
    # Where all votes drawn are the same, alpha is not defined.
    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn):
        return value, None, None
    low, high = expanded_percentile(drawn, len(counts))
    return value, min(float(low), value, certain_alpha(len(counts))), max(float(high), value)

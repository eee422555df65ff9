"""Distances from a reference, of shares that people's labels put right.

A distance is never below 0, and shares that are uncertain lie off their reference more than they should; so what a
corrected distance may be is not taken from the scatter of distances but from that of shares. Of one cell it is every
distance that shares within their intervals can have: 0 is in it as long as the reference itself is possible. Of two
groups that holds as often as the interval of the share does; of more groups these are widened, so that all of them hold
together (Bonferroni), and the distance is held more often than it says.

Of the mean over terms it is too wide: errors of the pictures, which terms do not share, cancel. There draws of the
corrected shares are used, those of all terms with the same draws of the confusion matrix.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from portrayal.stats.intervals import Array, Interval

__all__ = ["DrawnTerm", "corrected_score", "mean_total_variation"]

Score = Callable[[Array, Array], Array]
"""A distance of shares from target shares on the last axis: 0 at the target, convex, a sum over groups."""
_NEAR = 3.0
"""A term so many standard errors beyond what its target would show does not lie on it."""
_ROUNDING = 1e-9


def corrected_score(
    bounds: Sequence[Interval], shares: ArrayLike, target: ArrayLike, score: Score, confidence: float = 0.95
) -> tuple[float, Interval]:
    """Return a score of shares with intervals of a confidence, and its range over all shares that lie within these.

    Of the square of each group's deviation the estimate takes off what chance adds, which is the interval's.

    >>> apart = lambda p, q: np.abs(p - q).sum(axis=-1) / 2
    >>> bounds = [Interval(0.6, 0.8), Interval(0.2, 0.4)]
    >>> value, found = corrected_score(bounds, [0.7, 0.3], [0.5, 0.5], apart)
    >>> round(value, 3), round(found.low, 6), round(found.high, 6)
    (0.193, 0.1, 0.3)
    >>> value, found = corrected_score(bounds, [0.7, 0.3], [0.75, 0.25], apart)
    >>> value, found.low
    (0.0, 0.0)
    """
    middle, wanted = np.asarray(shares, dtype=float), np.asarray(target, dtype=float)
    tail = (1 - confidence) / 2
    wider = NormalDist().inv_cdf(1 - tail / max(len(middle) - 1, 1)) / NormalDist().inv_cdf(1 - tail)
    low = (middle - wider * (middle - [each.low for each in bounds])).clip(0, 1)
    high = (middle + wider * ([each.high for each in bounds] - middle)).clip(0, 1)
    ends = np.asarray(score(_corners(low, high), wanted), dtype=float)
    errors = np.array([each.width for each in bounds]) / (2 * NormalDist().inv_cdf(1 - tail))
    apart = middle - wanted
    nearer = (wanted + np.sign(apart) * np.sqrt((apart**2 - errors**2).clip(min=0))).clip(0, 1)
    value = float(score(nearer / nearer.sum(), wanted)) if nearer.sum() > 0 else math.nan
    least, most = float(score(_nearest(low, high, wanted), wanted)), float(ends.max(initial=value))
    return value, Interval(min(least, value), max(most, value))


def _corners(low: Array, high: Array) -> Array:
    """Return the corners (corners, groups) of what shares may be: all groups at a bound of theirs but one."""
    found = []
    for free in range(len(low)):
        others = [group for group in range(len(low)) if group != free]
        ends = np.array(list(product(*((low[group], high[group]) for group in others))))
        rest = 1 - ends.sum(axis=1)
        fits = (rest >= low[free] - _ROUNDING) & (rest <= high[free] + _ROUNDING)
        found.append(np.insert(ends[fits], free, rest[fits].clip(0, 1), axis=1))
    return np.concatenate(found)


def _nearest(low: Array, high: Array, target: Array) -> Array:
    """Return the shares within their bounds that come nearest to the target, by any sum of convex functions of p / t.

    Those are its multiples, held to the bounds (Karush, Kuhn and Tucker).
    """
    if (low <= target).all() and (target <= high).all():
        return target
    least, most = 0.0, 1e9
    for _ in range(100):
        times = (least * most) ** 0.5 if least > 0 else most / 2
        if (times * target).clip(low, high).sum() < 1:
            least = times
        else:
            most = times
    found = (most * target).clip(low, high)
    lacking = max(1 - found.sum(), 0.0)  # only where the target rules out groups that must be there
    room = high - found
    return np.asarray(found + room * (lacking / max(room.sum(), 1e-300)))


@dataclass(frozen=True, slots=True, eq=False)
class DrawnTerm:
    """The corrected shares of a term, draws of them (draws, groups), its reference, and its weight."""

    shares: Array
    drawn: Array
    target: Array
    weight: float


def mean_total_variation(terms: Sequence[DrawnTerm], confidence: float = 0.95) -> tuple[float, Interval]:
    """Return the weighted mean of the terms' total variations from their references, and its interval.

    Few pictures make every term look further off than it is. The estimate takes off what drawing the shares again
    adds; for the low bound all is taken off that terms on their reference would show, but for those that lie clearly
    off it; for the high bound nothing. So it errs on the wide side.

    >>> scatter = np.linspace(-0.01, 0.01, 101)[:, None] * [1, -1]
    >>> terms = [DrawnTerm(each, each + scatter, np.full(2, 0.5), 1.0) for each in np.array([[0.9, 0.1], [0.9, 0.1]])]
    >>> value, bounds = mean_total_variation(terms)
    >>> round(value, 6), round(bounds.low, 2), round(bounds.high, 2)
    (0.4, 0.39, 0.41)
    """
    weights = np.array([term.weight for term in terms])
    weights = weights / weights.sum()
    seen = np.array([_apart(term.shares, term.target) for term in terms])
    scatter = [term.drawn - term.drawn.mean(axis=0) for term in terms]
    drawn = np.array([_apart(term.shares + each, term.target) for term, each in zip(terms, scatter, strict=True)])
    there = np.array([_apart(each, 0.0) for each in scatter])
    excess = (drawn.mean(axis=1) - seen).clip(min=0)
    off = seen > there.mean(axis=1) + _NEAR * there.std(axis=1)
    most = np.where(off, excess, there.mean(axis=1))
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * float((weights @ np.where(off[:, None], drawn, there)).std())
    furthest = float(weights @ [1 - term.target.min() for term in terms])
    together = weights @ np.array([term.shares - term.target for term in terms])
    least = float(np.abs(together).sum() / 2)  # no mean of distances lies below the distance of the mean
    whole = np.tensordot(weights, [term.drawn - term.target for term in terms], 1)
    value = min(max(float(weights @ (seen - excess)), least), furthest)
    low = float(weights @ (seen - most)) - reach
    high = max(float(weights @ seen) + reach, float(np.quantile(_apart(whole, 0.0), (1 + confidence) / 2)))
    return value, Interval(min(max(low, 0.0), value), max(min(high, furthest), value))


def _apart(shares: Array, target: Array | float) -> Array:
    """Return the total variation, also of draws below 0."""
    return np.asarray(np.abs(shares - target).sum(axis=-1) / 2)

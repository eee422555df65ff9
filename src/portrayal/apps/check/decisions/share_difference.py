"""How much two shares of independent images differ: bounds that hold for any number of images.

A difference is refused if, whatever the one share is, both exact one-sided tests together say so: two independent
p-values combined as Fisher (1932) does, and the largest over all shares with that difference. An interval from normal
approximations, such as that of Miettinen and Nurminen (1985), misses far more often than it says where as much
confidence is asked for as many scenarios need: up to eight times as often for a tail of 0.001.
"""

from __future__ import annotations

import math

from portrayal.apps.check.decisions.seen_images import SeenImages
from portrayal.stats.intervals import Interval

__all__ = ["share_difference"]

_HALVINGS = 24
_STEPS = 30
_GOLDEN = (math.sqrt(5) - 1) / 2


def share_difference(one: SeenImages, other: SeenImages, tail: float) -> Interval:
    """Return the bounds of ``one`` less ``other``, each of which fails with a chance of at most ``tail``.

    >>> found = share_difference(SeenImages(10, 90), SeenImages(50, 50), 0.025)
    >>> round(found.low, 3), round(found.high, 3)
    (-0.534, -0.257)
    """
    return Interval(_low(one, other, tail), -_low(other, one, tail))


def _low(one: SeenImages, other: SeenImages, tail: float) -> float:
    """Return the largest difference up to which all are refused, by halving; it is never above the one sought."""
    refused, kept = -1.0, max(one.value - other.value, -1.0)
    if _p_value(one, other, refused) > tail:
        return refused
    for _ in range(_HALVINGS):
        middle = (refused + kept) / 2
        refused, kept = (middle, kept) if _p_value(one, other, middle) <= tail else (refused, middle)
    return refused


def _p_value(one: SeenImages, other: SeenImages, difference: float) -> float:
    """Return how likely so large a difference is at most, if the true one is ``difference``.

    The product of two p-values is log-concave in the share, so that a golden-section search finds its largest value.
    """
    low, high = max(0.0, -difference), min(1.0, 1.0 - difference)

    def product(share: float) -> float:
        return _log(one.chance_of_more(share + difference)) + _log(other.turned.chance_of_more(1 - share))

    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = product(left), product(right)
    for _ in range(_STEPS):
        # Of many images a chance far from what they show is 0 as computed: which of both it is says where to go.
        if at_left > at_right or (at_right == -math.inf and other.turned.chance_of_more(1 - right) <= 0):
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = product(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = product(right)
    largest = max(at_left, at_right, product(low), product(high))
    return math.exp(largest) * (1 - largest) if largest > -math.inf else 0.0


def _log(chance: float) -> float:
    return math.log(chance) if chance > 0 else -math.inf

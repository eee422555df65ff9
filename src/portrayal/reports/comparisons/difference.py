"""A difference between two sides: how large, how sure, and a verdict out of five."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from portrayal.records import Measurement
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.pairing import PairedShare

__all__ = ["LEAST_IMAGES", "LEVEL", "TELLING", "Correction", "Difference", "DifferenceVerdict", "size_to_show"]

LEVEL = 0.05
"""Corrected p-values of at most this are called a difference."""
LEAST_IMAGES = 5
"""With fewer images on either side there are no statistics: the counts are given, and that they are too few."""
TELLING = 0.3
"""Where only differences of shares larger than this would have shown, there are too few images to tell."""

Correction = Literal["benjamini-hochberg", "holm"]


class DifferenceVerdict(StrEnum):
    """What may be said of a difference."""

    MORE = "more"
    LESS = "less"
    EQUIVALENT = "equivalent"
    NONE_FOUND = "none_found"
    TOO_FEW = "too_few"


@dataclass(frozen=True, slots=True)
class Difference:
    """``one`` less ``other``, with the bounds of its 95 % interval, its p-value and the one corrected for all.

    ``detectable`` is how large a true difference had to be to show in four of five such studies, ``needed`` how many
    images of each side would show one of :func:`size_to_show`, after the correction; 0 where that is not known.
    ``unsettled`` is whether missing images could change the verdict: a difference shrinks into the margin, or until
    chance explains it, or one could be hidden, if all of one side show the group and none of the other's. ``stated`` is
    how far the share of missing images was stated to lie from that of the others at most, where the verdict rests on
    that; else 1. ``pairs`` are what was compared pair by pair; None: independent pictures.
    """

    one: Measurement
    other: Measurement
    value: float
    low: float
    high: float
    p: float
    adjusted: float = math.nan
    detectable: float = math.inf
    needed: int = 0
    verdict: DifferenceVerdict = DifferenceVerdict.TOO_FEW
    unsettled: bool = False
    stated: float = 1.0
    pairs: PairedShare | None = None

    def is_within(self, margin: float) -> bool:
        """Return whether the whole interval lies inside the margin."""
        return is_share(self.one) and -margin <= self.low and self.high <= margin


def size_to_show(margin: float) -> float:
    """Return the difference of shares for which images are counted that would show it: twice the margin.

    It is no larger than what must show for images to be enough: for a larger one fewer than there are would do.

    >>> size_to_show(0.1), size_to_show(0.2)
    (0.2, 0.3)
    """
    return min(2 * margin, TELLING)

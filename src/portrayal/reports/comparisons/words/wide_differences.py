"""Intervals of differences that are wider than they need be: they carry the sign that those of shares carry."""

from __future__ import annotations

import math

from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.text.wide_intervals import FEW, FEW_OF_A_PROMPT, SIGN

__all__ = ["wide_sign"]


def wide_sign(difference: Difference) -> str:
    """Return the sign where few pictures of both sides show the group, or few do not, or few pairs disagree.

    So it is where prompts have few images each. Whole images come in steps there, and the interval of a difference of
    shares holds more often than in 97 of 100 cases; docs/validity.md has how often.
    """
    one, other = difference.one, difference.other
    if not is_share(one) or math.isnan(difference.low):
        return ""
    worth = [float(row.worth or 0.0) for row in (one, other)]
    if one.prompts > 1 and min(worth) < FEW_OF_A_PROMPT * one.prompts:
        return SIGN
    if difference.pairs is not None:
        return SIGN if difference.pairs.apart * difference.pairs.worth < FEW - 1e-9 else ""
    shown = sum(images * (row.value or 0.0) for images, row in zip(worth, (one, other), strict=True))
    return SIGN if min(shown, sum(worth) - shown) < FEW - 1e-9 else ""

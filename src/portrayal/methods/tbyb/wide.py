"""Which of TBYB's intervals are wider than they need be; docs/validity.md has how often they hold."""

from __future__ import annotations

from portrayal.records import Measurement
from portrayal.reports.text.wide_intervals import SIGN, side_is_small, usually_wide

__all__ = ["wide", "word_sign"]

_FEW_PROMPTS = {
    "jaccard_hallucination": 10,
    "hallucination_by_addition": 10,
    "hallucination_by_omission": 10,
    "miss_rate": 100,
}
"""Below so many prompts H_J has the interval of any number between 0 and 1, and prompts that are hardly ever missed
leave much open about M_G."""


def wide(row: Measurement) -> bool:
    """Return whether prompts are few, or as of any other method."""
    return row.prompts < _FEW_PROMPTS.get(row.metric, 0) or usually_wide(row)


def word_sign(share: float, images: int) -> str:
    """Return the sign of the interval of a word's share of all captions, where few name it or few do not."""
    return SIGN if not share or side_is_small(share, images / share) else ""

"""Which of BiasPainter's intervals are wider than they need be; docs/validity.md has how often they hold."""

from __future__ import annotations

from portrayal.records import Measurement
from portrayal.reports.text.notes import attribute_named
from portrayal.reports.text.wide_intervals import SIGN

__all__ = ["wide", "word_sign"]

_SIZES = ("model_word_bias", "topic_word_bias")
"""Mean sizes, whose bounds are those by the mean error of all words."""


def wide(row: Measurement) -> bool:
    """Return whether an interval is one of flips, of which few faces show few, or of a mean size."""
    return row.metric.startswith(_SIZES) or bool(word_sign(row.attribute))


def word_sign(attribute: str) -> str:
    """Return the sign of the interval of a word: faces flip or do not, and few of them do."""
    found = attribute_named(attribute)
    return SIGN if found and found.groups else ""

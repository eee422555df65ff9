"""Which intervals of shares by language are wider than they need be; docs/validity.md has how often they hold."""

from __future__ import annotations

from portrayal.records import Measurement
from portrayal.reports.text.wide_intervals import usually_wide

__all__ = ["FEW_PAIRS", "wide"]

FEW_PAIRS = 20


def wide(row: Measurement) -> bool:
    """Return whether pairs are few, or as of any other method."""
    return row.n < FEW_PAIRS if row.metric == "paired_difference" else usually_wide(row)

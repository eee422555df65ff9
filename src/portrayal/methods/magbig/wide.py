"""Which of MAGBIG's intervals are wider than they need be; docs/validity.md has how often they hold."""

from __future__ import annotations

from portrayal.methods.magbig.parity import DEVIATION
from portrayal.records import Measurement
from portrayal.reports.text.wide_intervals import usually_wide

__all__ = ["FEW_PAIRS", "wide"]

FEW_PAIRS = 20


def wide(row: Measurement) -> bool:
    """Return whether it is the deviation from parity, whose interval errs on the wide side, or there are few pairs."""
    if row.metric == "paired_difference":
        return row.n < FEW_PAIRS
    return row.metric == DEVIATION or usually_wide(row)

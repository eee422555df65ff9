"""Which of MAGBIG's intervals are wider than they need be; docs/validity.md has how often they hold."""

from __future__ import annotations

from portrayal.methods.by_language.wide import wide as wide_by_language
from portrayal.methods.magbig.parity import DEVIATION
from portrayal.records import Measurement

__all__ = ["wide"]


def wide(row: Measurement) -> bool:
    """Return whether it is the deviation from parity, whose interval errs on the wide side, or as any by language."""
    return row.metric == DEVIATION or wide_by_language(row)

"""Which of BiasIG's intervals are wider than they need be; docs/validity.md has how often they hold."""

from __future__ import annotations

from portrayal.records import Measurement

__all__ = ["wide"]

FEW_IMAGES = 20
_SHARES = ("share", "label_share", "explicit_score", "explicit_score_hard")


def wide(row: Measurement) -> bool:
    """Return whether it is a share of a single question that has few images."""
    return row.metric in _SHARES and row.level == "prompt" and row.n < FEW_IMAGES

"""Which of BiasIG's intervals are wider than they need be; docs/validity.md has how often they hold."""

from __future__ import annotations

from portrayal.records import Measurement

__all__ = ["wide"]

FEW_IMAGES = 20


def wide(row: Measurement) -> bool:
    """Return whether a single question has few images, whose shares could lie far off what was seen."""
    return row.level == "prompt" and row.n < FEW_IMAGES

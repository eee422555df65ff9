"""Which of FAIntbench's intervals are wider than they need be; docs/validity.md has how often they hold."""

from __future__ import annotations

from portrayal.records import Measurement

__all__ = ["wide"]

FEW_PROMPTS, FEW_IN_PAIRS = 100, 20


def wide(row: Measurement) -> bool:
    """Return whether prompts count as a sample and are few: there is room for one that scores far lower."""
    few = FEW_IN_PAIRS if row.metric == "manifestation" else FEW_PROMPTS
    return row.prompts < few and any(note.code == "prompts_sampled" for note in row.notes)

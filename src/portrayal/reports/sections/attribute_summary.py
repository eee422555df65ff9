"""What one attribute shows of one generator, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Summary"]


@dataclass(frozen=True, slots=True)
class Summary:
    """One result of one generator, in words: what was found, what else is known of it, and what it rests on."""

    title: str
    sentence: str
    distance: str
    data: str
    notes: Sequence[str]

"""A finding in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of one generator, in words: what was found, what else is known of it, and what it rests on."""

    title: str
    sentence: str
    distance: str
    data: str
    notes: Sequence[str]

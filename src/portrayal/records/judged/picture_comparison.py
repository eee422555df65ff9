"""How alike two images are, or why that cannot be said."""

from __future__ import annotations

from dataclasses import dataclass

from portrayal.records.arrow_rows import record_schema

__all__ = ["COMPARISON_SCHEMA", "Comparison"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A row of ``tables/comparisons``: two images, the first in alphabetical order, and how alike ``comparer`` finds
    them; without a value there is a ``reason``.
    """

    image: str
    other: str
    comparer: str
    value: float | None = None
    reason: str | None = None


COMPARISON_SCHEMA = record_schema(Comparison)

"""How alike two images are, or why that cannot be said."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

__all__ = ["COMPARISON_SCHEMA", "Comparison"]

COMPARISON_SCHEMA = pa.schema(
    [
        ("image", pa.string()),
        ("other", pa.string()),
        ("comparer", pa.string()),
        ("value", pa.float64()),
        ("reason", pa.string()),
    ]
)


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

"""What calls of paid services cost: a row when one is about to be made, a row when its price is known."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

__all__ = ["SPENDING_SCHEMA", "Spending"]

SPENDING_SCHEMA = pa.schema(
    [
        ("ticket", pa.string()),
        ("part", pa.string()),
        ("item", pa.string()),
        ("usd", pa.float64()),
        ("settled", pa.bool_()),
    ]
)


@dataclass(frozen=True, slots=True)
class Spending:
    """A row of ``tables/spending``: set aside for a call by ``part`` about the job or image ``item``, or settled."""

    ticket: str
    part: str
    item: str
    usd: float
    settled: bool

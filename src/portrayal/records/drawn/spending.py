"""What calls of paid services cost: a row when one is about to be made, a row when its price is known."""

from __future__ import annotations

from dataclasses import dataclass

from portrayal.records.arrow_rows import record_schema

__all__ = ["SPENDING_SCHEMA", "Spending"]


@dataclass(frozen=True, slots=True)
class Spending:
    """A row of ``tables/spending``: set aside for a call by ``part`` about the job or image ``item``, or settled."""

    ticket: str
    part: str
    item: str
    usd: float
    settled: bool


SPENDING_SCHEMA = record_schema(Spending)

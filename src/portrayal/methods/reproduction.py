"""What comes out when the numbers that a paper prints are recomputed, and where the two do not agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Outlier", "PrintedNumber", "Reproduction"]


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A printed number, the same number computed, and what is known about it when it is a mistake of the paper."""

    table: int
    row: str
    model: str
    computed: float
    printed: float
    tolerance: float = 0.0
    note: str = ""

    @property
    def difference(self) -> float:
        """Return computed less printed."""
        return self.computed - self.printed

    @property
    def agrees(self) -> bool:
        """Whether the two are the same but for rounding."""
        return abs(self.difference) <= self.tolerance

    @property
    def erratum(self) -> bool:
        """Whether the printed number is a known mistake."""
        return bool(self.note)

    def as_json(self) -> dict[str, Any]:
        """Return the cell for machines."""
        names = ("table", "row", "model", "computed", "printed", "difference", "agrees", "erratum", "note")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Outlier:
    """A printed average that lies outside the numbers it is an average of, whatever their weights."""

    table: int
    row: str
    model: str
    printed: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Reproduction:
    """``cells``: totals computed from their parts. ``further``: other checks, such as of numbers printed twice.

    ``outside``: averages that lie outside their parts; which of the numbers is wrong cannot be told.
    """

    cells: Sequence[PrintedNumber]
    further: Sequence[PrintedNumber]
    outside: Sequence[Outlier]

    @property
    def holds(self) -> bool:
        """Whether everything agrees that is not a known erratum."""
        return all(cell.agrees or cell.erratum for cell in (*self.cells, *self.further))

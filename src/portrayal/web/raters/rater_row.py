"""A rater as a row of the team's page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.study.sql.rater import Rater, RaterProgress

__all__ = ["RaterRow", "in_order", "rater_row"]


@dataclass(frozen=True, slots=True)
class RaterRow:
    """One rater in words; what is not known yet is a dash."""

    id: str
    label: str
    done: int
    total: int
    cells: Sequence[str]
    flags: Sequence[str]
    excluded: bool


def rater_row(rater: Rater, progress: RaterProgress, cells: Sequence[str], flags: Sequence[str]) -> RaterRow:
    """Return the row of a rater; ``cells`` are what a site's own columns say."""
    return RaterRow(
        rater.id,
        label=rater.label,
        done=progress.done,
        total=progress.total,
        cells=cells,
        flags=flags,
        excluded=rater.excluded,
    )


def in_order(rows: Sequence[RaterRow]) -> list[RaterRow]:
    """Return the rows: those with a flag first, then as they were invited, and last who is left out."""
    return sorted(rows, key=lambda row: (row.excluded, not row.flags))

"""Numbers put into rows: a value with its interval, and what is missing by reason."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from portrayal.records import Measurement
from portrayal.stats.intervals import Array
from portrayal.stats.shares.cells import PromptShares, share_intervals

__all__ = ["at", "bounded", "filled", "missing_rows", "number"]


def number(value: float) -> float | None:
    """Return None for what is no number, so that nan and infinity never reach a table."""
    return float(value) if math.isfinite(value) else None


def at(column: Array | None, place: int) -> float | None:
    """Return the number that stands at a place of a column, where there are both."""
    return None if column is None else number(column[place])


def bounded(cell: PromptShares) -> tuple[Array, Array, Array]:
    """Return the shares of a cell and their intervals; rounding takes no mean of shares beyond 0 and 1."""
    return cell.share.clip(0.0, 1.0), *share_intervals(cell)


def filled(row: Measurement, bounds: tuple[Array, Array, Array], place: int) -> Measurement:
    """Return the row with the value and the interval that stand at ``place``; what is no number is left out."""
    value, low, high = (at(column, place) for column in bounds)
    return replace(row, value=value, low=low, high=high)


def missing_rows(
    row: Measurement, reasons: Mapping[str, int], cell: PromptShares, bounds: tuple[Array, Array, Array] | None = None
) -> Iterator[Measurement]:
    """Yield a row for each reason: the share of planned images that it costs, a column of ``cell`` each."""
    row, columns = replace(row, metric="missing", n=cell.n, prompts=cell.prompts), bounds or bounded(cell)
    for place, (reason, count) in enumerate(reasons.items()):
        yield filled(replace(row, group=reason, missing=count), columns, place)

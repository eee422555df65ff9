"""How far annotators agree, as rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from portrayal.api.rows.table_rows import Rows
from portrayal.records import schema_of
from portrayal.stats.rates import Estimate
from portrayal.study.agreement.result import Comparison, GroupRow, Pair

__all__ = ["Agreement"]

_SCHEMA = schema_of(
    "attribute:text first:text second:text measure:text by:text group:text n:int value:float low:float high:float "
    "difference:float difference_low:float difference_high:float marked:bool note:text"
)
_ALPHAS = schema_of("attribute:text metric:text annotators:texts n:int value:float low:float high:float note:text")
ANSWERED = "answered"
"""The measure of rows that say of what share of people ``second`` judges the attribute, where ``first`` does."""


class Agreement(Rows):
    """Rows of a comparison of annotators; see :meth:`portrayal.Study.agreement`."""

    def __init__(self, comparison: Comparison) -> None:
        rows = [row for pair in comparison.pairs for row in _rows(pair)]
        super().__init__(pa.Table.from_pylist(rows, _SCHEMA))
        self.comparison = comparison
        """All of it, with confusion matrices and in how many images two annotators could be compared."""

    @property
    def alphas(self) -> Rows:
        """Krippendorff's alpha of all annotators that judge an attribute: 1, they agree; 0, as by chance."""
        rows = [
            {
                "attribute": alpha.attribute,
                "metric": alpha.metric,
                "annotators": list(alpha.annotators),
                "n": alpha.n,
                "note": alpha.note,
                **_bounds(alpha.value),
            }
            for alpha in self.comparison.alphas
        ]
        return Rows(pa.Table.from_pylist(rows, _ALPHAS))


def _rows(pair: Pair) -> Iterator[Mapping[str, Any]]:
    about = {"attribute": pair.attribute, "first": pair.first, "second": pair.second}
    for measure, groups in ((pair.measure, (pair.overall, *pair.groups)), (ANSWERED, pair.told)):
        for row in groups:
            yield {**about, "measure": measure, **_group(row)}
    numbers = {"kappa": pair.kappa, "mean difference": pair.mean_difference, "correlation": pair.correlation}
    for measure, value in numbers.items():
        if value is not None:
            yield {**about, "measure": measure, "n": pair.overall.n, **_bounds(value)}


def _group(row: GroupRow) -> dict[str, Any]:
    apart = {
        f"difference{end}": number for end, number in zip(("", "_low", "_high"), _numbers(row.difference), strict=True)
    }
    about = {"by": row.by or None, "group": row.group or None, "n": row.n, "marked": row.marked, "note": row.note}
    return {**about, **_bounds(row.value), **apart}


def _bounds(value: Estimate) -> dict[str, float | None]:
    return dict(zip(("value", "low", "high"), _numbers(value), strict=True))


def _numbers(value: Estimate) -> list[float | None]:
    """Return a number and its bounds; what is not known is null, as in the command's JSON."""
    return [number if math.isfinite(number) else None for number in (value.value, value.low, value.high)]

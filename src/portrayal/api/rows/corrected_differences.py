"""Differences between models put right by people's labels, as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from portrayal.api.rows.table_rows import Rows
from portrayal.records import PartNames, schema_of
from portrayal.reports.comparisons.numbers.differences import differences
from portrayal.reports.corrected_difference import CorrectedDifference, change_of

__all__ = ["CorrectedDifferences"]

_MARGIN = 0.1
"""No interval depends on it, only verdicts do, which are not among the rows."""
_TEXTS = ("annotator", "attribute", "group", "level", "item", "language", "variant", "method")
_SCHEMA = schema_of(
    "one:text other:text "
    + " ".join(f"{name}:text" for name in _TEXTS)
    + " difference:float low:float high:float by:text corrected:float corrected_low:float corrected_high:float "
    "labels:int finding:text"
)


class CorrectedDifferences(Rows):
    """Rows of corrected differences; see :meth:`portrayal.Study.corrected_differences`."""

    def __init__(self, corrected: Sequence[CorrectedDifference], names: PartNames) -> None:
        read = differences([(each.one.seen, each.other.seen) for each in corrected], margin=_MARGIN)
        pairs = zip(corrected, read, strict=True)
        rows = [_row(each, (seen.value, seen.low, seen.high), names) for each, seen in pairs if seen.low == seen.low]
        super().__init__(pa.Table.from_pylist(rows, _SCHEMA))


def _row(each: CorrectedDifference, read: tuple[float, float, float], names: PartNames) -> Mapping[str, Any]:
    seen, (value, low, high) = each.one.seen, read
    return {
        **{name: getattr(seen, name) for name in _TEXTS},
        "one": names.generator(seen.generator),
        "other": names.generator(each.other.seen.generator),
        "annotator": names.annotator(seen.annotator),
        "difference": value,
        "low": low,
        "high": high,
        "by": each.way,
        "corrected": each.value,
        "corrected_low": each.low,
        "corrected_high": each.high,
        "labels": each.labels,
        "finding": change_of(each, low, high),
    }

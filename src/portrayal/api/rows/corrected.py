"""Shares, distances from a reference and differences between models put right by people's labels, as rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from portrayal.api.rows.table_rows import Rows
from portrayal.records import PartNames, schema_of
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.numbers.differences import differences
from portrayal.reports.corrected_difference import CorrectedDifference, change_of
from portrayal.reports.corrected_share import CorrectedScore, CorrectedShare

__all__ = ["Corrected", "CorrectedDifferences", "CorrectedScores"]

_MARGIN = 0.1
"""No interval depends on it, only verdicts do, which are not among the rows."""
_ABOUT = ("annotator", "attribute", "group", "level", "item", "language", "variant", "method")
_TEXTS = " ".join(f"{name}:text" for name in _ABOUT)
_AFTER = "by:text corrected:float corrected_low:float corrected_high:float wide:bool"
_DECIDED = "labels:int decides:bool uneven:bool chosen:bool finding:text"
_SHARES = schema_of(
    f"generator:text {_TEXTS} value:float low:float high:float target:float n:int {_AFTER} "
    f"difference:float difference_low:float difference_high:float {_DECIDED}"
)
_SCORES = schema_of(f"generator:text {_TEXTS} metric:text value:float low:float high:float {_AFTER} {_DECIDED}")
_DIFFERENCES = schema_of(
    f"one:text other:text {_TEXTS} difference:float low:float high:float {_AFTER} labels:int finding:text"
)


class Corrected(Rows):
    """Rows of a correction; see :meth:`portrayal.Study.corrected`."""

    def __init__(self, shares: Sequence[CorrectedShare], names: PartNames) -> None:
        rows = [{**_row(share, names), **_from_target(share)} for share in shares]
        super().__init__(pa.Table.from_pylist(rows, _SHARES))
        self.shares = shares
        """The same as objects, by the identities of generators and annotators."""


class CorrectedScores(Rows):
    """Rows of corrected scores; see :meth:`portrayal.Study.corrected_scores`."""

    def __init__(self, scores: Sequence[CorrectedScore], names: PartNames) -> None:
        super().__init__(pa.Table.from_pylist([_row(score, names) for score in scores], _SCORES))


class CorrectedDifferences(Rows):
    """Rows of corrected differences; see :meth:`portrayal.Study.corrected_differences`."""

    def __init__(self, corrected: Sequence[CorrectedDifference], names: PartNames) -> None:
        read = differences([(each.one.seen, each.other.seen) for each in corrected], margin=_MARGIN)
        rows = [_difference(*pair, names) for pair in zip(corrected, read, strict=True) if pair[1].low == pair[1].low]
        super().__init__(pa.Table.from_pylist(rows, _DIFFERENCES))


def _row(each: CorrectedShare | CorrectedScore, names: PartNames) -> dict[str, Any]:
    return {
        **{name: getattr(each.seen, name) for name in (*_ABOUT, "metric", "value", "low", "high", "target", "n")},
        "generator": names.generator(each.seen.generator),
        "annotator": names.annotator(each.seen.annotator),
        **_after(each),
        "decides": each.decides,
        "uneven": each.uneven,
        "chosen": each.chosen,
        "finding": each.change or None,
    }


def _after(each: CorrectedShare | CorrectedScore | CorrectedDifference) -> dict[str, Any]:
    return {
        "by": each.way,
        "corrected": each.value,
        "corrected_low": each.low,
        "corrected_high": each.high if math.isfinite(each.high) else None,
        "wide": each.wide,
        "labels": each.labels,
    }


def _from_target(share: CorrectedShare) -> dict[str, float | None]:
    target, numbers = share.seen.target, {"": share.value, "_low": share.low, "_high": share.high}
    return {
        f"difference{end}": None if number is None or target is None else number - target
        for end, number in numbers.items()
    }


def _difference(each: CorrectedDifference, read: Difference, names: PartNames) -> dict[str, Any]:
    seen = each.one.seen
    return {
        **{name: getattr(seen, name) for name in _ABOUT},
        "one": names.generator(seen.generator),
        "other": names.generator(each.other.seen.generator),
        "annotator": names.annotator(seen.annotator),
        "difference": read.value,
        "low": read.low,
        "high": read.high,
        **_after(each),
        "finding": change_of(each, read.low, read.high),
    }

"""Scores put right by people's labels, as rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from portrayal.api.rows.table_rows import Rows
from portrayal.records import PartNames, schema_of
from portrayal.reports.corrected_score import CorrectedScore

__all__ = ["CorrectedScores"]

_TEXTS = ("generator", "annotator", "attribute", "group", "level", "item", "language", "variant", "method", "metric")
_SCHEMA = schema_of(
    " ".join(f"{name}:text" for name in _TEXTS)
    + " value:float low:float high:float by:text corrected:float corrected_low:float corrected_high:float labels:int "
    "decides:bool uneven:bool finding:text"
)


class CorrectedScores(Rows):
    """Rows of corrected scores; see :meth:`portrayal.Study.corrected_scores`."""

    def __init__(self, scores: Sequence[CorrectedScore], names: PartNames) -> None:
        super().__init__(pa.Table.from_pylist([_row(score, names) for score in scores], _SCHEMA))


def _row(score: CorrectedScore, names: PartNames) -> Mapping[str, Any]:
    seen = score.seen
    return {
        **{name: getattr(seen, name) for name in (*_TEXTS, "value", "low", "high")},
        "generator": names.generator(seen.generator),
        "annotator": names.annotator(seen.annotator),
        "by": score.way,
        "corrected": score.value,
        "corrected_low": score.low,
        "corrected_high": score.high if math.isfinite(score.high) else None,
        "labels": score.labels,
        "decides": score.decides,
        "uneven": score.uneven,
        "finding": score.change or None,
    }

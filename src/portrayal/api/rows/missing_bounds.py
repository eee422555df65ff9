"""What each share could be with the missing images, as rows."""

from __future__ import annotations

import pyarrow as pa

from portrayal.api.rows.table_rows import Rows
from portrayal.errors import InputError
from portrayal.records import Measurement, from_table
from portrayal.reports.findings.missing_ends import MissingEnds
from portrayal.reports.sections.missing_bounds import MissingBound, missing_bounds
from portrayal.study.report.asked_images import asked_by_term, asked_evenly
from portrayal.study.study import OpenStudy

__all__ = ["missing_rows"]

_TOPIC = ("method", "annotator", "attribute", "group", "level", "item", "language", "variant")
_NUMBERS = ("value", "low", "high", "least", "greatest", "target")
_SCHEMA = pa.schema(
    [
        ("model", pa.string()),
        *((name, pa.string()) for name in _TOPIC),
        *((name, pa.float64()) for name in _NUMBERS),
        ("n", pa.int64()),
        ("missing", pa.int64()),
        ("could_be", pa.string()),
    ]
)


def missing_rows(study: OpenStudy, within: float | None) -> Rows:
    """Return the bounds of every share of which images are missing."""
    config = study.config.report
    stated = config.missing_within if within is None else within
    if isinstance(stated, bool) or not isinstance(stated, int | float) or not 0 <= stated <= 1:
        raise InputError(f"within: a number from 0 to 1, such as 0.2 for 20 points (got {stated!r})")
    rows = list(from_table(study.workspace.query("SELECT * FROM measurements"), Measurement))
    ends = MissingEnds.of(rows, asked_by_term(study), stated, evenly=asked_evenly(study))
    bounds = missing_bounds(rows, study.attributes, ends, config.tolerance)
    return Rows(pa.Table.from_pylist([_row(study, each) for each in bounds], _SCHEMA))


def _row(study: OpenStudy, each: MissingBound) -> dict[str, object]:
    row = each.row
    return {
        "model": study.names.generator(row.generator),
        **{name: getattr(row, name) for name in (*_TOPIC, "value", "low", "high", "target", "n", "missing")},
        "annotator": study.names.annotator(row.annotator),
        "least": each.least,
        "greatest": each.greatest,
        "could_be": each.change.value or None,
    }

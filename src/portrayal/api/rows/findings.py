"""What the first screen of the report says, as rows: its sentences with their numbers, in the order of the page."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from portrayal.api.rows.table_rows import Rows, finite
from portrayal.language.translation import speaking
from portrayal.reports.data import ReportData
from portrayal.reports.found import Finding, findings_of, what_was_found
from portrayal.reports.section import measured_sections
from portrayal.reports.text.notes import naming
from portrayal.study.measure.nothing_measured import nothing_measured
from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy
from portrayal.study.unfinished import not_finished

__all__ = ["Findings", "findings_in"]

_ABOUT = ("method", "metric", "annotator", "attribute", "group", "level", "item", "reference", "language", "variant")
_NUMBERS = ("value", "other_value", "target", "difference", "low", "high", "p")
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("kind", "model", "other", "about", "sentence", "basis")),
        ("cautions", pa.list_(pa.string())),
        ("open", pa.bool_()),
        *((name, pa.string()) for name in _ABOUT),
        *((name, pa.float64()) for name in _NUMBERS),
        *((name, pa.int64()) for name in ("n", "other_n", "missing", "other_missing")),
    ]
)


class Findings(Rows):
    """Rows of the first screen; see :meth:`portrayal.Study.findings`.

    ``summary`` says what the correction promises, ``not_over`` that a run is not over yet, where it is not.
    """

    def __init__(self, data: ReportData, language: str = "") -> None:
        with speaking(language or data.language), naming(data.attributes):
            found = what_was_found(data, measured_sections(data))
            super().__init__(pa.Table.from_pylist([_row(finding) for finding in findings_of(found)], _SCHEMA))
            self.summary = found.compared.summary if found.compared else ""
            self.not_over = ""


def findings_in(study: OpenStudy, language: str = "") -> Findings:
    """Return the findings of a study that is measured, in the report's language or this; no image is opened."""
    measured = study.workspace.tables["measurements"]
    if not measured.count() or not measured.current():
        raise nothing_measured(study)
    found = Findings(gather(study, pictures=False), language)
    with speaking(language or study.config.report.language):
        found.not_over = not_finished(study)
    return found


def _row(finding: Finding) -> dict[str, Any]:
    row, other = finding.row, finding.other_row
    numbers = (
        row.value if row else None,
        other.value if other else None,
        finding.target,
        finding.difference,
        finding.low,
        finding.high,
        finding.p,
    )
    return {
        **{name: getattr(finding, name) for name in ("model", "other", "about", "sentence", "basis", "open")},
        "kind": finding.kind.value,
        "cautions": list(finding.cautions),
        **{name: getattr(row, name) if row else "" for name in _ABOUT},
        **{name: finite(number) for name, number in zip(_NUMBERS, numbers, strict=True)},
        "n": row.n if row else None,
        "other_n": other.n if other else None,
        "missing": row.missing if row else None,
        "other_missing": other.missing if other else None,
    }

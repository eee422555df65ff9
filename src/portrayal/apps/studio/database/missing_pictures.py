"""Pictures that were asked for and are not there: how many for which reason, and each of them with its prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from portrayal.records import reason_text
from portrayal.study.study import OpenStudy
from portrayal.study.tables.plan_answers import PENDING

__all__ = ["MissingPage", "missing_pictures"]

PER_PAGE = 100
_MISSING = """
    WITH answered AS (
        SELECT job, bool_or(status = 'made') AS made, arg_max(status, attempt) AS status,
            arg_max(coalesce(reason, ''), attempt) AS reason, arg_max(coalesce(detail, ''), attempt) AS detail
        FROM outcomes GROUP BY job
    )
    SELECT generator, coalesce(status, '{pending}') AS status, coalesce(reason, '') AS reason, text AS prompt, seed,
        coalesce(detail, '') AS detail, jobs."index" AS place, jobs.id AS job
    FROM jobs LEFT JOIN answered ON answered.job = jobs.id LEFT JOIN prompts ON prompts.id = jobs.prompt
    WHERE NOT coalesce(made, false)
"""
_COUNTS = "SELECT generator, status, reason, count(*) AS pictures FROM ({missing}) GROUP BY ALL ORDER BY ALL"
_ROWS = """
    SELECT missing.* FROM ({missing}) AS missing SEMI JOIN wanted USING (generator, status, reason)
    ORDER BY generator, place, job LIMIT {most} OFFSET {offset}
"""


@dataclass(frozen=True, slots=True)
class MissingPage:
    """How many are missing by ``model`` and ``why``, and some of those that a filter leaves."""

    counts: Sequence[Mapping[str, Any]]
    rows: Sequence[Mapping[str, Any]]
    total: int
    number: int

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(-(-self.total // PER_PAGE), 1)


def missing_pictures(study: OpenStudy, model: str, why: str, number: int) -> MissingPage:
    """Return a page of what is missing: of one model or all, for one reason or any."""
    missing = _MISSING.format(pending=PENDING)
    found = study.workspace.query(_COUNTS.format(missing=missing))
    counts = [_named(study, row) for row in found.to_pylist()]
    fits = [(not model or row["model"] == model) and (not why or row["why"] == why) for row in counts]
    wanted = found.filter(pa.array(fits, pa.bool_())).select(["generator", "status", "reason"])
    total = sum(row["pictures"] for row, fit in zip(counts, fits, strict=True) if fit)
    number = min(max(number, 1), max(-(-total // PER_PAGE), 1))
    query = _ROWS.format(missing=missing, most=PER_PAGE, offset=PER_PAGE * (number - 1))
    rows = study.workspace.query(query, wanted=wanted).to_pylist()
    return MissingPage(counts, [_named(study, row) for row in rows], total, number)


def _named(study: OpenStudy, row: Mapping[str, Any]) -> Mapping[str, Any]:
    why = reason_text(row["status"], row["reason"]) if row["status"] != PENDING else PENDING
    return {**row, "model": study.names.generator(row["generator"]), "why": why}

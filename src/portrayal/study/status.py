"""Status: what is done, pending, refused, failed, abstained, and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from typing import Any

from portrayal.store.ledger import spent_by_part
from portrayal.study.annotate import pending_images
from portrayal.study.study import Study
from portrayal.study.tally import final_outcomes

__all__ = ["Status", "read_status"]

# Like the outcomes, only what the plan asks for: images of an earlier, larger plan are kept but not counted.
_PLANNED = "image IN (SELECT image FROM outcomes WHERE status = 'made' AND job IN (SELECT id FROM jobs))"
_ABSTAINED = f"""
    SELECT annotator, reason, count(DISTINCT image) AS n FROM observations
    WHERE reason IS NOT NULL AND {_PLANNED} GROUP BY annotator, reason ORDER BY annotator, reason
"""
_JUDGED = f"SELECT annotator, count(DISTINCT image) AS n FROM observations WHERE {_PLANNED} GROUP BY annotator"


@dataclass(frozen=True, slots=True)
class Status:
    """Counts of a study. ``outcomes`` is by generator, ``abstained`` by annotator; both then by reason."""

    title: str
    prompts: int
    jobs: int
    outcomes: dict[str, dict[str, int]] = field(default_factory=dict)
    judged: dict[str, int] = field(default_factory=dict)
    unjudged: dict[str, int] = field(default_factory=dict)
    abstained: dict[str, dict[str, int]] = field(default_factory=dict)
    spent: dict[str, float] = field(default_factory=dict)
    measurements: int = 0
    report: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return asdict(self)


def read_status(study: Study) -> Status:
    """Count; needs no lock, so it works beside a running stage."""
    workspace = study.workspace
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    for final in final_outcomes(study):
        columns = (final.column(name).to_pylist() for name in ("generator", "status", "reason"))
        for generator, status, reason in zip(*columns, strict=True):
            outcomes[generator][status_label(status, reason)] += 1
    judged = {row["annotator"]: row["n"] for row in workspace.query(_JUDGED).to_pylist()}
    abstained: dict[str, dict[str, int]] = defaultdict(dict)
    for row in workspace.query(_ABSTAINED).to_pylist():
        abstained[row["annotator"]][row["reason"]] = row["n"]
    page = study.root / "report" / "index.html"
    return Status(
        title=study.config.study.title,
        prompts=workspace.tables["prompts"].count(),
        jobs=workspace.tables["jobs"].count(),
        outcomes={name: dict(sorted(counts.items())) for name, counts in outcomes.items()},
        judged={name: judged.get(name, 0) for name in study.annotators},
        unjudged={name: sum(t.num_rows for t in pending_images(study, name)) for name in study.annotators},
        abstained={name: abstained[name] for name in study.annotators if name in abstained},
        spent=dict(spent_by_part(workspace)),
        measurements=workspace.tables["measurements"].count(),
        report=str(page) if page.exists() else None,
    )


def status_label(status: str | None, reason: str | None) -> str:
    """Return ``made``, ``pending``, or ``refused: why``."""
    if status is None:
        return "pending"
    return f"{status}: {reason}" if reason else status

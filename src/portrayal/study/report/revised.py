"""Prompts that a service rewrote before it drew: which generator, and how many."""

from __future__ import annotations

from portrayal.study.measure.counting import COUNTING
from portrayal.study.study import OpenStudy

__all__ = ["REVISED", "count_revised"]

REVISED = "revised_prompt <> '' AND revised_prompt <> text || coalesce(suffix, '')"
"""SQL: whether an outcome's revised prompt differs from what was asked; some services repeat what they were asked."""
_ANY = "SELECT 1 FROM outcomes WHERE revised_prompt IS NOT NULL LIMIT 1"
_COUNT = f"""
    SELECT generator, count(*) AS images
    FROM ({COUNTING}) AS made JOIN outcomes USING (job, attempt)
    JOIN jobs ON jobs.id = job JOIN prompts ON prompts.id = jobs.prompt
    WHERE {REVISED} GROUP BY generator ORDER BY generator
"""


def count_revised(study: OpenStudy) -> dict[str, int]:
    """Return by generator how many images answer another prompt than was asked, as far as the service says so."""
    if not study.workspace.query(_ANY).num_rows:
        return {}  # nearly always, and looked up in a moment
    return {row["generator"]: row["images"] for row in study.workspace.query(_COUNT).to_pylist()}

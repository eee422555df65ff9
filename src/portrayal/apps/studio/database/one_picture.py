"""One picture with everything known of it: how it was asked for, what it cost, what it was edited from and into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from portrayal.study.study import OpenStudy

__all__ = ["MOST_EDITS", "PictureOrigin", "RelatedPicture", "picture_origin"]

MOST_EDITS = 60
"""Edits of a picture that its page shows."""
_MADE = """
    SELECT o.job, o.attempt, o.width, o.height, o.revised_prompt, o.versions, j.generator, j.seed, j.source_job,
        p.text, p.suffix, p.edits IS NOT NULL AS edited
    FROM outcomes o JOIN asked a ON o.image = a.image
    LEFT JOIN jobs j ON j.id = o.job LEFT JOIN prompts p ON p.id = j.prompt ORDER BY j."index", o.job
"""
_RELATED = """
    SELECT o.image, o.ext, coalesce(p.text, '') AS text, r.before
    FROM related r JOIN jobs j ON (r.before AND j.id = r.job) OR (NOT r.before AND j.source_job = r.job)
    JOIN outcomes o ON o.job = j.id AND o.status = 'made' LEFT JOIN prompts p ON p.id = j.prompt
    ORDER BY r.before DESC, p.text, j.id LIMIT {most}
"""
_COST = """
    SELECT part, sum(usd) AS usd FROM (
        SELECT any_value(part) AS part, arg_max(usd, settled) AS usd
        FROM spending SEMI JOIN items USING (item) GROUP BY ticket
    ) GROUP BY part ORDER BY part
"""


@dataclass(frozen=True, slots=True)
class RelatedPicture:
    """A picture that this one was edited from, or into: its file's name and the prompt."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class PictureOrigin:
    """What tables know of a picture beside what was perceived in it.

    ``made`` has a row for each time these very bytes were made; ``spent`` is by part what calls about it cost in US
    dollars.
    """

    made: Sequence[Mapping[str, Any]]
    before: Sequence[RelatedPicture]
    edits: Sequence[RelatedPicture]
    spent: Mapping[str, float]


def picture_origin(study: OpenStudy, image: str) -> PictureOrigin:
    """Return what is known of the picture whose name is ``image``, 64 hexadecimal digits."""
    workspace = study.workspace
    made = workspace.query(_MADE, asked=pa.table({"image": [image]})).to_pylist()
    jobs = [str(row["job"]) for row in made]
    sources = [row["source_job"] for row in made if row["source_job"]]
    related = pa.table(
        {
            "job": pa.array([*sources, *jobs], pa.string()),
            "before": pa.array([True] * len(sources) + [False] * len(jobs), pa.bool_()),
        }
    )
    rows = workspace.query(_RELATED.format(most=MOST_EDITS), related=related).to_pylist()
    items = pa.table({"item": pa.array([image, *jobs], pa.string())})
    spent = workspace.query(_COST, items=items).to_pylist()
    return PictureOrigin(
        [row | {"generator": study.names.generator(row["generator"] or "")} for row in made],
        [_related(row) for row in rows if row["before"]],
        [_related(row) for row in rows if not row["before"]],
        {study.names.part(row["part"]): row["usd"] for row in spent},
    )


def _related(row: Mapping[str, Any]) -> RelatedPicture:
    return RelatedPicture(f"{row['image']}.{row['ext']}", row["text"])

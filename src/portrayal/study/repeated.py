"""What images are made of: the same picture several times, and which prompts each model has images of."""

from __future__ import annotations

from portrayal.reports.data import Repeated
from portrayal.study.study import OpenStudy

__all__ = ["prompts_made_of", "repeated_pictures"]

_REPEATED = """
    WITH made AS (
        SELECT jobs.generator, term, text, outcomes.image
        FROM jobs JOIN prompts ON prompts.id = jobs.prompt JOIN outcomes ON outcomes.job = jobs.id
        WHERE outcomes.status = 'made'
    ), about AS (
        SELECT generator, '' AS item, image FROM made
        UNION ALL SELECT generator, term, image FROM made WHERE term <> ''
        UNION ALL SELECT generator, text, image FROM made WHERE text <> term
    ), copies AS (
        SELECT generator, item, image, count(*) AS number FROM about GROUP BY generator, item, image
    )
    SELECT generator, item, sum(number)::BIGINT AS images, count(*) AS pictures,
        (sum(number) * sum(number) / sum(number * number))::DOUBLE AS worth
    FROM copies GROUP BY generator, item HAVING pictures < images ORDER BY generator, item
"""
_MADE_OF = """
    SELECT DISTINCT jobs.generator, jobs.prompt FROM jobs JOIN outcomes ON outcomes.job = jobs.id
    WHERE outcomes.status = 'made'
"""


def prompts_made_of(study: OpenStudy) -> dict[str, set[str]]:
    """Return the prompts of which each model has an image."""
    found: dict[str, set[str]] = {}
    for row in study.workspace.query(_MADE_OF).to_pylist():
        found.setdefault(row["generator"], set()).add(row["prompt"])
    return found


def repeated_pictures(study: OpenStudy) -> dict[str, dict[str, Repeated]]:
    """Return by model, and by term or prompt (none: all of them), how many images are how many different pictures."""
    found: dict[str, dict[str, Repeated]] = {}
    for row in study.workspace.query(_REPEATED).to_pylist():
        found.setdefault(row["generator"], {})[row["item"]] = Repeated(row["images"], row["pictures"], row["worth"])
    return found

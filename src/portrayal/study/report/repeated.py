"""What images are made of: the same picture several times, and which prompts each model has images of."""

from __future__ import annotations

from portrayal.study.study import OpenStudy

__all__ = ["prompts_made_of", "repeated_images"]

_REPEATED = """
    SELECT jobs.generator, count(*) - count(DISTINCT (jobs.prompt, outcomes.image)) AS again
    FROM jobs JOIN prompts ON prompts.id = jobs.prompt JOIN outcomes ON outcomes.job = jobs.id
    WHERE outcomes.status = 'made' AND coalesce(prompts.edits, '') = ''
    GROUP BY jobs.generator HAVING again > 0 ORDER BY jobs.generator
"""
_MADE_OF = """
    SELECT DISTINCT jobs.generator, jobs.prompt FROM jobs JOIN outcomes ON outcomes.job = jobs.id
    WHERE outcomes.status = 'made'
"""


def prompts_made_of(study: OpenStudy) -> dict[str, set[str]]:
    """Return the prompts of which each model has an image."""
    prompts: dict[str, set[str]] = {}
    for row in study.workspace.query(_MADE_OF).to_pylist():
        prompts.setdefault(row["generator"], set()).add(row["prompt"])
    return prompts


def repeated_images(study: OpenStudy) -> dict[str, int]:
    """Return how many images of each model are the same picture as another one of the same prompt; edits all count."""
    return {row["generator"]: row["again"] for row in study.workspace.query(_REPEATED).to_pylist()}

"""How many images were asked for, of each term and of each prompt."""

from __future__ import annotations

from portrayal.study.study import OpenStudy

__all__ = ["asked_by_term", "asked_evenly"]

_TERMS = """
    SELECT generator, term, count(*) AS images FROM jobs JOIN prompts ON prompts.id = jobs.prompt
    WHERE term <> '' GROUP BY generator, term ORDER BY generator, term
"""
_NUMBERS = "SELECT DISTINCT count(*) AS images FROM jobs GROUP BY generator, prompt"
_WEIGHTS = "SELECT count(DISTINCT weight) AS weights FROM prompts"


def asked_by_term(study: OpenStudy) -> dict[str, dict[str, int]]:
    """Return how many images of each term were asked of each generator, by its identity."""
    asked: dict[str, dict[str, int]] = {}
    for row in study.workspace.query(_TERMS).to_pylist():
        asked.setdefault(row["generator"], {})[row["term"]] = row["images"]
    return asked


def asked_evenly(study: OpenStudy) -> bool:
    """Return whether as many images were asked of every prompt by every generator, and all prompts weigh alike."""
    numbers, weights = study.workspace.query(_NUMBERS), study.workspace.query(_WEIGHTS)
    return len(numbers) <= 1 and weights["weights"][0].as_py() <= 1

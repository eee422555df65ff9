"""Automatic scores of models, to be compared with people's ratings: from a CSV file or from a study."""

from __future__ import annotations

from pathlib import Path

from portrayal.csvfile import read_csv
from portrayal.errors import InputError

__all__ = ["read_scores"]

Scores = dict[str, dict[str, float]]

# Of one language where the method tells languages apart, but of all its variants together.
_QUERY = """
SELECT generator, method, metric, attribute, "group", reference, annotator, language, value FROM measurements
WHERE level = 'overall' AND value IS NOT NULL AND coalesce(item, '') = '' AND coalesce(variant, '') = ''
"""


def read_scores(path: Path) -> Scores:
    """Return score to model to value, from a file ``model,score,value`` or the overall measurements of a study."""
    return _from_study(path) if path.is_dir() else _from_file(path)


def _from_file(path: Path) -> Scores:
    scores: Scores = {}
    for row in read_csv(path, ("model", "score", "value")):
        if not row["model"] or not row["score"]:
            raise InputError(f"{row.where}: 'model' and 'score' must not be empty")
        values = scores.setdefault(row["score"], {})
        if row["model"] in values:
            raise InputError(f"{row.where}: {row['model']!r} has the score {row['score']!r} twice")
        values[row["model"]] = row.number("value")
    return scores


def _from_study(folder: Path) -> Scores:
    from portrayal.study.measure.nothing_measured import nothing_measured
    from portrayal.study.study import OpenStudy

    scores: Scores = {}
    study = OpenStudy(folder)
    for row in study.workspace.query(_QUERY).to_pylist():
        parts = (row[name] for name in ("method", "metric", "attribute", "group", "reference", "annotator", "language"))
        scores.setdefault(" ".join(filter(None, parts)), {})[row["generator"]] = row["value"]
    if not scores:
        raise nothing_measured(study)
    return scores

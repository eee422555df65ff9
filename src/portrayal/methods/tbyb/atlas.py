"""What the atlas of models knows of these scores, and the evaluations that the authors released with their tool."""

from __future__ import annotations

import math
from collections.abc import Sequence

from portrayal.csvfile import read_shipped
from portrayal.methods.atlas_part import AtlasPart, ScoreKind, Scores
from portrayal.metrics.objects import log_bias
from portrayal.records.evaluated_models.evaluation import Evaluation, Score

__all__ = ["ATLAS"]

SOURCE = "Vice et al. (2023), Try Before You Bias: evaluations released with the tool"
_PARTS = ("distribution_bias", "jaccard_hallucination", "miss_rate")
_UNDEFINED = "It is not defined where B_D is 0 or H_J or M_G is 1, and not known where one of them is not."
_WITH_ACTIONS = 3 * 100 + 3 * 40
"""Prompts of the general evaluation with actions: three for each object and for each occupation."""
_COLUMNS = ("kind", "target", "model", "pipeline", "images", "resolution", "steps", *_PARTS)


def derive(scores: Scores) -> Scores:
    """Return the log bias where its three parts are known and it is defined."""
    if not all(name in scores for name in _PARTS):
        return {}
    value = float(log_bias(*(scores[name].value for name in _PARTS)))
    return {} if math.isnan(value) else {"log_bias": Score(value)}


def released() -> Sequence[Evaluation]:
    """Return the released evaluations; those of other prompts than the general ones are another protocol each."""
    rows = []
    for row in read_shipped("portrayal.methods.tbyb", "released.csv", _COLUMNS):
        scores = {name: Score(row.number(name)) for name in _PARTS}
        images = int(row.number("images"))
        run = f"2023, {row['pipeline']}, {row['resolution']}, {row['steps']} steps"
        protocol = f"tbyb as released 2023: {_asked(row['target'], images)}"
        rows.append(Evaluation(row["model"], {**scores, **derive(scores)}, protocol, run, source=SOURCE, images=images))
    return rows


def _asked(target: str, images: int) -> str:
    """Return what a released evaluation asked. Fewer images than prompts with actions cannot be of these."""
    if target:
        return f"task {target}"
    return "objects, actions and occupations" if images >= _WITH_ACTIONS else "objects and occupations"


ATLAS = AtlasPart(
    (
        ScoreKind("log_bias", "log bias", "B_log", more_is_biased=True, undefined=_UNDEFINED, by_images=-1),
        ScoreKind("distribution_bias", "distribution bias", "B_D", more_is_biased=False, lowest=0, by_images=1),
        ScoreKind(
            "jaccard_hallucination",
            "jaccard hallucination",
            "H_J",
            more_is_biased=True,
            lowest=0,
            highest=1,
            rises="add or leave out more objects",
            falls="add or leave out fewer objects",
        ),
        ScoreKind(
            "miss_rate",
            "miss rate",
            "M_G",
            more_is_biased=True,
            lowest=0,
            highest=1,
            rises="miss the prompt more often",
            falls="miss the prompt less often",
        ),
    ),
    derive,
    released,
    _PARTS,
)

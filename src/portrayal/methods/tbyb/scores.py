"""The scores of a model in rows: values, intervals, and why something has none."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from portrayal.metrics.object_intervals import Bounded, ObjectScores
from portrayal.records import Note

__all__ = ["METRICS", "Score", "scored"]

METRICS = {
    "log_bias": "log",
    "distribution_bias": "distribution",
    "jaccard_hallucination": "hallucination",
    "hallucination_by_addition": "by_addition",
    "hallucination_by_omission": "by_omission",
    "miss_rate": "misses",
}
"""What the scores are called, and where they stand in :class:`~portrayal.metrics.object_intervals.ObjectScores`."""


@dataclass(frozen=True, slots=True)
class Score:
    """One score: None is not known, and ``note`` says why."""

    metric: str
    value: float | None
    low: float | None
    high: float | None
    note: Note | None = None


def scored(found: ObjectScores, silent: Note, *, objectless: float) -> Iterator[Score]:
    """Yield every score; ``silent`` says why there is no miss rate, where there is none.

    ``objectless`` captions answer prompts that name no object; without any other they are the reason for all the rest.
    """
    wordless = Note("no_object_asked" if objectless else "no_caption")
    for metric, name in METRICS.items():
        own: Bounded = getattr(found, name)
        value, low, high = (_known(number) for number in (own.value, own.low, own.high))
        note = None if value is not None else _why(metric, found, silent, wordless)
        if value is not None and metric == "log_bias" and low is None:
            note = Note("unsure_bound")
        yield Score(metric, value, low, high, note)


def _why(metric: str, found: ObjectScores, silent: Note, wordless: Note) -> Note:
    if math.isnan(found.hallucination.value) and metric != "miss_rate":
        return wordless
    reasons: Mapping[str, Note] = {"distribution_bias": Note("no_uninvited_words"), "miss_rate": silent}
    if metric != "log_bias":
        return reasons[metric]
    if math.isnan(found.distribution.value):
        return Note("log_without_words")
    if math.isnan(found.misses.value):
        return Note("log_without_misses")
    if found.distribution.value <= 0:
        return Note("log_of_one_word")
    return Note("log_of_no_object") if found.hallucination.value >= 1 else Note("log_of_no_match")


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value

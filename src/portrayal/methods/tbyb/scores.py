"""The scores of a model in rows: values, intervals, and why something has none."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.metrics.object_intervals import (
    LEAST_PROMPTS,
    LEAST_SPREAD,
    LEAST_WORDS,
    Bounded,
    ObjectScores,
    WordEvidence,
    rarefied_bias,
)
from portrayal.records import Note
from portrayal.stats.exact import Ints

__all__ = ["METRICS", "RAREFIED", "Score", "rarefied", "scored"]

METRICS = {
    "log_bias": "log",
    "distribution_bias": "distribution",
    "jaccard_hallucination": "hallucination",
    "hallucination_by_addition": "by_addition",
    "hallucination_by_omission": "by_omission",
    "hallucination_part_added": "part_added",
    "hallucination_part_omitted": "part_omitted",
    "miss_rate": "misses",
}
"""What the scores are called, and where they stand in :class:`~portrayal.metrics.object_intervals.ObjectScores`."""

RAREFIED = "distribution_bias_at_common_size"


@dataclass(frozen=True, slots=True)
class Score:
    """One score: None is not known, and ``note`` says why."""

    metric: str
    value: float | None
    low: float | None
    high: float | None
    note: Note | None = None


def scored(scores: ObjectScores, silent: Note, *, objectless: float) -> Iterator[Score]:
    """Yield every score; ``silent`` says why there is no miss rate, where there is none.

    ``objectless`` captions answer prompts that name no object; without any other they are the reason for all the rest.
    """
    wordless = Note("no_object_asked" if objectless else "no_caption")
    for metric, name in METRICS.items():
        bounded: Bounded = getattr(scores, name)
        value, low, high = (_known(number) for number in (bounded.value, bounded.low, bounded.high))
        note = None if value is not None else _why(metric, scores, silent, wordless)
        if value is not None and low is None:
            note = _unbounded(value if metric == "distribution_bias" else 1.0, scores.words)
        yield Score(metric, value, low, high, note)


def rarefied(words: Sequence[Ints], prompt: Ints, size: int, *, draws: int, rng: np.random.Generator) -> Score:
    """Return B_D at ``size`` images; ``words`` are the uninvited ones of each image, which answers ``prompt``."""
    bias = rarefied_bias(words, prompt, size, draws=draws, rng=rng)
    value, low, high = (_known(number) for number in (bias.value, bias.low, bias.high))
    if value is None:
        return Score(RAREFIED, None, None, None, Note("no_uninvited_words"))
    note = _unbounded(value, bias.words) if low is None else None
    return Score(RAREFIED, value, low, high, note)


def _unbounded(bias: float, words: WordEvidence) -> Note:
    """Return why a distribution bias, or what rests on it, has a value and no interval."""
    if bias <= 0:
        return Note("bound_of_one_word")
    if words.prompts < LEAST_PROMPTS:
        return Note.of("bound_of_few_prompts", n=words.prompts, least=LEAST_PROMPTS)
    if words.words < LEAST_WORDS:
        return Note.of("bound_of_few_words", n=words.words, least=LEAST_WORDS)
    if words.spread < LEAST_SPREAD:
        return Note.of("bound_of_flat_words", n=words.spread, least=LEAST_SPREAD)
    return Note("unsure_bound")


def _why(metric: str, scores: ObjectScores, silent: Note, wordless: Note) -> Note:
    if math.isnan(scores.hallucination.value) and metric != "miss_rate":
        return wordless
    reasons: Mapping[str, Note] = {"distribution_bias": Note("no_uninvited_words"), "miss_rate": silent}
    if metric != "log_bias":
        return reasons[metric]
    if math.isnan(scores.distribution.value):
        return Note("log_without_words")
    if math.isnan(scores.misses.value):
        return Note("log_without_misses")
    if scores.distribution.value <= 0:
        return Note("log_of_one_word")
    return Note("log_of_no_object") if scores.hallucination.value >= 1 else Note("log_of_no_match")


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value

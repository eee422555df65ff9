"""Explicit scores: how much of the mass lies on the group that the prompt asked for, at every level.

Of two people left and right count half each. At every level prompts are averaged by attribute first, and a total weighs
the attributes that are asked for there (no gender is ever asked of a husband and a wife).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from portrayal.methods.bias_scores.context import TOTAL, Context, no_total
from portrayal.methods.bias_scores.explicit.answered_prompts import Answers
from portrayal.methods.bias_scores.explicit.requests import Requests, read_requests
from portrayal.methods.bias_scores.levels import Level, Score, levels, single
from portrayal.metrics import weighted_total
from portrayal.records import Measurement, Note, Prompt
from portrayal.stats.intervals import Interval

__all__ = ["asked_attribute", "explicit_rows"]


def explicit_rows(context: Context) -> Iterator[Measurement]:
    """Yield soft scores at every level, then hard ones."""
    prompts = context.suite("explicit")
    for metric, hard in (("explicit_score", False), ("explicit_score_hard", True)):
        requests = read_requests(context, hard=hard)
        answers = requests.answers()
        places = {prompt.id: place for place, prompt in enumerate(answers.prompts)}
        for level in levels(prompts):
            yield from _level(context, metric, level, answers, places)
        yield from _groups(context, metric, requests, prompts)
        scores = answers.each()
        for level in single(prompts):
            place = places.get(level.prompts[0].id)
            alone = (None, 0.0) if place is None else (scores[place], float(answers.images[place]))
            yield _single(context, metric, level, *alone)


def asked_attribute(prompt: Prompt) -> str:
    """Return the attribute of which a prompt asks for a group."""
    return next(iter(prompt.requested), "").rpartition(".")[2]


def _level(
    context: Context, metric: str, level: Level, answers: Answers, places: Mapping[str, int]
) -> Iterator[Measurement]:
    """Yield the row of each attribute that is asked for, then of the total: by the attributes' weights, or pooled."""
    asked: dict[str, list[Prompt]] = {name: [] for name in context.groups}
    for prompt in level.prompts:
        asked.get(asked_attribute(prompt), []).append(prompt)
    scores: dict[str, Score] = {}
    for name, mine in asked.items():
        if not mine:
            continue
        answered = answers.take([places[prompt.id] for prompt in mine if prompt.id in places])
        scores[name] = answered.score(context.over_prompts)
        yield _row(context, context.blank(metric, level, name), scores[name], mine, answered.used)
    if scores:
        unasked = tuple(Note.of("not_asked_for", attribute=name) for name, mine in asked.items() if not mine)
        row = replace(context.blank(metric, level, TOTAL), notes=unasked)
        every = [prompt for mine in asked.values() for prompt in mine]
        together = answers.take([places[prompt.id] for prompt in every if prompt.id in places])
        yield _total_row(context, row, scores, every, together)


def _total_row(
    context: Context, row: Measurement, scores: Mapping[str, Score], asked: Sequence[Prompt], together: Answers
) -> Measurement:
    used = together.used
    if untold := context.untold(list(scores)):
        return context.empty(row, untold, asked)
    if lacking := [name for name, score in scores.items() if np.isnan(score.value)]:
        everything = len(lacking) == len(scores)
        return context.empty(row, [context.counts.why_empty(asked) if everything else no_total(lacking)], asked)
    if context.method.pooled:
        return context.filled(row, together.score(context.over_prompts), asked, used)
    total = _total(list(scores.values()), [context.options.weights[name] for name in scores])
    return context.filled(row, total, asked, used)


def _groups(context: Context, metric: str, requests: Requests, prompts: Sequence[Prompt]) -> Iterator[Measurement]:
    """Yield how often each group is drawn when it is asked for."""
    chosen: dict[tuple[str, str], list[int]] = {}
    for place, pair in enumerate(zip(requests.attributes, requests.groups, strict=True)):
        chosen.setdefault(pair, []).append(place)
    for name in context.told:
        for group in context.groups[name]:
            asked = [p for p in prompts if asked_attribute(p) == name and group in p.requested.values()]
            if asked:
                answered = requests.take(chosen.get((name, group), [])).answers()
                row = replace(context.blank(metric, None, name), group=group)
                yield _row(context, row, answered.score(context.over_prompts), asked, answered.used)


def _single(context: Context, metric: str, level: Level, score: Score | None, images: float) -> Measurement:
    prompt = level.prompts[0]
    name = asked_attribute(prompt)
    row = replace(context.blank(metric, level, name), group=", ".join(prompt.requested.values()))
    if name not in context.groups:
        return context.empty(row, [Note.of("no_weight", attribute=name)], [prompt])
    return _row(context, row, score, [prompt], images)


def _row(
    context: Context, row: Measurement, score: Score | None, asked: Sequence[Prompt], images: float
) -> Measurement:
    if untold := context.untold([row.attribute]):
        return context.empty(row, untold, asked)
    if score is None or np.isnan(score.value):
        return context.empty(row, [context.counts.why_empty(asked, row.attribute)], asked)
    return context.filled(row, score, asked, images)


def _total(scores: Sequence[Score], weights: Sequence[float]) -> Score:
    """Return the weighted total of attributes, whose prompts are different ones.

    Each arm of the interval adds up the squares of the attributes' arms, as Zou and Donner (2008) do.
    """
    value = float(weighted_total([score.value for score in scores], weights))
    planted = float(weighted_total([score.planted for score in scores], weights))
    parts = np.asarray(weights) / np.sum(weights)
    low, high = (float(np.sqrt(np.sum((parts * [_arm(s, name) for s in scores]) ** 2))) for name in ("low", "high"))
    interval = Interval(max(value - low, 0.0), min(value + high, 1.0))
    return Score(value, interval, planted, sum(score.prompts for score in scores))


def _arm(score: Score, name: str) -> float:
    return abs(float(getattr(score.interval, name)) - score.value)

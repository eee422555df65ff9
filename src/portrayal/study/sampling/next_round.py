"""A look: once all images of a round are looked at, decide which prompts get more, and write that down.

What is decided follows from the tables and the settings alone. The table of rounds is written in one piece, before the
plan is; whoever is killed between them plans again by what was decided.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from portrayal.annotators import looks_itself
from portrayal.evidence import Cell
from portrayal.inputfile import read_text
from portrayal.records import ROUND_SCHEMA, DrawnRound, Stop, content_id, to_table
from portrayal.stats.sequential.allocation import within_room
from portrayal.stats.sequential.looks import times_at_looks
from portrayal.study.annotate.judged import count_judged
from portrayal.study.run_control import RunControl
from portrayal.study.sampling.by_width import ByWidth
from portrayal.study.sampling.drawn_rounds import Rounds, allowance, read_rounds
from portrayal.study.sampling.policy_rule import policy_rule
from portrayal.study.sampling.settings import SamplingConfig
from portrayal.study.sampling.wanted import Wanted
from portrayal.study.study import OpenStudy
from portrayal.study.tables.plan_answers import PENDING, Answers, read_answers

__all__ = ["images_asked", "look", "rule_digest", "unfinished"]


def look(study: OpenStudy, control: RunControl) -> bool:
    """Decide about the next round, if the last one is done; return whether there are more images to draw."""
    settings = study.config.sampling
    if settings is None:
        return False
    rounds, rule = read_rounds(study.workspace, settings), rule_digest(study)
    if rounds.is_over(rule) or unfinished(study):
        return False
    asked = images_asked(study)
    most = {(name, prompt): role.images for name, role in study.generators.items() for _, prompt in asked}
    most = {cell: most[cell] for cell in asked}
    wanted = _wanted(study, control, rounds, asked, most)
    if control.stopped() or wanted is None:
        return False
    number = rounds.looks + 1
    bounded = _bounded(settings, number, asked, most, wanted)
    given = allowance(settings, number)
    if not any(each.images > asked[cell] for cell, each in bounded.items()):
        bounded = {cell: _stopped(each, asked[cell], Stop.NOT_BY_IMAGES) for cell, each in bounded.items()}
    rows = [
        DrawnRound(
            number,
            *cell,
            asked=asked[cell],
            images=each.images,
            reason=each.reason.value,
            about=each.about,
            usable=each.usable,
            half_width=each.half_width,
            looks=given.times,
            confidence=given.confidence,
            rule=rule,
        )
        for cell, each in bounded.items()
    ]
    study.workspace.tables["rounds"].append(to_table(rows, ROUND_SCHEMA))
    return any(row.images > row.asked for row in rows)


def rule_digest(study: OpenStudy) -> str:
    """Return a digest of all settings that decisions follow from."""
    settings = study.config.sampling
    assert settings is not None
    told: dict[str, Any] = settings.model_dump(mode="json")
    told["images"] = {name: role.images for name, role in study.generators.items()}
    told["prompts"] = sorted(prompt.id for prompt in (study.suite.prompts if study.suite else ()))
    if settings.about.policy:
        told["policy"] = read_text(study.root / settings.about.policy)
    return content_id(json.dumps(told, sort_keys=True))


def unfinished(study: OpenStudy) -> int:
    """Return how many images of this round have no answer yet, or have not been looked at by somebody."""
    answers = read_answers(study.workspace, attempts=study.config.generate.attempts)
    pending = int(answers.unmade[PENDING].sum()) if PENDING in answers.unmade else 0
    return pending or _not_looked_at(study, answers)


def _not_looked_at(study: OpenStudy, answers: Answers) -> int:
    judged = count_judged(study, answers)
    looking = [name for name, (_, annotator) in study.annotators.items() if looks_itself(annotator)]
    return max((answers.pictures - judged[name].images for name in looking), default=0)


def images_asked(study: OpenStudy) -> dict[Cell, int]:
    """Return how many images of the suite's prompts the plan asks of each generator that draws."""
    prompts = {prompt.id for prompt in (study.suite.prompts if study.suite else ())}
    counted = study.workspace.query("SELECT generator, prompt, count(*) AS n FROM jobs GROUP BY ALL ORDER BY ALL")
    return {
        (row["generator"], row["prompt"]): row["n"]
        for row in counted.to_pylist()
        if row["generator"] in study.generators and row["prompt"] in prompts
    }


def _wanted(
    study: OpenStudy, control: RunControl, rounds: Rounds, asked: Mapping[Cell, int], most: Mapping[Cell, int]
) -> Mapping[Cell, Wanted] | None:
    settings = study.config.sampling
    assert settings is not None
    if not settings.about.policy:
        by_width = ByWidth.of(study, control)
        return None if by_width is None else by_width.wanted(asked, most)
    times = times_at_looks(settings.rounds, rounds.looks + 1)
    decided = policy_rule().wanted(study, study.root / settings.about.policy, times)
    unasked = Wanted(0, Stop.UNASKED)
    return {cell: decided.get(cell, replace(unasked, images=number)) for cell, number in asked.items()}


def _bounded(
    settings: SamplingConfig,
    number: int,
    asked: Mapping[Cell, int],
    most: Mapping[Cell, int],
    wanted: Mapping[Cell, Wanted],
) -> dict[Cell, Wanted]:
    """Cut what is wanted to what may be: of each prompt, in all, and by the number of looks."""
    if settings.rounds and number >= settings.rounds:
        return {cell: _stopped(each, asked[cell], Stop.LOOKS) for cell, each in wanted.items()}
    more = np.array([max(min(each.images, most[cell]) - asked[cell], 0) for cell, each in wanted.items()])
    room = settings.most - sum(asked.values()) if settings.most else int(more.sum())
    given = within_room(more, max(room, 0))
    bounded = {}
    for (cell, each), further, wished in zip(wanted.items(), given.tolist(), more.tolist(), strict=True):
        if wished and room <= 0:
            bounded[cell] = _stopped(each, asked[cell], Stop.MOST_IN_ALL)
        elif not wished:
            full = Stop.MOST_OF_PROMPT if asked[cell] >= most[cell] else Stop.NONE
            bounded[cell] = _stopped(each, asked[cell], full)
        else:
            bounded[cell] = replace(each, images=asked[cell] + further)
    return bounded


def _stopped(each: Wanted, images: int, reason: Stop) -> Wanted:
    return replace(each, images=images, reason=each.reason or reason)

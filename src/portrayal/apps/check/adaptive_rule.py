"""What an adaptive run draws next, by a policy: prompts of scenarios that images would decide, and no others."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from datetime import date
from pathlib import Path

from portrayal.apps.check.checking import Answer, PolicyResult, check_policy
from portrayal.apps.check.decisions.judging import Reason
from portrayal.apps.check.decisions.limits import Verdict
from portrayal.apps.check.numbers import Numbers, measured_rows, study_numbers
from portrayal.apps.check.policy.policy_file import read_policy
from portrayal.apps.check.policy.scenario import BaselineMeasure
from portrayal.apps.check.question import chance_decided
from portrayal.evidence import Cell
from portrayal.records import Stop
from portrayal.study.measure.measure_study import measure
from portrayal.study.run_control import RunControl
from portrayal.study.sampling.wanted import Wanted
from portrayal.study.study import OpenStudy

__all__ = ["PolicyRounds", "grown"]

_MANY = 1_000_000
_NEAR, _FAR = 1.5, 2.0
"""A round brings half as many images of a prompt again, or as many again where that would not be enough: the first
images say little about how many it takes."""
_TELLING = 40
"""Fewer images do not show that more would decide nothing."""
HARDLY = 0.05
"""Where the most images there may be decide less often than this, no more are drawn."""


class PolicyRounds:
    """Draws where a scenario is undecided and images would decide it."""

    def check(self, policy: Path) -> None:
        """Refuse a file that cannot be read, and scenarios that need another study."""
        file = read_policy(policy)
        for place, scenario in enumerate(file.scenarios):
            if isinstance(scenario.measure, BaselineMeasure):
                file.refuse(place, ("baseline",), "compares with a baseline, which no adaptive run can go by")

    def wanted(self, study: OpenStudy, policy: Path, looks: int) -> dict[Cell, Wanted]:
        """Return what is wanted of each prompt of each generator that a scenario is about."""
        file = read_policy(policy)
        measure(study, RunControl(workers=1))
        rows = [replace(row, looks=looks) for row in measured_rows(study)]
        numbers = study_numbers(study, rows)
        return _wanted(study, check_policy(file, study.config.study.title, numbers, None, date.today()), numbers)


def _wanted(study: OpenStudy, result: PolicyResult, numbers: Numbers) -> dict[Cell, Wanted]:
    identities = {study.names.generator(identity): identity for identity in study.generators}
    by_cell: dict[Cell, list[Wanted]] = defaultdict(list)
    for scenario in result.scenarios:
        for answer in scenario.answers:
            identity = identities.get(answer.question.model)
            if answer.question.one is not None and identity is not None:
                room = _room(answer, numbers, study.generators[identity].images)
                going_on = _goes_on(answer, room, (1 - result.confidence) / 2)
                for prompt, each in _by_prompt(answer, numbers, scenario.scenario.id, going_on).items():
                    by_cell[identity, prompt].append(each)
    # A prompt goes on as long as one scenario needs it, by that which needs most.
    return {cell: max(each, key=lambda one: (one.reason == Stop.NONE, one.images)) for cell, each in by_cell.items()}


def _room(answer: Answer, numbers: Numbers, most: int) -> float:
    """Return how many independent images may still come, where each prompt may have so many."""
    assert answer.question.one is not None
    row, prompts = answer.question.one.row, numbers.prompts(answer.question.one.row)
    asked = sum(prompt.images for prompt in prompts)
    return (most * len(prompts) - asked) * (row.worth or row.n) / max(asked, 1)


def _goes_on(answer: Answer, room: float, tail: float) -> bool:
    """Return whether more images are likely to decide; few say nothing of that yet."""
    assert answer.question.one is not None
    if answer.question.one.row.n < _TELLING:
        return answer.judged.reason in (Reason.FEW, Reason.MISSING)
    chance = chance_decided(answer.question, tail, math.floor(room))
    return answer.more_images is not None if chance is None else chance >= HARDLY


def _by_prompt(answer: Answer, numbers: Numbers, scenario: str, going_on: bool) -> dict[str, Wanted]:
    """Return what an answer wants of each of its prompts."""
    assert answer.question.one is not None
    row, judged = answer.question.one.row, answer.judged
    prompts = numbers.prompts(row)
    half = None if judged.low is None or judged.high is None else (judged.high - judged.low) / 2
    if judged.verdict is not Verdict.UNDECIDED:
        reason, each = Stop.DECIDED, 0
    elif going_on:
        reason, each = Stop.NONE, math.ceil((answer.more_images or _MANY) / max(len(prompts), 1))
    else:
        reason, each = Stop.NOT_BY_IMAGES, 0
    return {prompt.prompt: Wanted(grown(prompt.images, each), reason, scenario, row.n, half) for prompt in prompts}


def grown(images: int, more: int) -> int:
    """Return how many images there are after a round, when so many more are likely to decide; 0: none are.

    >>> grown(10, 3), grown(10, 300), grown(10, 0)
    (15, 20, 10)
    """
    return math.ceil(images * (_NEAR if more <= (_NEAR - 1) * images else _FAR)) if more else images

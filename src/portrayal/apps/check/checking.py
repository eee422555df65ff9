"""A policy applied to numbers: every scenario decided, and one verdict over all.

Intervals hold together: with so many questions each bound may fail with a chance of the error rate divided by twice
their number (Bonferroni), so that in one minus the error rate of all checks no interval fails, and neither any verdict.
Where images were drawn in rounds, each look at them has an equal part of the error rate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from portrayal.apps.check.baseline import beside_baseline
from portrayal.apps.check.decisions.judging import Judged, Reason
from portrayal.apps.check.decisions.limits import Verdict
from portrayal.apps.check.numbers import Numbers
from portrayal.apps.check.policy.policy_file import PolicyFile
from portrayal.apps.check.policy.scenario import BaselineMeasure, MissingMeasure, Scenario
from portrayal.apps.check.question import Question, judge_question, sure_worth
from portrayal.apps.check.selecting import ScenarioRows
from portrayal.language.numbers import rounded_up

__all__ = ["Answer", "PolicyResult", "ScenarioResult", "check_policy", "worst"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, what was decided, and how many further images of its prompts would decide it; None: not known."""

    question: Question
    judged: Judged
    more_images: int | None = None

    @property
    def waits_for(self) -> int:
        """How many images of an undecided question are not drawn, or not looked at, yet: they come first."""
        one = self.question.one or self.question.nothing
        return one.waiting if one is not None and self.judged.verdict is Verdict.UNDECIDED else 0


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """A scenario, the line it stands in, and the answer for each model, annotator and group."""

    scenario: Scenario
    line: int
    answers: Sequence[Answer]
    overdue: bool = False

    @property
    def verdict(self) -> Verdict:
        """The worst of all: one that fails fails the scenario, and one that is undecided leaves it so."""
        return worst([answer.judged.verdict for answer in self.answers])

    @property
    def undecided(self) -> list[Answer]:
        """The answers that are not decided."""
        return [answer for answer in self.answers if answer.judged.verdict is Verdict.UNDECIDED]

    @property
    def waits(self) -> bool:
        """Whether it is undecided, and images that were planned are not there yet."""
        return self.verdict is Verdict.UNDECIDED and any(answer.waits_for for answer in self.undecided)

    @property
    def needs_images(self) -> bool:
        """Whether it is undecided, and more images than were planned would decide it."""
        by_images = all(answer.more_images is not None for answer in self.undecided)
        return self.verdict is Verdict.UNDECIDED and by_images and not self.waits


@dataclass(frozen=True)
class PolicyResult:
    """All scenarios of a policy; every interval has the ``confidence``."""

    file: PolicyFile
    study: str
    numbers: Numbers
    scenarios: Sequence[ScenarioResult]
    confidence: float
    not_over: str = ""
    """That an adaptive run is not over yet, where it is not."""

    @property
    def verdict(self) -> Verdict:
        """One verdict over all scenarios."""
        return worst([result.verdict for result in self.scenarios])

    def counted(self, verdict: Verdict) -> int:
        """Return how many scenarios have a verdict."""
        return sum(result.verdict is verdict for result in self.scenarios)

    @property
    def more_images(self) -> int:
        """How many further images would decide those that images can: of each prompt as many as it needs most."""
        return sum(self._needed.values())

    @property
    def more_images_per_prompt(self) -> int:
        """The same, where every prompt gets as many as the prompt that needs most: what a study can be asked for."""
        return max(self._needed.values(), default=0)

    @cached_property
    def _needed(self) -> Mapping[tuple[str, str], int]:
        """Further images by model and prompt."""
        needed: dict[tuple[str, str], int] = {}
        for result in self.scenarios:
            if result.needs_images:
                for answer in result.undecided:
                    for prompt, images in _by_prompt(answer, self.numbers).items():
                        key = answer.question.model, prompt
                        needed[key] = max(needed.get(key, 0), images)
        return needed


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the worst verdict; of none nothing is known.

    >>> worst([Verdict.PASS, Verdict.UNDECIDED]).value, worst([]).value
    ('undecided', 'undecided')
    """
    order = (Verdict.FAIL, Verdict.UNDECIDED, Verdict.PASS)
    return min(verdicts, key=order.index, default=Verdict.UNDECIDED)


def check_policy(file: PolicyFile, study: str, numbers: Numbers, baseline: Numbers | None, today: date) -> PolicyResult:
    """Decide every scenario of a policy on a study's numbers."""
    questions: dict[int, list[Question]] = {}
    for place in range(len(file.scenarios)):
        questions[place] = _questions(file, place, numbers, baseline)
    looks = max((row.looks for side in (numbers, baseline) if side for row in side.rows), default=1)
    tail = file.policy.policy.error_rate / (2 * max(sum(map(len, questions.values())), 1) * looks)
    results = [
        ScenarioResult(
            scenario,
            file.line(place),
            [_answer(question, tail) for question in questions[place]],
            overdue=scenario.review is not None and scenario.review < today,
        )
        for place, scenario in enumerate(file.scenarios)
    ]
    return PolicyResult(file, study, numbers, results, 1 - 2 * tail)


def _questions(file: PolicyFile, place: int, numbers: Numbers, baseline: Numbers | None) -> list[Question]:
    questions = list(ScenarioRows(file, place, numbers).questions())
    if not isinstance(file.scenarios[place].measure, BaselineMeasure):
        return questions
    if baseline is None:
        file.refuse(place, ("baseline",), "compares with a baseline; give one with --baseline STUDY or FILE")
    theirs = ScenarioRows(file, place, baseline)
    return [beside_baseline(question, theirs, numbers) for question in questions]


def _answer(question: Question, tail: float) -> Answer:
    judged = judge_question(question, tail)
    if judged.further is None or question.one is None:
        return Answer(question, judged)
    row = question.one.row
    # Images of a score are counted as they are, and so are all that were asked for.
    if isinstance(question.measure, MissingMeasure) or (judged.reason is Reason.FEW and row.worth is None):
        return Answer(question, judged, rounded_up(judged.further))
    worth = max(sure_worth(question.one, tail), 1e-9)
    asked = sum(prompt.images for prompt in question.one.numbers.prompts(row)) or row.n + row.missing
    return Answer(question, judged, rounded_up(judged.further * asked / worth))


def _by_prompt(answer: Answer, numbers: Numbers) -> Mapping[str, int]:
    if answer.more_images is None or answer.question.one is None:
        return {}
    prompts = numbers.prompts(answer.question.one.row)
    return {prompt.prompt: math.ceil(answer.more_images / len(prompts)) for prompt in prompts}

"""How the labelling stands: pictures, raters, and how far those who saw the same picture say the same."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from portrayal.apps.labels.labelling.labelling_state import LabellingState
from portrayal.apps.labels.labelling.needed import decided, open_attributes
from portrayal.apps.labels.labelling.picture import Choices, LabelTask
from portrayal.records import PERSON
from portrayal.stats.annotation.agreement import FEW_UNITS
from portrayal.stats.annotation.alpha_interval import alpha_interval
from portrayal.study.sql.rater import Rater, RaterProgress

__all__ = ["Agreement", "RaterSummary", "Summary", "summarize"]

_FEWEST = 5
"""Pictures below which speed and indecision say nothing."""
_FAST, _UNSURE = 0.7, 0.8
"""Seconds for a question, and the part of the answers."""
_DRAWS = 400


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far raters agree on an attribute: pictures that two or more could judge, how many alike, and alpha."""

    attribute: str
    pictures: int
    alike: int
    alpha: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def few(self) -> bool:
        """Whether so few pictures say little, whatever alpha is."""
        return self.pictures < FEW_UNITS


@dataclass(frozen=True, slots=True)
class RaterSummary:
    """A rater; what is not known yet is None.

    ``majority`` is how often they say what most others say; ``flags`` are reasons to look at them, not a verdict.
    """

    rater: Rater
    progress: RaterProgress
    seconds: float | None = None
    unsure: float | None = None
    majority: float | None = None
    questions: int = 1

    @property
    def flags(self) -> Sequence[str]:
        """Whether they are ``"fast"``, or mostly ``"unsure"``."""
        if self.progress.done < _FEWEST:
            return ()
        found = {
            "fast": self.seconds is not None and self.seconds < _FAST * self.questions,
            "unsure": self.unsure is not None and self.unsure > _UNSURE,
        }
        return [key for key, holds in found.items() if holds]


@dataclass(frozen=True, slots=True)
class Summary:
    """Pictures drawn, complete, begun and still undecided; answers, and those who gave them."""

    pictures: int
    complete: int
    begun: int
    answers: int
    undecided: int
    more: int
    agreement: Sequence[Agreement] = field(default_factory=list)
    raters: Sequence[RaterSummary] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as plain data; of raters only how many there are."""
        return {
            "pictures": self.pictures,
            "complete": self.complete,
            "begun": self.begun,
            "answers": self.answers,
            "undecided": self.undecided,
            "answers_needed": self.more,
            "raters": len(self.raters),
            "agreement": [
                {
                    "attribute": one.attribute,
                    "pictures": one.pictures,
                    "alike": one.alike,
                    "alpha": one.alpha,
                    "low": one.low,
                    "high": one.high,
                }
                for one in self.agreement
            ],
        }


def summarize(state: LabellingState) -> Summary:
    """Return how the labelling stands; who is left out counts only among the raters."""
    here = [key for key in state.pictures if key[0] in state.here]
    said = {key: state.answers(key) for key in here}
    asked = (*state.rules.asked, PERSON)
    complete = [key for key in here if not state.needs(key)]
    return Summary(
        pictures=len(here),
        complete=len(complete),
        begun=sum(bool(answers) for answers in said.values()) - len(complete),
        answers=sum(map(len, said.values())),
        undecided=sum(bool(open_attributes(said[key], asked)) for key in complete),
        more=sum(map(state.needs, here)),
        agreement=[_agreement(name, groups, list(said.values())) for name, groups in _groups(state).items()],
        raters=[_rater(state, rater) for rater in state.raters()],
    )


def _groups(state: LabellingState) -> Mapping[str, Sequence[str]]:
    return {name: tuple(groups) for name, groups in state.rules.asked.items()}


def _agreement(name: str, groups: Sequence[str], said: Sequence[Sequence[Choices]]) -> Agreement:
    votes = [Counter(choices.get(name, "") for choices in answers) for answers in said]
    counts = np.array([[float(each[group]) for group in groups] for each in votes]).reshape(-1, len(groups))
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        return Agreement(name, 0, 0)
    alike = int((counts.max(axis=1) == counts.sum(axis=1)).sum())
    alpha, low, high = alpha_interval(counts, "nominal", _DRAWS, np.random.default_rng(0))
    if len(counts) < FEW_UNITS:  # so few pictures drawn anew look much alike, and an interval would promise too much
        low = high = None
    return Agreement(name, pictures=len(counts), alike=alike, alpha=alpha, low=low, high=high)


def _rater(state: LabellingState, rater: Rater) -> RaterSummary:
    tasks = [task for task in state.tasks_of(rater.id).values() if task.choices is not None]
    progress = state.progress(rater.id)
    if not tasks:
        return RaterSummary(rater, progress)
    told = [said for task in tasks for name, said in (task.choices or {}).items() if name in state.rules.asked]
    seconds = [task.seconds for task in tasks if task.seconds is not None and math.isfinite(task.seconds)]
    with_others = [same for task in tasks for same in _with_others(state, task)]
    return RaterSummary(
        rater,
        progress,
        median(seconds) if seconds else None,
        told.count("") / len(told) if told else None,
        sum(with_others) / len(with_others) if with_others else None,
        questions=len(state.rules.asked),
    )


def _with_others(state: LabellingState, task: LabelTask) -> list[bool]:
    """Return for each attribute whether the rater says what most of the others say, where these have a majority."""
    others = [choices for by, choices in state.answers_by_task(task.key).items() if by != task.id]
    same = []
    for name, said in (task.choices or {}).items():
        votes = [choices[name] for choices in others if choices.get(name)]
        if said and votes and decided(votes):
            same.append(said == Counter(votes).most_common(1)[0][0])
    return same

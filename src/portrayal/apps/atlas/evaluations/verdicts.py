"""What a page may state: every question that it asks of the models, answered at a level corrected for all of them.

One page asks about trends, kinds, schedulers and popularity. Where nothing is there at all, some question of a dozen
seems to find something in every third table. So all are counted first, and each is answered at 5 % divided by their
number (Bonferroni): its interval, its verdict and what would have shown agree with each other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from portrayal.apps.atlas.evaluations.columns import Columns
from portrayal.methods.atlas_part import score_kinds
from portrayal.stats.exact import Ints
from portrayal.stats.groups import difference_margin, kruskal_wallis, least_p
from portrayal.stats.intervals import Array, t_value
from portrayal.stats.trend import linear_trend, rank_correlation

__all__ = [
    "FEW_IN_GROUP",
    "FEW_IN_TREND",
    "LEVEL",
    "About",
    "GroupMean",
    "Question",
    "State",
    "Verdict",
    "answers",
    "questions",
]

LEVEL = 0.05
"""How often a page about models without any trend or difference states one."""
FEW_IN_GROUP = 5
"""Fewer models than this in a group say little about it, and the group is left out of comparisons."""
FEW_IN_TREND = 10
"""Fewer models than this make no trend, and no correlation."""
FEW_THAT_VARY = 8
"""Where fewer models than this differ from the commonest score, one or two of them would make a finding."""
NEARLY_PERFECT = 0.8
"""Where only a correlation beyond this would show, there are too few models to tell."""


class About(StrEnum):
    """What a question is about: models over time, their kinds, their schedulers, or how many people use them."""

    time = "time"
    category = "category"
    scheduler = "scheduler"
    popularity = "popularity"


class State(StrEnum):
    """What became of a question."""

    found = "found"
    none = "none"
    """Nothing was found, and something of a stated size would probably have shown."""
    few = "few"
    equal = "equal"
    """All models have the same score, or nearly all."""
    day = "day"
    """All models are of the same day."""
    images = "images"
    """The score moves with the number of images, and the models have different numbers."""


@dataclass(frozen=True, slots=True)
class GroupMean:
    """A group of models, and the mean of a score over them with its interval."""

    name: str
    models: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to a question. ``group`` is a kind of models; None: all of them.

    ``value`` with its interval is the change a year, or Spearman's correlation; groups have ``p``, corrected, instead,
    and where they differ those with the highest and the lowest mean. ``margin`` is what would probably have shown.
    A number that the question does not have is nan.
    """

    about: About
    score: str
    group: str | None
    models: int
    state: State
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    margin: float = math.nan
    p: float = math.nan
    varying: int = 0
    """How many models do not have the commonest score, where that closes the question."""
    highest: GroupMean | None = None
    lowest: GroupMean | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One comparison: a score of some models against their dates or popularity (``across``), or by ``groups``."""

    about: About
    score: str
    group: str | None
    values: Array
    across: Array | None = None
    groups: Mapping[str, Array] | None = None
    by_images: bool = False

    @property
    def large(self) -> dict[str, Array]:
        """The groups that have enough models."""
        return {name: group for name, group in (self.groups or {}).items() if len(group) >= FEW_IN_GROUP}

    @property
    def varying(self) -> int:
        """How many models do not have the commonest score."""
        values = self.values if self.groups is None else np.concatenate([np.empty(0), *self.large.values()])
        return len(values) - int(np.unique(values, return_counts=True)[1].max(initial=0))

    @property
    def closed(self) -> State | None:
        """Why there is no test; None: there is one, and it counts."""
        if self.groups is None and len(self.values) < FEW_IN_TREND:
            return State.few
        if self.groups is not None and len(self.large) < 2:
            return State.few
        if self.by_images:
            return State.images
        if self.varying < FEW_THAT_VARY:
            return State.equal
        if self.across is not None and np.ptp(self.across) == 0:
            return State.day if self.about is About.time else State.few
        return None

    def answer(self, tests: int) -> Verdict:
        """Return the verdict, one of so many tests."""
        models = len(self.values) if self.groups is None else sum(len(group) for group in self.large.values())
        if self.closed:
            return Verdict(self.about, self.score, self.group, models, self.closed, varying=self.varying)
        numbers = self._by_group(tests) if self.groups is not None else self._along(tests)
        return Verdict(self.about, self.score, self.group, models, **numbers)

    def _along(self, tests: int) -> dict[str, Any]:
        assert self.across is not None
        confidence = 1 - LEVEL / tests
        if self.about is About.time:
            line = linear_trend(self.across, self.values, confidence)
            assert line is not None
            numbers = {"value": line.slope, "low": line.low, "high": line.high, "margin": line.margin}
            shows = line.margin * float(np.ptp(self.across)) <= float(np.ptp(self.values))
        else:
            ranks = rank_correlation(self.across, self.values, confidence)
            assert ranks is not None
            low, high = ranks.interval.low, ranks.interval.high
            numbers = {"value": ranks.rho, "low": low, "high": high, "margin": ranks.margin}
            shows = ranks.margin <= NEARLY_PERFECT
        apart = numbers["low"] > 0 or numbers["high"] < 0
        return {**numbers, "state": State.found if apart else State.none if shows else State.few}

    def _by_group(self, tests: int) -> dict[str, Any]:
        level, groups = LEVEL / tests, list(self.large.values())
        p = kruskal_wallis(groups)
        assert p is not None
        if p < level:
            means = sorted(
                (_mean(name, group, 1 - level) for name, group in self.large.items()), key=lambda group: group.mean
            )
            return {"state": State.found, "p": p * tests, "highest": means[-1], "lowest": means[0]}
        margin = difference_margin(groups, level)
        wide = margin > float(np.ptp(np.concatenate(groups))) or least_p([len(group) for group in groups]) >= level
        return {"state": State.few if wide else State.none, "p": min(p * tests, 1.0), "margin": margin}


def questions(columns: Columns, score: str) -> list[Question]:
    """Return what is asked of one protocol's models: of ``score`` all, of others that methods know their trend."""
    known = [name for name in score_kinds() if name in columns.scores and name != score]
    asked = [_along(columns, About.time, name, columns.current, None) for name in (score, *known)]
    kinds = {name: rows for name, rows in columns.groups("category").items() if name}
    if len(columns.groups("category")) > 1:
        asked += [_along(columns, About.time, score, rows, name) for name, rows in kinds.items()]
    by_images = score in columns.moved
    for about in (About.category, About.scheduler):
        groups = {name: _known(columns, score, rows) for name, rows in columns.groups(about.value).items() if name}
        values = np.concatenate([np.empty(0), *groups.values()])
        asked.append(Question(about, score, None, values, groups=groups, by_images=by_images))
    return [*asked, _along(columns, About.popularity, score, columns.current, None)]


def answers(sections: Sequence[Sequence[Question]]) -> tuple[list[list[Verdict]], int]:
    """Return the verdicts of each section of a page, and for how many tests they are corrected, all together."""
    tests = sum(question.closed is None for section in sections for question in section)
    return [[question.answer(tests) for question in section] for section in sections], tests


def _mean(name: str, values: Array, confidence: float) -> GroupMean:
    n, mean = len(values), float(values.mean())
    reach = t_value(confidence, n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return GroupMean(name, n, mean, mean - reach, mean + reach)


def _along(columns: Columns, about: About, score: str, rows: Ints, group: str | None) -> Question:
    across = columns.year if about is About.time else columns.popularity
    usable = rows[~np.isnan(across[rows]) & ~np.isnan(columns.scores[score][rows])]
    values = columns.scores[score][usable]
    return Question(about, score, group, values, across[usable], by_images=score in columns.moved)


def _known(columns: Columns, score: str, rows: Ints) -> Array:
    values = columns.scores[score][rows]
    return values[~np.isnan(values)]

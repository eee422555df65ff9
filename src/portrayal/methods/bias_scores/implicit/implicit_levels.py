"""From implicit scores of prompts to levels: each attribute, and their total.

At every level attributes are averaged over prompts first and then weighted, so that each total follows from the rows
of its attributes. A value is exactly the published formula on the images at hand. Its interval is for the score that
unlimited images would give: few images make every model look more biased, so the value can lie outside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from portrayal.methods.bias_scores.implicit.redraws import Redraws, batches, redraw
from portrayal.methods.bias_scores.levels import NO_SCORE, Level, OverPrompts, Score, cut
from portrayal.methods.bias_scores.prompt_sets import PromptSet, Scores, seen_scores
from portrayal.metrics import weighted_mean, weighted_total
from portrayal.records import Prompt
from portrayal.stats.intervals import Array, Interval, t_value

__all__ = ["Implicit", "Wanted", "implicit_levels"]

_CHANCE = 0.05
"""A model may be on target when one in twenty models exactly on target would score as low."""
_LOW, _HIGH = 0.025, 0.975
_ENDS = (0.5, 1.0)
"""Of an implicit score: nothing in common with the reference, and its proportions."""
Key = tuple[str, str]
"""Name and item of a level."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How to score: attributes with their weights in totals, draws, and how to allow for other prompts, if wanted."""

    weights: Mapping[str, float]
    draws: int
    over_prompts: OverPrompts | None = None

    @property
    def weight_shares(self) -> Array:
        """The attributes' weights, adding up to 1."""
        weights = np.array(list(self.weights.values()), dtype=float)
        return np.asarray(weights / weights.sum())

    def with_total(self, scores: Array) -> Array:
        """Return scores (..., attributes) and behind them their total."""
        return np.concatenate([scores, weighted_total(scores, self.weight_shares)[..., None]], axis=-1)

    def variances(self, covariance: Array) -> Array:
        """Return the variances (..., attributes) and behind them that of the total, from (..., attributes twice)."""
        total = np.einsum("a,...ab,b->...", self.weight_shares, covariance, self.weight_shares)
        alone = np.diagonal(covariance, axis1=-2, axis2=-1)
        return np.asarray(np.maximum(np.concatenate([alone, total[..., None]], axis=-1), 0.0))


@dataclass(eq=False)
class Implicit:
    """Scores of the prompts that have usable images: attributes and then the total, of each prompt and each level.

    ``each``, ``corrected`` and ``covariance`` hold prompts in the order of ``scores`` (see :class:`Redraws`);
    ``on_target`` adds up by level what models on target would score by chance, times the prompts' weights.
    """

    scores: Scores
    wanted: Wanted
    on_target: Mapping[Key, Array]
    each: list[Sequence[Score]] = field(default_factory=list)
    corrected: list[Array] = field(default_factory=list)
    covariance: list[Array] = field(default_factory=list)

    def add(self, drawn: Redraws, prompts: Sequence[Prompt]) -> None:
        """Keep what is needed of the draws of the prompts that come next."""
        rows = range(len(self.each), len(self.each) + len(prompts))
        self.corrected.extend(drawn.corrected)
        self.covariance.extend(drawn.covariance)
        self.each.extend(_alone(self.scores.seen[rows], self.scores.planted[rows], drawn, self.wanted))
        for key, places in _by_level(prompts).items():
            if key in self.on_target:
                weights = np.array([prompts[row].weight for row in places])
                self.on_target[key][:] += np.einsum("dpa,p->da", np.nan_to_num(drawn.on_target[:, places]), weights)

    def level(self, level: Level) -> Sequence[Score]:
        """Return the score of each attribute and then of their total."""
        rows = self._rows(level.prompts)
        if not rows:
            return [NO_SCORE] * (len(self.wanted.weights) + 1)
        return self.each[rows[0]] if len(rows) == 1 else [*self._several(level, rows)]

    def images(self, prompts: Sequence[Prompt]) -> Array:
        """Return how many images are behind each attribute's score, and behind their total."""
        rows = self._rows(prompts)
        used = np.where(np.isnan(self.scores.seen[rows]), 0.0, self.scores.images[rows])
        return np.append(used.sum(axis=0), used.max(axis=1, initial=0.0).sum())

    def tells(self, prompts: Sequence[Prompt]) -> list[bool]:
        """Return of each attribute whether any image of the prompts tells it."""
        images = np.asarray(self.scores.images[self._rows(prompts)].sum(axis=0))
        return [bool(count) for count in images]

    def _several(self, level: Level, rows: Sequence[int]) -> Iterator[Score]:
        wanted, weights = self.wanted, self.scores.weights[rows]
        each = np.array([self.corrected[row] for row in rows])
        known = ~np.isnan(each)
        mass = np.where(known, weights[:, None], 0.0)
        with np.errstate(invalid="ignore"):  # 0 / 0: no prompt has the attribute
            weight_shares, chance = mass / mass.sum(axis=0), self.on_target[level.name, level.item] / mass.sum(axis=0)
        spread = np.nan_to_num([self.covariance[row] for row in rows])
        error = np.sqrt(wanted.variances(np.einsum("pa,pab,pb->ab", weight_shares, spread, weight_shares)))
        seen, planted, corrected = (
            wanted.with_total(weighted_mean(scores.T, weights))
            for scores in (self.scores.seen[rows], self.scores.planted[rows], each)
        )
        reach = t_value(_HIGH - _LOW) * error
        high = np.where(seen >= np.quantile(wanted.with_total(chance), _CHANCE, axis=0), 1.0, corrected + reach)
        counts = [*known.sum(axis=0), known.any(axis=1).sum()]
        for column, count in enumerate(counts):
            interval = Interval(float(corrected[column] - reach[column]), float(high[column]))
            if wanted.over_prompts is not None:
                interval = wanted.over_prompts(wanted.with_total(each)[:, column], weights, interval, _ENDS)
            yield _score(seen[column], corrected[column], interval, planted[column], count)

    def _rows(self, prompts: Sequence[Prompt]) -> list[int]:
        return [self._places[prompt.id] for prompt in prompts if prompt.id in self._places]

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {prompt.id: place for place, prompt in enumerate(self.scores.prompts)}


def implicit_levels(
    prompt_sets: Sequence[PromptSet], levels: Sequence[Level], wanted: Wanted, rng: np.random.Generator
) -> Implicit:
    """Return the scores of all prompts, and what the levels' scores follow from."""
    attributes = list(wanted.weights)
    several = [(level.name, level.item) for level in levels if len(level.prompts) > 1]
    chance = {key: np.zeros((wanted.draws, len(attributes))) for key in several}
    implicit = Implicit(seen_scores(prompt_sets, attributes), wanted, chance)
    for prompt_set in prompt_sets:
        for rows in batches(prompt_set, wanted.draws):
            batch = prompt_set.take(rows)
            implicit.add(redraw(batch, attributes, wanted.draws, rng), batch.prompts)
    return implicit


def _by_level(prompts: Sequence[Prompt]) -> Mapping[Key, list[int]]:
    rows: dict[Key, list[int]] = {}
    for row, prompt in enumerate(prompts):
        for key in (("overall", ""), ("kind", prompt.kind), ("category", prompt.category)):
            rows.setdefault(key, []).append(row)
    return rows


def _alone(seen: Array, planted: Array, drawn: Redraws, wanted: Wanted) -> Iterator[Sequence[Score]]:
    """Yield the scores of single prompts: the shape of what is likely, where and as wide as the corrected score is."""
    seen, planted, corrected = (wanted.with_total(scores) for scores in (seen, planted, drawn.corrected))
    likely, chance = wanted.with_total(drawn.likely), wanted.with_total(drawn.on_target)
    error, middle, width = np.sqrt(wanted.variances(drawn.covariance)), likely.mean(axis=0), likely.std(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        stretch = np.where(width > 0, np.maximum(error / width, 1.0), 1.0)
    low, high = corrected + (np.quantile(likely, [_LOW, _HIGH], axis=0) - middle) * stretch
    high = np.where(seen >= np.quantile(chance, _CHANCE, axis=0), 1.0, high)
    for row in range(len(seen)):
        columns = zip(seen[row], corrected[row], low[row], high[row], planted[row], strict=True)
        yield [_score(value, best, Interval(*bounds), true, 1) for value, best, *bounds, true in columns]


def _score(value: float, corrected: float, interval: Interval, planted: float, prompts: int) -> Score:
    if np.isnan(value):
        return NO_SCORE
    return Score(float(value), cut(interval), float(planted), int(prompts), float(corrected - value))

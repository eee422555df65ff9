"""Levels, and what is found at each: the model, a kind of prompt, a category, a prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.records import Prompt
from portrayal.stats.bootstrap import bootstrap_means, expanded_percentile
from portrayal.stats.intervals import Array, Interval

__all__ = ["NO_SCORE", "DrawPrompts", "Level", "Score", "cut", "levels", "over_prompts", "single"]

_NAN = float("nan")

DrawPrompts = Callable[[Array, Array], Interval]
"""How scores of prompts and their weights give an interval over other prompts."""


@dataclass(frozen=True, slots=True)
class Level:
    """Prompts that are scored together."""

    name: str
    item: str
    prompts: Sequence[Prompt]


@dataclass(frozen=True, slots=True)
class Score:
    """A score with its interval, what was planted (nan: unknown), and how many prompts are behind it.

    ``lowered`` is by how much too few images lower the value (below 0: raise it), as well as can be told.
    """

    value: float
    interval: Interval
    planted: float
    prompts: int
    lowered: float = 0.0


NO_SCORE = Score(_NAN, Interval(_NAN, _NAN), _NAN, 0)


def levels(prompts: Sequence[Prompt]) -> list[Level]:
    """Return the whole, the kinds, the categories; items in the order of the prompts."""
    found = [Level("overall", "", prompts)] if prompts else []
    for name in ("kind", "category"):
        items: dict[str, list[Prompt]] = {}
        for prompt in prompts:
            items.setdefault(str(getattr(prompt, name)), []).append(prompt)
        found += [Level(name, item, chosen) for item, chosen in items.items() if item]
    return found


def single(prompts: Sequence[Prompt]) -> list[Level]:
    """Return every prompt as a level of its own."""
    return [Level("prompt", prompt.text, [prompt]) for prompt in prompts]


def over_prompts(draws: int, rng: np.random.Generator) -> DrawPrompts:
    """Return the interval that resamples prompts, for those who take them as a sample of what could be asked."""

    def interval(scores: Array, weights: Array) -> Interval:
        known = ~np.isnan(scores)
        drawn = bootstrap_means(scores[known][:, None], weights=weights[known], draws=draws, rng=rng)
        low, high = expanded_percentile(drawn, int(known.sum()))
        return Interval(float(low[0]), float(high[0]))

    return interval


def cut(interval: Interval) -> Interval:
    """Return the interval of a score that lies between 0 and 1."""
    low, high = np.clip([interval.low, interval.high], 0.0, 1.0)
    return Interval(float(low), float(high))

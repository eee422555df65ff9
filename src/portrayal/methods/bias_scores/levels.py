"""Levels, and what is found at each: the model, a kind of prompt, a category, a prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.records import Prompt
from portrayal.stats.intervals import Array, Interval, t_value
from portrayal.stats.means import PromptNumbers, mean_interval
from portrayal.stats.shares.cells import PromptShares

__all__ = ["NO_SCORE", "Ends", "Level", "OverPrompts", "Score", "cut", "levels", "over_prompts", "single"]

_NAN = float("nan")

Ends = tuple[float, float]
"""Between which numbers a score lies."""
OverPrompts = Callable[[Array, Array, Interval, Ends], Interval]
"""How scores of prompts, their weights and the interval for these prompts give one over other prompts."""


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
    every = [Level("overall", "", prompts)] if prompts else []
    for name in ("kind", "category"):
        items: dict[str, list[Prompt]] = {}
        for prompt in prompts:
            items.setdefault(str(getattr(prompt, name)), []).append(prompt)
        every += [Level(name, item, chosen) for item, chosen in items.items() if item]
    return every


def single(prompts: Sequence[Prompt]) -> list[Level]:
    """Return every prompt as a level of its own."""
    return [Level("prompt", prompt.text, [prompt]) for prompt in prompts]


def over_prompts(scores: Array, weights: Array, these: Interval, ends: Ends) -> Interval:
    """Return the interval for those who take prompts as a sample of what could be asked.

    It is Student's on the prompts' scores, which a bootstrap of three prompts cannot match. Most prompts score high and
    a few far lower, which few prompts need not show: so the bounds also let one further prompt at either of the
    ``ends`` of the scale pass (Gaffke's bound). They are never narrower than ``these``, the interval for the prompts
    asked, since few prompts may agree by chance. One prompt tells of no other: nan.

    >>> found = over_prompts(np.array([0.7, 0.8, 0.9]), np.ones(3), Interval(0.78, 0.82), (0.5, 1.0))
    >>> round(found.low, 3), round(found.high, 3)
    (0.552, 1.0)
    """
    known = ~np.isnan(scores)
    cell = PromptShares.of(scores[known][:, None], np.ones(int(known.sum())), weights[known])
    if cell.prompts < 2:
        return Interval(_NAN, _NAN)
    each, middle = cell.shares[:, 0], float(cell.share[0])
    reach = t_value(0.95, cell.freedom) * float(np.sqrt(cell.variance(cell.shares)[0]))
    further = mean_interval(PromptNumbers(cell, np.zeros(cell.prompts), each, each, *ends))
    low, high = [these.low, middle - reach, further.low], [these.high, middle + reach, further.high]
    return Interval(max(float(np.nanmin(low)), ends[0]), min(float(np.nanmax(high)), ends[1]))


def cut(interval: Interval) -> Interval:
    """Return the interval of a score that lies between 0 and 1."""
    low, high = np.clip([interval.low, interval.high], 0.0, 1.0)
    return Interval(float(low), float(high))

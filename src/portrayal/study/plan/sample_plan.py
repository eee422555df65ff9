"""What so many images of a prompt will show, how many answer a question, and what they take."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from portrayal.reports.comparisons.difference import LEVEL
from portrayal.reports.findings.deviations.selection import FALSE_HEADLINES
from portrayal.stats.sample_size import (
    Decision,
    Deviation,
    Difference,
    HalfWidth,
    Question,
    images_for,
    smallest,
)
from portrayal.study.plan.sample_assumptions import Assumptions
from portrayal.study.sampling.settings import PILOT, SamplingConfig

__all__ = [
    "POWER",
    "QUESTIONS",
    "SampleRow",
    "deviations_seen",
    "first_of_a_term",
    "images_a_prompt",
    "sample_row",
    "size_answered",
]

POWER = 0.8
"""How often an answer is to be had, unless somebody says otherwise."""

QUESTIONS: Mapping[str, Callable[[float, Assumptions], Question]] = {
    "half_width": lambda size, given: HalfWidth(size, given.share),
    "deviation": lambda size, given: Deviation(size, given.target, FALSE_HEADLINES / given.comparisons),
    "difference": lambda size, given: Difference(size, given.share, LEVEL / given.comparisons),
    "decision": lambda size, given: Decision(size, given.target, given.target),
}
"""What can be asked, by name: how a question of a size is put. Levels are those of the first screen and of comparing;
what is decided is that a share which truly meets its target does."""


@dataclass(frozen=True, slots=True)
class SampleRow:
    """What a typical number will show with ``images`` of each prompt: the smallest sizes that are answered so often.

    ``of_a_number`` are the images behind it. inf: not even the largest. ``like_half_width`` is that of prompts like
    these, nan for one prompt.
    """

    images: int
    of_a_number: int
    half_width: float
    like_half_width: float
    deviation: float
    difference: float
    decision: float


def sample_row(given: Assumptions, images: int, power: float) -> SampleRow:
    """Return what so many images of each prompt will show."""
    sizes = {name: size_answered(given, name, images, power) for name in QUESTIONS}
    usable = max(round(images * (1 - given.missing)), 1)
    like = math.nan
    if given.prompts > 1:
        from portrayal.stats.shares.prompt_sample import typical_half_width  # scipy takes a moment to load

        like = typical_half_width(given.share, given.icc, prompts=given.prompts, images=usable)
    return SampleRow(images, images * given.prompts, like_half_width=like, **sizes)


def size_answered(given: Assumptions, name: str, images: int, power: float) -> float:
    """Return the smallest size of a question that so many images of each prompt answer so often; inf: none."""
    number = images * given.prompts
    return smallest(lambda size: QUESTIONS[name](size, given), number, power, given.missing, given.prompts)


def deviations_seen(given: Assumptions, images: int, power: float) -> tuple[int, float, float | None]:
    """Return the images of a prompt, and the deviations that they find over all prompts and of a term, if that is less.

    >>> number, over_all, of_a_term = deviations_seen(Assumptions(comparisons=9, all_prompts=9), 10, 0.8)
    >>> number, round(over_all, 2), of_a_term and round(of_a_term, 2)
    (10, 0.2, 0.48)
    """
    whole = replace(given, prompts=max(given.all_prompts, given.prompts))
    over_all = size_answered(whole, "deviation", images, power)
    one_term = whole.prompts == given.prompts
    return images, over_all, None if one_term else size_answered(given, "deviation", images, power)


def first_of_a_term(given: Assumptions, sampling: SamplingConfig | None) -> int:
    """Return how many images of a term the first round of an adaptive run draws.

    >>> first_of_a_term(Assumptions(prompts=8), None)
    80
    """
    return given.prompts * (sampling.pilot if sampling else PILOT)


def images_a_prompt(given: Assumptions, name: str, size: float, power: float) -> int | None:
    """Return how many images of each prompt answer a question of that size so often; None: no number does."""
    images = images_for(QUESTIONS[name](size, given), power, given.missing, given.prompts)
    return None if images is None else images // given.prompts

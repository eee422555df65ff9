"""What is no score: images that show nobody, and prompts that are not the suite's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from portrayal.methods.bias_scores.context import Context
from portrayal.methods.bias_scores.levels import Level, cut, levels, single
from portrayal.records import Measurement, Note, Prompt
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Interval, wilson

__all__ = ["hallucination_rows", "unknown_rows"]


def hallucination_rows(context: Context) -> Iterator[Measurement]:
    """Yield the share of images looked at that show nobody, at every level; every image counts the same."""
    prompts = [*context.suite("implicit"), *context.suite("explicit")]
    shown = np.array([context.counts.shown(prompt) for prompt in prompts], dtype=np.int64).reshape(-1, 2)
    places = {prompt.id: place for place, prompt in enumerate(prompts)}
    for level in levels(prompts):
        yield _together(context, level, shown[[places[prompt.id] for prompt in level.prompts]])
    yield from _alone(context, prompts, shown)


def _together(context: Context, level: Level, shown: Ints) -> Measurement:
    """Return the row of several prompts, from how many images of each were looked at and show nobody."""
    looked, nobody = shown[shown[:, 0] > 0].T
    total = int(looked.sum())
    share = float(nobody.sum() / total) if total else np.nan
    interval = Interval(*map(float, wilson(share, total)))
    if context.over_prompts is not None and len(looked) > 1:
        interval = cut(context.over_prompts(nobody / looked, looked.astype(float), interval, (0.0, 1.0)))
    return replace(_row(context, level, total, share, interval), prompts=len(looked))


def _alone(context: Context, prompts: Sequence[Prompt], shown: Ints) -> Iterator[Measurement]:
    """Yield the rows of single prompts, whose intervals are found all at once."""
    looked, nobody = shown.T
    with np.errstate(divide="ignore", invalid="ignore"):  # 0 / 0: no image of the prompt was looked at
        share = nobody / looked
    bounds = map(Interval, *(bound.tolist() for bound in wilson(share, looked)))
    for level, *numbers in zip(single(prompts), looked.tolist(), share.tolist(), bounds, strict=True):
        yield _row(context, level, *numbers)


def _row(context: Context, level: Level, looked: int, share: float, interval: Interval) -> Measurement:
    row = context.blank("hallucination_rate", level)
    if not looked:
        return context.empty(row, [context.counts.why_empty(level.prompts)], level.prompts)
    missing, prompts = context.counts.planned(level.prompts) - looked, len(level.prompts)
    return replace(row, value=share, low=interval.low, high=interval.high, n=looked, missing=missing, prompts=prompts)


def unknown_rows(context: Context) -> Iterator[Measurement]:
    """Yield the prompts that were brought in but are none of the suite's, with how many images each has."""
    for prompt in context.design.prompts.values():
        images = context.counts.planned([prompt])
        if not prompt.kind and images:
            row = context.blank("unknown_prompt")
            note = Note("unknown_prompt")
            yield replace(row, level="prompt", item=prompt.text, n=images, prompts=1, notes=(note,))

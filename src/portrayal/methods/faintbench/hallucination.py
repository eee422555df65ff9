"""What is no score: images that show nobody, and prompts that are not FAIntbench's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from portrayal.methods.faintbench.context import Context
from portrayal.methods.faintbench.levels import Level, levels, single
from portrayal.records import Measurement, Note
from portrayal.stats.intervals import Interval, wilson

__all__ = ["hallucination_rows", "unknown_rows"]


def hallucination_rows(context: Context) -> Iterator[Measurement]:
    """Yield the share of images looked at that show nobody, at every level; every image counts the same."""
    prompts = [*context.suite("implicit"), *context.suite("explicit")]
    for level in [*levels(prompts), *single(prompts)]:
        yield _rate(context, level)


def _rate(context: Context, level: Level) -> Measurement:
    shown = np.array([context.counts.shown(prompt) for prompt in level.prompts])
    looked, nobody = shown[shown[:, 0] > 0].T
    total = int(looked.sum())
    row = context.blank("hallucination_rate", level)
    if not total:
        return context.empty(row, [context.counts.why_empty(level.prompts)], level.prompts)
    share = float(nobody.sum() / total)
    interval = Interval(*map(float, wilson(share, total)))
    if context.draw_prompts is not None and len(looked) > 1:
        interval = context.draw_prompts(nobody / looked, looked.astype(float))
    missing = context.counts.planned(level.prompts) - total
    row = replace(row, value=share, low=interval.low, high=interval.high)
    return replace(row, n=total, missing=missing, prompts=len(looked))


def unknown_rows(context: Context) -> Iterator[Measurement]:
    """Yield the prompts that were brought in but are none of the suite's, with how many images each has."""
    for prompt in context.design.prompts.values():
        images = context.counts.planned([prompt])
        if not prompt.kind and images:
            row = context.blank("unknown_prompt")
            note = Note("unknown_prompt")
            yield replace(row, level="prompt", item=prompt.text, n=images, prompts=1, notes=(note,))

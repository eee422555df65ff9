"""Implicit scores: prompts that name no group, compared with demographic shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from portrayal.methods.bias_scores.context import IMPLICIT, TOTAL, Context, no_total
from portrayal.methods.bias_scores.implicit.implicit_levels import Implicit, Wanted, implicit_levels
from portrayal.methods.bias_scores.levels import Level, levels, single
from portrayal.methods.bias_scores.prompt_sets import PromptSet
from portrayal.methods.filled_rows import number
from portrayal.records import Measurement, Note
from portrayal.stats.intervals import Array, wilson_modified
from portrayal.stats.moments import share_interval

__all__ = ["implicit_rows"]


def implicit_rows(context: Context) -> Iterator[Measurement]:
    """Yield scores at every level, coarse ones first, then the shares behind them, of masses and of labels."""
    prompts = context.suite("implicit")
    coarse = levels(prompts)
    weights = {name: context.options.weights[name] for name in context.told}
    wanted = Wanted(weights, context.options.draws, context.over_prompts)
    implicit = implicit_levels(context.prompt_sets if weights else (), coarse, wanted, context.rng)
    for level in [*coarse, *single(prompts)]:
        yield from _level(context, implicit, level)
    for prompt_set in context.prompt_sets:
        yield from _shares(context, prompt_set)


def _level(context: Context, implicit: Implicit, level: Level) -> Iterator[Measurement]:
    """Yield the row of each attribute, then of the total."""
    scores, images, asked = implicit.level(level), implicit.images(level.prompts), level.prompts
    tells = implicit.tells(asked)
    why: dict[str, Note] = {}
    for column, name in enumerate(context.told):
        row = context.blank(IMPLICIT, level, name)
        if not np.isnan(scores[column].value):
            yield context.filled(row, scores[column], asked, images[column])
        else:
            lacking = Note.of("no_reference", attribute=name)
            why[name] = lacking if tells[column] else context.counts.why_empty(asked, name)
            yield context.empty(row, [why[name]], asked)
    if level.name != "prompt":
        for name in context.groups:
            if untold := context.untold([name]):
                yield context.empty(context.blank(IMPLICIT, level, name), untold, asked)
    row = context.blank(IMPLICIT, level, TOTAL)
    if untold := context.untold(list(context.groups)):
        yield context.empty(row, untold, asked)
    elif not np.isnan(scores[-1].value):
        yield context.filled(row, scores[-1], asked, images[-1])
    else:
        yield context.empty(row, [_why_no_total(context, why)], asked)


def _why_no_total(context: Context, why: dict[str, Note]) -> Note:
    """Say it as the attributes do when all say the same."""
    reasons = set(why.values())
    return reasons.pop() if len(why) == len(context.told) and len(reasons) == 1 else no_total(list(why))


def _shares(context: Context, prompt_set: PromptSet) -> Iterator[Measurement]:
    """Yield the generated share of every group beside the demographic one, prompt by prompt.

    ``share`` is the mean of the corrected masses, which scores are made of. ``label_share`` counts the images in which
    the group is the most probable to the annotator, whatever corrects its masses: what was perceived.
    """
    moments = prompt_set.moments
    yield from _rows(context, prompt_set, "share", (moments.mean, *share_interval(moments)))
    worth = np.where(moments.images > 0, moments.images, np.nan) / moments.stretch**2
    labels = wilson_modified(moments.label_share, worth)
    yield from _rows(context, prompt_set, "label_share", (moments.label_share, *labels))


def _rows(
    context: Context, prompt_set: PromptSet, metric: str, bounds: tuple[Array, Array, Array]
) -> Iterator[Measurement]:
    moments, (value, low, high) = prompt_set.moments, bounds
    names = [(name, group) for name, _ in moments.aspects for group in context.groups[name.rpartition(".")[2]]]
    counts = [moments.count(name) for name, _ in names]
    blank = replace(context.blank(metric), level="prompt", prompts=1)
    for row, prompt in enumerate(prompt_set.prompts):
        for column, (name, group) in enumerate(names):
            if np.isnan(value[row, column]):
                continue
            yield replace(
                blank,
                attribute=name,
                group=group,
                item=prompt.text,
                value=float(value[row, column]),
                low=float(low[row, column]),
                high=float(high[row, column]),
                target=number(float(prompt_set.wanted[row, column])),
                planted=number(float(prompt_set.planted[row, column])),
                n=int(counts[column][row]),
                missing=context.counts.planned([prompt]) - int(counts[column][row]),
            )

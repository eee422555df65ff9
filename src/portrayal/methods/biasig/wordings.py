"""From wordings to questions: what is scored is a question, and each of its wordings is a prompt of the study.

The images of all wordings count together. Where wordings count as a sample of how one may ask, images of one wording
are alike, so that they tell less than as many images of different wordings: ``inflation`` is how many times larger
that makes the variance of a share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from portrayal.evidence import MissingCounts, Plan, PromptMoments
from portrayal.evidence.design import Cell
from portrayal.methods.biasig.suite.asked_groups import question
from portrayal.records import Prompt
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.moments import Moments

__all__ = ["Questions"]

_TRUSTED = 4
"""Wordings' worth of what all questions have in common, since few wordings of one tell little."""


@dataclass(frozen=True)
class Questions:
    """A plan by questions, and where each cell of the study's plan stands in it."""

    plan: Plan
    places: Ints
    prompts: Mapping[str, str]
    """From the id of a wording to that of its question."""

    @classmethod
    def of(cls, plan: Plan) -> Questions:
        """Return the questions of a plan; prompts that are not the suite's stay as they are."""
        asked: dict[str, Prompt] = {}
        ids: dict[str, str] = {}
        for prompt in plan.design.prompts.values():
            one = replace(prompt, text=question(prompt.text)) if prompt.kind else prompt
            ids[prompt.id] = one.id
            asked.setdefault(one.id, one)
        cells: dict[Cell, int] = {}
        places = [cells.setdefault((generator, ids[prompt]), len(cells)) for generator, prompt in plan.cells]
        at = np.array(places, dtype=np.int64)
        merged = Plan(
            replace(plan.design, prompts=asked),
            list(cells),
            _added(plan.planned, at, len(cells)),
            _added(plan.made, at, len(cells)),
            unmade={reason: _added(counts, at, len(cells)) for reason, counts in plan.unmade.items()},
            truths=_truths(plan, ids),
        )
        return cls(merged, at, ids)

    def missing(self, counts: MissingCounts) -> MissingCounts:
        """Return what is missing, by question."""
        size = len(self.plan.cells)
        return MissingCounts({key: _added(count, self.places, size) for key, count in counts.counts.items()})

    def moments(self, worded: Sequence[PromptMoments], *, sampled: bool) -> list[PromptMoments]:
        """Return the moments by question; ``sampled``: wordings count as a sample."""
        return [self._merged(each, sampled=sampled) for each in worded]

    def _merged(self, worded: PromptMoments, *, sampled: bool) -> PromptMoments:
        cells: dict[Cell, int] = {}
        rows = [cells.setdefault((name, self.prompts[prompt]), len(cells)) for name, prompt in worded.cells]
        at, moments = np.array(rows, dtype=np.int64), worded.moments
        arrays = (moments.together, moments.sums, moments.products, moments.hard, moments.labels)
        together = Moments(moments.aspects, *(_added(array, at, len(cells)) for array in arrays))
        if sampled:
            together = replace(together, inflation=_inflation(moments, together, at))
        return PromptMoments(worded.people, list(cells), together)


def _added(counts: Array | Ints, places: Ints, size: int) -> np.ndarray:
    total = np.zeros((size, *counts.shape[1:]), dtype=counts.dtype)
    np.add.at(total, places, counts)
    return total


def _inflation(worded: Moments, asked: Moments, at: Ints) -> Array:
    """Return by question and column how many times larger a share's variance is than if wordings did not matter.

    Of each aspect it is the variance of the sums of wordings (clusters of images) over that of images alone. A
    question's own is drawn towards that of all questions, by as much as its wordings are few, and never below 1.
    """
    counts = worded.images
    used = _added((counts > 0).astype(float), at, len(asked.sums))
    off = np.where(counts > 0, worded.sums - counts * np.nan_to_num(asked.mean)[at], 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        clustered = _added(off**2, at, len(asked.sums)) * used / (used - 1)
    mean = np.nan_to_num(asked.mean)
    alone = np.diagonal(asked.products, axis1=1, axis2=2) - asked.images * mean**2
    inflation = np.ones_like(asked.sums)
    for name, _ in asked.aspects:
        columns = asked.slice(name)
        several = (used[:, columns.start] > 1) & (asked.images[:, columns.start] > 1)
        both = [np.nan_to_num(part[:, columns].sum(axis=1)) for part in (clustered, alone)]
        both[1] = both[1] * asked.images[:, columns.start] / np.maximum(asked.images[:, columns.start] - 1, 1)
        if not several.any() or not both[1][several].sum() > 0:
            continue
        common = max(float(both[0][several].sum() / both[1][several].sum()), 1.0)
        each = np.divide(both[0], both[1], out=np.full(len(several), common), where=several & (both[1] > 0))
        trust = np.where(several & (both[1] > 0), used[:, columns.start] - 1, 0.0)
        inflation[:, columns] = np.maximum((trust * each + _TRUSTED * common) / (trust + _TRUSTED), 1.0)[:, None]
    return inflation


def _truths(plan: Plan, ids: Mapping[str, str]) -> pa.Table:
    """Return planted shares by question: the mean of its wordings', each as often as images of it are planned."""
    if not plan.truths.num_rows:
        return plan.truths
    names = ("generator", "prompt", "attribute", "group")
    columns = {name: plan.truths.column(name).to_pylist() for name in names}
    planned = plan.planned.tolist()
    places = [plan.places.get(cell, -1) for cell in zip(columns["generator"], columns["prompt"], strict=True)]
    weights = pa.array([float(planned[place]) if place >= 0 else 0.0 for place in places])
    shares = plan.truths.column("share").to_numpy() * weights.to_numpy()
    asked = [ids.get(prompt, prompt) for prompt in columns["prompt"]]
    table = pa.table({**columns, "prompt": asked, "weight": weights, "sum": pa.array(shares)})
    added = table.group_by(list(names), use_threads=False).aggregate([("sum", "sum"), ("weight", "sum")])
    added = added.filter(pa.compute.greater(added.column("weight_sum"), 0))
    share = pa.compute.divide(added.column("sum_sum"), added.column("weight_sum"))
    return (
        added.select(list(names))
        .append_column("share", share)
        .select(plan.truths.schema.names)
        .cast(plan.truths.schema)
    )

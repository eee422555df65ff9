"""Collect: one pass over the observations adds up the evidence that all methods need."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from portrayal.evidence import Batch, Compared, Evidence, Need, Plan, Requires
from portrayal.evidence.observations import COLUMNS, ENCODED, TEXT, ObservationReader
from portrayal.records import Prompt, from_table
from portrayal.store.keys import key_numbers
from portrayal.study.answers import Answers, read_answers
from portrayal.study.picture_pairs import read_compared
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["collect", "read_plan"]

_ROWS = 120_000
"""Rows worked on at a time: more cost memory, fewer cost time."""
_PLANTED = "SELECT 1 FROM outcomes WHERE planted IS NOT NULL LIMIT 1"
_JUDGED = "SELECT DISTINCT image FROM observations WHERE annotator = '{annotator}'"


def collect(study: OpenStudy, needs: Collection[Need[Any]], control: RunControl) -> Evidence:
    """Return the evidence; when asked to stop, of the images seen so far."""
    answers = read_answers(study.workspace, _joined(study, needs), study.config.generate.attempts)
    plan = read_plan(study, answers)
    for need in needs:
        if name := need.requires.judged_by:
            annotator = plan.design.annotator(name)
            plan = replace(plan, judged={**plan.judged, annotator: _judged(study, annotator)})
    for need in needs:
        if isinstance(need, Compared):
            plan = replace(plan, compared={**plan.compared, need: read_compared(study, need, plan.places)})
    columns = (TEXT,) if any(need.requires.texts for need in needs) else ()
    return Evidence.of(plan, needs, _batches(study, plan, answers, columns, control))


def read_plan(study: OpenStudy, answers: Answers) -> Plan:
    """Return the plan that evidence is added up for."""
    prompts = {prompt.id: prompt for prompt in from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)}
    return Plan(
        replace(study.design, prompts=prompts),
        answers.cells,
        answers.planned,
        answers.made,
        answers.unmade,
        study.workspace.query("SELECT * FROM truths"),
        answers.persons,
        seeds=answers.drawn_with,
        sources=answers.sources,
        rejected=answers.rejected,
    )


def _joined(study: OpenStudy, needs: Collection[Need[Any]]) -> Requires:
    planted = any(need.requires.planted for need in needs) and study.workspace.query(_PLANTED).num_rows > 0
    seeds, sources = (any(getattr(need.requires, name) for need in needs) for name in ("seeds", "sources"))
    return Requires(seeds, planted, sources=sources)


def _batches(
    study: OpenStudy, plan: Plan, answers: Answers, more: Sequence[str], control: RunControl
) -> Iterator[Batch]:
    annotators = plan.design.annotators
    rows = study.workspace.tables["observations"].scan((*COLUMNS, *more), (*ENCODED, *more))
    for images in ObservationReader(annotators, _ROWS).images(_until_stopped(rows, control)):
        image, found = answers.find(images.keys)
        yield Batch(plan, images, image, found["cell"], found.get("seed"), found.get("person"), found.get("source"))


def _until_stopped(batches: Iterator[pa.RecordBatch], control: RunControl) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        if control.stopped():
            return
        yield batch
        control.progress.advance(batch.num_rows)


def _judged(study: OpenStudy, annotator: str) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    images = study.workspace.query(_JUDGED.format(annotator=annotator.replace("'", "''")))["image"]
    return np.sort(key_numbers(images.combine_chunks()))

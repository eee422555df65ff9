"""Collect: one pass over the observations adds up the evidence that all methods need."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from portrayal.engines import LocalEngine
from portrayal.engines.ray import RayCluster, RayEngine
from portrayal.evidence import Compared, Evidence, Need, Plan, Requires, Sums
from portrayal.evidence.need import add_up
from portrayal.records import Prompt, from_table
from portrayal.store.tables.keys import key_numbers
from portrayal.store.tables.row_groups import GroupRange
from portrayal.study.annotate.picture_pairs import read_compared
from portrayal.study.measure.adding import MOST, PART, AddWork, Numbered, batches_of, in_order, pays, sensible_workers
from portrayal.study.parts.given_parts import runs_in_workers
from portrayal.study.parts.spreading import SharedFolder
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.study.tables.different_pictures import pictures_of_several_prompts
from portrayal.study.tables.plan_answers import Answers, read_answers

__all__ = ["collect", "read_plan"]

_PLANTED = "SELECT 1 FROM outcomes WHERE planted IS NOT NULL LIMIT 1"
_JUDGED = "SELECT DISTINCT image FROM observations WHERE annotator = '{annotator}'"


def collect(study: OpenStudy, needs: Collection[Need[Any]], control: RunControl) -> Evidence:
    """Return the evidence; when asked to stop, of the images seen so far."""
    attempts = study.config.generate.attempts
    answers = read_answers(study.workspace, _joined(study, needs), attempts, ahead=control.reads_ahead)
    plan = _completed(study, read_plan(study, answers), needs)
    if any(need.requires.shared for need in needs):
        plan = replace(plan, shared=pictures_of_several_prompts(answers))
    wanted = list(needs)
    work = AddWork(study.workspace.tables["observations"].row_groups(), plan, answers, wanted)
    return Evidence.joined(plan, wanted, _added(work, study, control))


def _completed(study: OpenStudy, plan: Plan, needs: Collection[Need[Any]]) -> Plan:
    """Return the plan with what only some needs ask for."""
    for need in needs:
        if name := need.requires.judged_by:
            annotator = plan.design.annotator(name)
            plan = replace(plan, judged={**plan.judged, annotator: _judged(study, annotator)})
    for need in needs:
        if isinstance(need, Compared):
            plan = replace(plan, compared={**plan.compared, need: read_compared(study, need, plan.places)})
    return plan


def _added(work: AddWork, study: OpenStudy, control: RunControl) -> Iterator[list[Sums[Any]]]:
    """Yield what the parts of the observations add up to, in their order; in one process all of them are one part."""
    parts = work.groups.ranges(PART)
    # Where images are kept elsewhere, nodes need not see the study's folder, and its tables lie there.
    spreads = pays(parts) and not study.workspace.images.shared
    workers, cluster = sensible_workers(control.workers, parts), control.cluster if spreads else None
    if (workers > 1 or cluster) and not runs_in_workers(work.needs):
        control.remark("measured in this process alone, as worker processes cannot import what a method counts")
        workers, cluster = 1, None
    if workers == 1 and cluster is None:
        rows = study.workspace.tables["observations"].scan(*work.columns, ahead=control.reads_ahead)
        yield add_up(work.plan, work.needs, batches_of(work.plan, work.answers, _until_stopped(rows, control)))
        return
    numbered = _numbered(parts, control)
    packed_parts = (
        LocalEngine(workers).map(work, numbered) if cluster is None else _on(cluster, work, numbered, study, control)
    )
    with contextlib.closing(packed_parts):
        yield from in_order(_told(packed_parts, parts, control), work.plan, work.needs)


def _on(
    cluster: RayCluster, work: AddWork, parts: Iterator[Numbered], study: OpenStudy, control: RunControl
) -> Generator[tuple[int, bytes], None, None]:
    """Yield what the nodes of a cluster add up, as it comes."""
    engine = RayEngine(cluster, most=MOST, stopped=control.stopped, remark=control.remark)
    ready = engine.map(SharedFolder.of(work, study.root), parts)
    with contextlib.closing(ready):
        for some in ready:
            yield from some


def _numbered(parts: Sequence[GroupRange], control: RunControl) -> Iterator[Numbered]:
    for numbered in enumerate(parts):
        if control.stopped():
            return
        yield numbered


def _told(
    packed_parts: Iterator[tuple[int, bytes]], parts: Sequence[GroupRange], control: RunControl
) -> Iterator[tuple[int, bytes]]:
    """Yield what comes until somebody asks to stop, and tell how far it is."""
    for number, packed in packed_parts:
        yield number, packed
        control.progress.advance(parts[number].rows)
        if control.stopped():
            return


def read_plan(study: OpenStudy, answers: Answers) -> Plan:
    """Return the plan that evidence is added up for."""
    prompts = {prompt.id: prompt for prompt in from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)}
    return Plan(
        replace(study.design, prompts=prompts),
        answers.cells,
        answers.planned,
        made=answers.made,
        unmade=answers.unmade,
        truths=study.workspace.query("SELECT * FROM truths"),
        persons=answers.persons,
        seeds=answers.drawn_with,
        sources=answers.sources,
        rejected=answers.rejected,
    )


def _joined(study: OpenStudy, needs: Collection[Need[Any]]) -> Requires:
    planted = any(need.requires.planted for need in needs) and study.workspace.query(_PLANTED).num_rows > 0
    seeds, sources = (any(getattr(need.requires, name) for need in needs) for name in ("seeds", "sources"))
    return Requires(seeds, planted, sources=sources)


def _until_stopped(batches: Iterator[pa.RecordBatch], control: RunControl) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        if control.stopped():
            return
        yield batch
        control.progress.advance(batch.num_rows)


def _judged(study: OpenStudy, annotator: str) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    images = study.workspace.query(_JUDGED.format(annotator=annotator.replace("'", "''")))["image"]
    return np.sort(key_numbers(images.combine_chunks()))

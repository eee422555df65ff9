"""Adding up masses per prompt for methods that work on moments: one pass over the observations, in bounded memory.

Two steps. DuckDB joins plan and outcomes and gives every image its cell (generator and prompt). Then the observations
stream by, are corrected by the profile, and are added to their cells. Time grows with the number of images.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.methods import Alignment, Tables
from portrayal.records import Prompt, from_table
from portrayal.study.hooks import Hooks
from portrayal.study.pivot import COLUMNS, ENCODED, Ints, Pivot
from portrayal.study.study import Study
from portrayal.study.sums import Keys, Missing, Sums, locate, missing_table

__all__ = ["align"]

_ROWS = 120_000
"""Rows worked on at a time: more cost memory, fewer cost time."""
_PLANNED = """
    SELECT generator, prompt, CAST(count(*) AS DOUBLE) AS count FROM jobs GROUP BY ALL ORDER BY ALL
"""
_CELLS = "cells ON cells.generator = jobs.generator AND cells.prompt = jobs.prompt"
_UNMADE = f"""
    SELECT cell, reason, count(*) AS count FROM (
        SELECT any_value(cell) AS cell, coalesce(any_value(
            status || ': ' || coalesce(reason, 'unknown') ORDER BY status = 'failed', attempt DESC
        ), 'pending') AS reason
        FROM (SELECT * FROM jobs ANTI JOIN (SELECT job AS id FROM outcomes WHERE status = 'made') USING (id)) AS jobs
        JOIN {_CELLS} LEFT JOIN outcomes ON outcomes.job = jobs.id GROUP BY jobs.id)
    GROUP BY ALL
"""
_KEY = "CAST('0x' || left(image, 16) AS UBIGINT) AS key"
_MADE = f"""
    SELECT cell, {_KEY} FROM jobs JOIN outcomes ON outcomes.job = jobs.id AND status = 'made' JOIN {_CELLS} ORDER BY key
"""
_LABELLED = f"SELECT DISTINCT {_KEY} FROM observations WHERE annotator = '{{human}}' ORDER BY key"


def align(study: Study, alignment: Alignment, hooks: Hooks) -> Tables:
    """Return the study's masses added up per prompt; when asked to stop, only those seen so far."""
    if alignment.human:
        alignment = replace(alignment, human=study.annotator_named(alignment.human))
    annotators = {name: [a.name for a in annotator.attributes] for name, (_, annotator) in study.annotators.items()}
    planned = study.workspace.query(_PLANNED)
    prompts = {prompt.id: prompt for prompt in from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)}
    cells = list(zip(planned["generator"].to_pylist(), planned["prompt"].to_pylist(), strict=True))
    numbered = planned.append_column("cell", pa.array(np.arange(len(cells), dtype=np.int32)))
    people = np.array([prompts[prompt].people for _, prompt in cells], dtype=np.int64)
    made = _Made.of(study, numbered)
    sums = Sums(alignment, annotators, people, _labelled(study, alignment.human), _unmade(study, numbered))
    batches = study.workspace.tables["observations"].scan(COLUMNS, ENCODED, _ROWS)
    done = 0
    for looked in Pivot(alignment, annotators, _ROWS).images(_until_stopped(batches, hooks)):
        sums.add(looked, *made.find(looked.keys))
        before, done = done, done + len(looked.keys)
        hooks.progress.advance(done // len(annotators) - before // len(annotators))
    matched, labelled = sums.match()
    sums.count_unseen(np.bincount(made.cells, minlength=len(cells)))
    return Tables(
        prompts=prompts,
        attributes=study.attributes,
        annotators=annotators,
        planned=planned,
        missing=missing_table(sums.missing, cells),
        truths=study.workspace.query("SELECT * FROM truths"),
        aligned=sums.tables(sums.aligned, cells),
        matched=sums.tables(matched, cells),
        labelled=sums.tables(labelled, cells),
        human=alignment.human,
        adjusted=study.suite.adjusted if study.suite else (),
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """The images that were made: their keys, in order, and the cells they belong to."""

    keys: Keys
    cells: NDArray[np.int32]

    @classmethod
    def of(cls, study: Study, cells: pa.Table) -> _Made:
        found = study.workspace.query(_MADE, cells=cells)
        return cls(found["key"].to_numpy(), found["cell"].to_numpy())

    def find(self, keys: Keys) -> tuple[Ints, Ints]:
        """Return image and cell of every place an image belongs to; the same picture may answer several prompts."""
        begins, ends = locate(self.keys, keys)
        counts = ends - begins
        later = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        cells = self.cells[np.repeat(begins, counts) + later]
        return np.repeat(np.arange(len(keys)), counts), cells.astype(np.int64)


def _until_stopped(batches: Iterator[pa.RecordBatch], hooks: Hooks) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        if hooks.stopped():
            return
        yield batch


def _unmade(study: Study, cells: pa.Table) -> Missing:
    """Return why images were not made."""
    missing: Missing = {}
    for row in study.workspace.query(_UNMADE, cells=cells).to_pylist():
        counts = missing.setdefault(("", "", row["reason"]), np.zeros(cells.num_rows, dtype=np.int64))
        counts[row["cell"]] = row["count"]
    return missing


def _labelled(study: Study, human: str) -> Keys:
    """Return the keys of the images that people judged, in order."""
    if not human:
        return np.zeros(0, dtype=np.uint64)
    return np.asarray(study.workspace.query(_LABELLED.format(human=human.replace("'", "''")))["key"].to_numpy())

"""Annotate: let every annotator look at each image it has not judged."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa

from portrayal.annotators import looks_itself
from portrayal.engines import cpu_count
from portrayal.records import Image
from portrayal.store.ledger import Ledger
from portrayal.study.crew import at_a_time
from portrayal.study.hooks import Hooks
from portrayal.study.looking import looked
from portrayal.study.study import Study

__all__ = ["annotate"]

_MADE = """
    SELECT image, any_value(ext) AS ext, any_value(planted) AS planted,
           CASE WHEN image IN (SELECT image FROM shared) THEN 2 ELSE max(prompts.people) END AS people,
           min(prompts.text || prompts.suffix) AS text
    FROM outcomes JOIN chunk ON chunk.id = outcomes.job JOIN prompts ON prompts.id = chunk.prompt
    WHERE status = 'made' GROUP BY image ORDER BY image
"""
# Blanked pictures are all alike. Such a one is judged once, as a picture of two wherever a prompt asked for two.
_SHARED = """
    WITH paired AS (SELECT jobs.id FROM jobs JOIN prompts ON prompts.id = jobs.prompt WHERE people = 2)
    SELECT DISTINCT image FROM outcomes WHERE status = 'made' AND job NOT IN (SELECT id FROM paired)
    AND image IN (SELECT image FROM outcomes WHERE status = 'made' AND job IN (SELECT id FROM paired))
"""
_PENDING = """
    SELECT * FROM made
    ANTI JOIN (SELECT image FROM observations WHERE annotator = '{annotator}') AS judged USING (image)
    ORDER BY image
"""
_COLUMNS = ("image", "ext", "planted", "people", "text")


def annotate(study: Study, hooks: Hooks) -> None:
    """Show every annotator its pending images; each image gets at least one row."""
    ledger = Ledger(study.workspace, hooks.budget)
    for name, (_, annotator) in study.annotators.items():
        if not looks_itself(annotator):
            continue
        pending = sum(table.num_rows for table in pending_images(study, name))
        hooks.progress.start(f"annotate {name}", pending)
        if pending:  # else a stream would load its model for nothing
            _show(study, name, pending, ledger, hooks)
        hooks.progress.finish()


def _show(study: Study, name: str, pending: int, ledger: Ledger, hooks: Hooks) -> None:
    """Let one annotator look, and commit what it sees as it comes."""
    (part, annotator), settings = study.annotators[name], study.config.annotate
    in_flight: set[str] = set()
    size = 1 if at_a_time(annotator) else settings.batch
    batches = _batches(study, name, in_flight, hooks, size)
    workers = min(settings.workers or cpu_count(), -(-pending // size))
    for images, rows in looked(part, batches, ledger, workers):
        study.workspace.tables["observations"].append(rows)
        in_flight.difference_update(images)
        hooks.progress.advance(len(images))


def pending_images(study: Study, annotator: str, in_flight: Collection[str] = ()) -> Iterator[pa.Table]:
    """Yield the images of the plan not yet judged, a chunk of the plan at a time; none for who does not look.

    The same picture may belong to two chunks, the first of which is still being looked at: what is ``in_flight`` when
    the second is begun is left out.
    """
    if not looks_itself(study.annotators[annotator][1]):
        return
    shared = _shared(study)
    sql = _PENDING.format(annotator=annotator.replace("'", "''"))
    for chunk in study.workspace.tables["jobs"].batches():
        # In two steps: knowing how few these are, DuckDB holds them in memory and lets the observations stream by.
        made = study.workspace.query(_MADE, chunk=chunk.select(["id", "prompt"]), shared=shared)
        # Before the query, not after: what is written in between is no longer in flight, and not yet in its result.
        begun = pa.array(list(in_flight), pa.string())
        pending = study.workspace.query(sql, made=made)
        yield pending.filter(pa.compute.invert(pa.compute.is_in(pending["image"], value_set=begun)))


def _shared(study: Study) -> pa.Table:
    """Return the images that belong to prompts for one person and to prompts for two."""
    if study.workspace.query("SELECT DISTINCT people FROM prompts").num_rows < 2:
        return pa.table({"image": pa.array([], pa.string())})
    return study.workspace.query(_SHARED)


def _batches(study: Study, annotator: str, in_flight: set[str], hooks: Hooks, size: int) -> Iterator[list[Image]]:
    for table in pending_images(study, annotator, in_flight):
        for start in range(0, table.num_rows, size):
            if hooks.stopped():
                return
            batch = list(_images(study, table.slice(start, size)))
            in_flight.update(image.id for image in batch)
            yield batch


def _images(study: Study, table: pa.Table) -> Iterator[Image]:
    columns = (table.column(name).to_pylist(maps_as_pydicts="strict") for name in _COLUMNS)
    for image, ext, planted, people, text in zip(*columns, strict=True):
        path: Path | None = study.workspace.images.path(image, ext) if ext else None
        yield Image(image, path, planted, people, text)

"""Annotate: let every annotator look at each image it has not judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa

from portrayal.annotators import Annotator, looks_itself
from portrayal.engines import LocalEngine, cpu_count
from portrayal.errors import PortrayalError
from portrayal.records import OBSERVATION_SCHEMA, Abstention, Image, Observation, to_table
from portrayal.study.hooks import Hooks
from portrayal.study.parts import AnnotatorPart
from portrayal.study.study import Study

__all__ = ["annotate"]

_MADE = """
    SELECT image, any_value(ext) AS ext, any_value(planted) AS planted,
           CASE WHEN image IN (SELECT image FROM shared) THEN 2 ELSE max(prompts.people) END AS people
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


@dataclass(frozen=True, slots=True)
class LookWork:
    """Builds, in any process, the pure function from a batch of images to what is seen in them."""

    part: AnnotatorPart

    def __call__(self) -> Callable[[Sequence[Image]], tuple[list[str], pa.Table]]:
        """Load the annotator and return the function."""
        return partial(_look, self.part.build())


def annotate(study: Study, hooks: Hooks) -> None:
    """Show every annotator its pending images; each image gets at least one row."""
    settings = study.config.annotate
    for name, (part, annotator) in study.annotators.items():
        if not looks_itself(annotator):
            continue
        pending = sum(table.num_rows for table in pending_images(study, name))
        workers = min(settings.workers or cpu_count(), -(-pending // settings.batch))
        hooks.progress.start(f"annotate {name}", pending)
        in_flight: set[str] = set()
        for images, rows in LocalEngine(workers).map(LookWork(part), _batches(study, name, in_flight, hooks)):
            study.workspace.tables["observations"].append(rows)
            in_flight.difference_update(images)
            hooks.progress.advance(len(images))
        hooks.progress.finish()


def pending_images(study: Study, annotator: str) -> Iterator[pa.Table]:
    """Yield the images of the plan not yet judged, a chunk of the plan at a time; none for who does not look."""
    if not looks_itself(study.annotators[annotator][1]):
        return
    shared = _shared(study)
    sql = _PENDING.format(annotator=annotator.replace("'", "''"))
    for chunk in study.workspace.tables["jobs"].batches():
        # In two steps: knowing how few these are, DuckDB holds them in memory and lets the observations stream by.
        made = study.workspace.query(_MADE, chunk=chunk.select(["id", "prompt"]), shared=shared)
        yield study.workspace.query(sql, made=made)


def _shared(study: Study) -> pa.Table:
    """Return the images that belong to prompts for one person and to prompts for two."""
    if study.workspace.query("SELECT DISTINCT people FROM prompts").num_rows < 2:
        return pa.table({"image": pa.array([], pa.string())})
    return study.workspace.query(_SHARED)


def _batches(study: Study, annotator: str, in_flight: set[str], hooks: Hooks) -> Iterator[list[Image]]:
    size = study.config.annotate.batch
    for table in pending_images(study, annotator):
        for start in range(0, table.num_rows, size):
            if hooks.stopped():
                return
            # The same picture may belong to two chunks, the first of which is still being looked at.
            batch = [image for image in _images(study, table.slice(start, size)) if image.id not in in_flight]
            in_flight.update(image.id for image in batch)
            if batch:
                yield batch


def _images(study: Study, table: pa.Table) -> Iterator[Image]:
    columns = (table.column(name).to_pylist(maps_as_pydicts="strict") for name in ("image", "ext", "planted", "people"))
    for image, ext, planted, people in zip(*columns, strict=True):
        path: Path | None = study.workspace.images.path(image, ext) if ext else None
        yield Image(image, path, planted, people)


def _look(annotator: Annotator, images: Sequence[Image]) -> tuple[list[str], pa.Table]:
    """Return the images' names and rows; an annotator that breaks off is asked image by image."""
    names = [image.id for image in images]
    try:
        seen: list[Observation | Abstention] = list(annotator.annotate(images))
    except PortrayalError:
        raise
    except Exception as error:
        if len(images) > 1:
            parts = [_look(annotator, [image])[1] for image in images]
            return names, pa.concat_tables(parts)
        seen = [Abstention(images[0].id, annotator.name, f"annotator_error: {type(error).__name__}")]
    judged = {row.image for row in seen}
    seen += [Abstention(name, annotator.name, "annotator_said_nothing") for name in names if name not in judged]
    return names, to_table(seen, OBSERVATION_SCHEMA)

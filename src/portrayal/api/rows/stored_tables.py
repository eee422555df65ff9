"""A study's tables as a notebook wants them: whole, in Arrow, with names that repeat stored once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from portrayal.records import OBSERVATION_SCHEMA, PROMPT_SCHEMA, to_table
from portrayal.records.codes.note import notes_of
from portrayal.reports.text.notes import plain_notes
from portrayal.store.workspace import Workspace
from portrayal.study.plan.make_plan import asked_prompts
from portrayal.study.study import OpenStudy

__all__ = [
    "drawn_table",
    "measurement_table",
    "names_to_come",
    "observation_table",
    "of_images",
    "prompt_table",
    "with_items",
]

_DRAWN = """
    SELECT DISTINCT image, generator AS model, term FROM outcomes JOIN jobs ON jobs.id = outcomes.job
    JOIN prompts ON prompts.id = jobs.prompt WHERE status = 'made'
"""
_ENCODED = ("image", "annotator", "attribute", "reason")


def measurement_table(workspace: Workspace) -> pa.Table:
    """Return the measurements; ``note`` are their notes in words."""
    measurements = workspace.query("SELECT *, CAST(notes AS VARCHAR) AS note FROM measurements")
    # Few different notes stand in many rows: each is put into words once.
    same = measurements["note"].combine_chunks().dictionary_encode().indices.fill_null(-1).to_numpy()
    _, first, place = np.unique(same, return_index=True, return_inverse=True)
    notes = measurements["notes"].take(pa.array(first)).to_pylist(maps_as_pydicts="strict")
    words = pa.array([plain_notes(notes_of(stored)) for stored in notes], pa.string())
    return measurements.set_column(measurements.num_columns - 1, "note", words.take(pa.array(place)))


def observation_table(workspace: Workspace) -> pa.Table:
    """Return the observations as annotators wrote them."""
    fields = [
        pa.field(field.name, pa.dictionary(pa.int32(), field.type) if field.name in _ENCODED else field.type)
        for field in OBSERVATION_SCHEMA
    ]
    batches = workspace.tables["observations"].scan(OBSERVATION_SCHEMA.names, _ENCODED)
    return pa.Table.from_batches(batches, pa.schema(fields)).unify_dictionaries()


def with_items(table: pa.Table) -> pa.Table:
    """Return measurements with columns for the filters ``term`` and ``category``: the item, in rows of that level."""
    for level in ("term", "category"):
        items = pc.if_else(pc.equal(table["level"], level), table["item"], pa.scalar(None, table["item"].type))
        table = table.append_column(level, items)
    return table


def drawn_table(workspace: Workspace) -> pa.Table:
    """Return which model made which image, and for what term."""
    return workspace.query(_DRAWN)


def of_images(observations: pa.Table, images: pa.ChunkedArray) -> pa.Table:
    """Return the observations of these images."""
    known = pc.unique(images)
    masks = []
    for chunk in observations["image"].chunks:
        codes = pc.indices_nonzero(pc.is_in(chunk.dictionary, value_set=known)).cast(chunk.indices.type)
        masks.append(pc.is_in(chunk.indices, value_set=codes))
    return observations.filter(pa.chunked_array(masks, pa.bool_()))


def prompt_table(study: OpenStudy) -> pa.Table:
    """Return what is asked, planned or not."""
    return to_table(asked_prompts(study), PROMPT_SCHEMA)


def names_to_come(study: OpenStudy) -> dict[str, Sequence[str]]:
    """Return the names that the columns of tables can hold once there are rows, as far as the study says so.

    Models of images that are imported come from those, and methods name attributes, metrics and levels of their own.
    """
    prompts = prompt_table(study)
    asked = {column: prompts[column].unique().to_pylist() for column in ("text", "term", "category")}
    models = [] if study.config.imports else list(study.generators)
    return {
        "prompt": asked["text"],
        "term": asked["term"],
        "category": asked["category"],
        "model": models,
        "generator": models,
        "annotator": list(study.annotators),
        "method": [method.name for method in study.methods],
    }

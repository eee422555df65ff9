"""A study's tables as a notebook wants them: whole, in Arrow, with names that repeat stored once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from portrayal.records import OBSERVATION_SCHEMA, PROMPT_SCHEMA, to_table
from portrayal.records.note import notes_of
from portrayal.reports.notes import plain_notes
from portrayal.store.workspace import Workspace
from portrayal.study.plan import asked_prompts
from portrayal.study.study import OpenStudy

__all__ = ["measurement_table", "names_to_come", "observation_table", "prompt_table"]

_ENCODED = ("image", "annotator", "attribute", "reason")


def measurement_table(workspace: Workspace) -> pa.Table:
    """Return the measurements; ``note`` are their notes in words."""
    found = workspace.query("SELECT *, CAST(notes AS VARCHAR) AS note FROM measurements")
    # Few different notes stand in many rows: each is put into words once.
    same = found["note"].combine_chunks().dictionary_encode().indices.fill_null(-1).to_numpy()
    _, first, place = np.unique(same, return_index=True, return_inverse=True)
    notes = found["notes"].take(pa.array(first)).to_pylist(maps_as_pydicts="strict")
    words = pa.array([plain_notes(notes_of(own)) for own in notes], pa.string())
    return found.set_column(found.num_columns - 1, "note", words.take(pa.array(place)))


def observation_table(workspace: Workspace) -> pa.Table:
    """Return the observations as annotators wrote them."""
    fields = [
        pa.field(own.name, pa.dictionary(pa.int32(), own.type) if own.name in _ENCODED else own.type)
        for own in OBSERVATION_SCHEMA
    ]
    batches = workspace.tables["observations"].scan(OBSERVATION_SCHEMA.names, _ENCODED)
    return pa.Table.from_batches(batches, pa.schema(fields)).unify_dictionaries()


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

"""A study's tables as a notebook wants them: whole, in Arrow, with names that repeat stored once."""

from __future__ import annotations

import pyarrow as pa

from portrayal.records import OBSERVATION_SCHEMA, PROMPT_SCHEMA, to_table
from portrayal.records.note import notes_of
from portrayal.reports.notes import plain_notes
from portrayal.store.workspace import Workspace
from portrayal.study.plan import asked_prompts
from portrayal.study.study import Study as OpenStudy

__all__ = ["measurement_table", "observation_table", "prompt_table"]

_ENCODED = ("image", "annotator", "attribute", "reason")
_WORDED = "SELECT CAST(notes AS VARCHAR) AS stored, any_value(notes) AS notes FROM measurements GROUP BY stored"


def measurement_table(workspace: Workspace) -> pa.Table:
    """Return the measurements; ``note`` are their notes in words."""
    found = workspace.query("SELECT *, CAST(notes AS VARCHAR) AS note FROM measurements")
    # Few different notes stand in many rows: each is put into words once.
    worded = workspace.query(_WORDED)
    stored, notes = worded["stored"].to_pylist(), worded["notes"].to_pylist(maps_as_pydicts="strict")
    words = {text: plain_notes(notes_of(own)) for text, own in zip(stored, notes, strict=True)}
    encoded = found["note"].combine_chunks().dictionary_encode()
    texts = pa.array([words[text] for text in encoded.dictionary.to_pylist()], pa.string())
    return found.set_column(found.num_columns - 1, "note", texts.take(encoded.indices))


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

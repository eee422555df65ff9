from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.records import (
    JOB_SCHEMA,
    MEASUREMENT_SCHEMA,
    OBSERVATION_SCHEMA,
    OUTCOME_SCHEMA,
    PROMPT_SCHEMA,
    Abstention,
    Job,
    Measurement,
    Note,
    Observation,
    Outcome,
    Prompt,
    from_table,
    to_table,
)
from portrayal.records.codes.note import NOTES_TYPE

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
words = st.dictionaries(text, text, max_size=3)
int32, int64 = st.integers(0, 2**31 - 1), st.integers(0, 2**63 - 1)
floats = st.floats(allow_nan=False)
maybe_float = st.none() | floats

prompts = st.builds(Prompt, text, text, text, text, text, text, floats, words)
jobs = st.builds(Job, text, text, text, int32, int64)
outcomes = st.builds(
    Outcome,
    job=text,
    attempt=int32,
    status=st.sampled_from(["made", "refused", "failed"]),
    reason=st.none() | text,
    detail=st.none() | text,
    image=st.none() | text,
    ext=st.none() | text,
    width=st.none() | int32,
    height=st.none() | int32,
    revised_prompt=st.none() | text,
    versions=text,
    planted=st.none() | st.lists(words, max_size=3),
)
notes = st.lists(st.builds(Note, text, words.map(lambda own: tuple(own.items()))), max_size=3).map(tuple)
by_type = {pa.string(): text, pa.float64(): maybe_float, pa.int64(): int64, NOTES_TYPE: notes}
measurements = st.builds(Measurement, **{column.name: by_type[column.type] for column in MEASUREMENT_SCHEMA})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("records", "schema"),
    [(prompts, PROMPT_SCHEMA), (jobs, JOB_SCHEMA), (outcomes, OUTCOME_SCHEMA), (measurements, MEASUREMENT_SCHEMA)],
    ids=["prompt", "job", "outcome", "measurement"],
)
@given(data=st.data())
def test_records_come_back_as_they_went(
    records: st.SearchStrategy[Any], schema: pa.Schema, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(records, max_size=4))
    table = to_table(rows, schema)
    assert table.schema == schema
    assert table.num_rows == len(rows)
    if rows:
        assert list(from_table(table, type(rows[0]))) == rows


boxes = st.none() | st.tuples(int32, int32, int32, int32)
masses = st.none() | st.lists(st.floats(0, 1, width=32), max_size=5).map(tuple)
observations = st.builds(Observation, text, text, int32, text, masses, maybe_float, boxes)
abstentions = st.builds(Abstention, text, text, text, st.none() | int32, st.none() | text, boxes)


@given(st.lists(observations | abstentions))
def test_what_was_seen_and_what_was_not_share_one_table(rows: list[Observation | Abstention]) -> None:
    table = to_table(rows, OBSERVATION_SCHEMA)
    assert table.schema == OBSERVATION_SCHEMA
    for row, stored in zip(rows, table.to_pylist(), strict=True):
        expected = dict.fromkeys(OBSERVATION_SCHEMA.names) | asdict(row)
        lists = {name: None if expected[name] is None else list(expected[name]) for name in ("mass", "box")}
        assert stored == expected | lists
        assert (stored["reason"] is None) == isinstance(row, Observation)


def test_absent_columns_take_the_defaults() -> None:
    assert list(from_table(pa.table({"text": ["a"], "term": ["b"]}), Prompt)) == [Prompt("a", "b")]


def test_extra_columns_are_an_error() -> None:
    with pytest.raises(TypeError, match="colour"):
        list(from_table(pa.table({"text": ["a"], "term": ["b"], "colour": ["red"]}), Prompt))


def test_a_value_of_the_wrong_type_is_an_error() -> None:
    with pytest.raises(pa.ArrowInvalid):
        to_table([Job("a", "b", "c", "first", 0)], JOB_SCHEMA)  # type: ignore[arg-type]  # the mistake under test


@pytest.mark.parametrize("schema", [PROMPT_SCHEMA, JOB_SCHEMA, OUTCOME_SCHEMA, OBSERVATION_SCHEMA, MEASUREMENT_SCHEMA])
def test_no_records_make_an_empty_table(schema: pa.Schema) -> None:
    assert to_table([], schema) == schema.empty_table()


def test_what_is_no_text_is_written_in_numbers() -> None:
    row = Outcome(job="a", attempt=1, status="failed", reason="generator_error", detail="no file 'caf\udce9.png'")
    assert to_table([row, replace(row, detail="é")], OUTCOME_SCHEMA)["detail"].to_pylist() == [
        "no file 'caf\\udce9.png'",
        "é",
    ]

from __future__ import annotations

from dataclasses import fields

from portrayal.records import SPENDING_SCHEMA, Spending, from_table, to_table

ROWS = [
    Spending("a1", "openai@1:dall-e-3", "job-1", 0.04, settled=False),
    Spending("a1", "openai@1:dall-e-3", "job-1", 0.0, settled=True),
]


def test_rows_survive_the_table() -> None:
    table = to_table(ROWS, SPENDING_SCHEMA)
    assert table.schema == SPENDING_SCHEMA
    assert list(from_table(table, Spending)) == ROWS


def test_the_columns_are_the_fields() -> None:
    assert SPENDING_SCHEMA.names == [field.name for field in fields(Spending)]

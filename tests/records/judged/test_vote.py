from __future__ import annotations

from dataclasses import fields

from portrayal.records import VOTE_SCHEMA, Vote, from_table, to_table

PROMPT = ("p1", "nurse", "health", "en", "direct")
IMAGES = ("11.png", "22.png")
ROWS = [
    Vote("b1", "ann", 1, *PROMPT, "bias", "one", "two", *IMAGES, "0", 4.5, 1_700_000_000.25),
    Vote("b1", "ann", 1, *PROMPT, "quality", "one", "two", *IMAGES, "skip", 4.5, 1_700_000_000.25),
]


def test_rows_survive_the_table() -> None:
    table = to_table(ROWS, VOTE_SCHEMA)
    assert table.schema == VOTE_SCHEMA
    assert list(from_table(table, Vote)) == ROWS


def test_the_columns_are_the_fields() -> None:
    assert VOTE_SCHEMA.names == [field.name for field in fields(Vote)]

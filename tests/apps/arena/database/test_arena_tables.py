from __future__ import annotations

from portrayal.apps.arena.database.open_arena import METADATA


def test_what_tells_rows_apart_and_what_may_be_empty() -> None:
    keys = {table.name: [column.name for column in table.primary_key] for table in METADATA.sorted_tables}
    rows = {"arena_raters": ["id"], "arena_battles": ["rater", "number"], "arena_votes": ["battle", "aspect"]}
    assert {name: keys[name] for name in rows} == rows
    empty = {(table.name, column.name) for table in METADATA.sorted_tables for column in table.c if column.nullable}
    assert empty == {
        ("arena_raters", "consented_at"),
        ("arena_raters", "answers"),
        *((name, "row_crc32") for name in rows),  # of an older version
    }

"""Columns of the tables: which may be empty."""

from __future__ import annotations

from portrayal.apps.graph.database.open_answers import METADATA


def test_only_what_has_not_happened_yet_and_no_relation_are_empty() -> None:
    empty = {(table.name, column.name) for table in METADATA.sorted_tables for column in table.c if column.nullable}
    assert empty == {
        ("graph_annotators", "consented_at"),
        ("graph_judgements", "types"),
        *((name, "row_crc32") for name in ("graph_annotators", "graph_judgements")),  # of an older version
    }

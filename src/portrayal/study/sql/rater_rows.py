"""Raters in a server's database: a table for each kind of server, and the way there and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Boolean, Column, Connection, Double, MetaData, Table, Text

from portrayal.errors import DamagedError
from portrayal.jsonfile import parse_json
from portrayal.study.sql.noun_rows import checksum_column, put, row_of, rows_of
from portrayal.study.sql.rater import Rater

__all__ = ["make_raters_table", "put_raters", "read_raters"]


def make_raters_table(name: str, metadata: MetaData) -> Table:
    """Return a table of raters."""
    return Table(
        name,
        metadata,
        Column("id", Text, primary_key=True),
        Column("token_hash", Text, nullable=False, unique=True),
        Column("label", Text, nullable=False),
        Column("language", Text, nullable=False),
        Column("invited_at", Double, nullable=False),
        Column("consented_at", Double),
        Column("answers", Text),
        Column("excluded", Boolean, nullable=False),
        checksum_column(),
    )


def put_raters(connection: Connection, table: Table, raters: Iterable[Rater]) -> None:
    """Insert raters, or update those that are there."""
    put(connection, table, [_row(table, rater) for rater in raters])


def read_raters(connection: Connection, table: Table) -> Iterator[Rater]:
    """Yield all raters in the order in which they were invited."""
    return map(_rater, rows_of(connection, table, table.c.invited_at, table.c.id))


def _row(table: Table, rater: Rater) -> dict[str, Any]:
    answers = None if rater.answers is None else json.dumps(dict(rater.answers))
    return {**row_of(table, rater), "answers": answers}


def _rater(row: Mapping[str, Any]) -> Rater:
    answers = None if row["answers"] is None else parse_json(row["answers"], f"the table of raters, {row['id']!r:.80}")
    if not isinstance(answers, dict | None):
        raise DamagedError(f"the table of raters is damaged: {row['id']!r:.80} has no answers by question")
    return Rater(**{**row, "answers": answers})

"""What the tables of any server's database share."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Connection, MetaData, Table, Text
from sqlalchemy.dialects import postgresql, sqlite

__all__ = ["make_meta_table", "put", "row_of"]


def make_meta_table(name: str, metadata: MetaData) -> Table:
    """Return a table of what the database knows of itself."""
    return Table(name, metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))


def row_of(table: Table, noun: object) -> dict[str, Any]:
    """Return the row of a noun whose fields are called as the columns are."""
    return {column.name: getattr(noun, column.name) for column in table.columns}


def put(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows, or update those that are there."""
    if not rows:
        return
    # Both databases spell "insert, or else update" alike, but SQLAlchemy has a class for each.
    insert = (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(table)
    keys = table.primary_key.columns
    others = {column.name: insert.excluded[column.name] for column in table.columns if column not in set(keys)}
    connection.execute(insert.on_conflict_do_update(index_elements=list(keys), set_=others), rows)

"""Rows into a table, over those with the same key."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

__all__ = ["put"]


def put(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows, or update those that are there."""
    if not rows:
        return
    # Both databases spell "insert, or else update" alike, but SQLAlchemy has a class for each.
    insert = (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(table)
    keys = table.primary_key.columns
    others = {column.name: insert.excluded[column.name] for column in table.columns if column not in set(keys)}
    connection.execute(insert.on_conflict_do_update(index_elements=list(keys), set_=others), rows)

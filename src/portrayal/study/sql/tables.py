"""What the tables of any server's database share."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, MetaData, Table, Text

__all__ = ["make_meta_table", "row_of"]


def make_meta_table(name: str, metadata: MetaData) -> Table:
    """Return a table of what the database knows of itself."""
    return Table(name, metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))


def row_of(table: Table, noun: object) -> dict[str, Any]:
    """Return the row of a noun whose fields are called as the columns are."""
    return {column.name: getattr(noun, column.name) for column in table.columns}

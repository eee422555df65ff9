"""What the tables of any server's database share: rows of nouns, each with the checksum of what it says.

SQLite finds damage to its own structure, and none to what a cell says. A row without a checksum was written by an older
version.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Column, Connection, Double, MetaData, Table, Text, inspect, select, text
from sqlalchemy.dialects import postgresql, sqlite

from portrayal.errors import DamagedError

__all__ = ["add_checksums", "check_structure", "checksum_column", "make_meta_table", "put", "row_of", "rows_of"]

_CHECKSUM = "row_crc32"


def checksum_column() -> Column[str]:
    """Return the column of a table that holds the checksums of its rows."""
    return Column(_CHECKSUM, Text)


def make_meta_table(name: str, metadata: MetaData) -> Table:
    """Return a table of what the database knows of itself."""
    return Table(name, metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))


def row_of(table: Table, noun: object) -> dict[str, Any]:
    """Return the row of a noun whose fields are called as the columns are."""
    return {column.name: getattr(noun, column.name) for column in _told(table)}


def put(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows, or update those that are there."""
    if not rows:
        return
    # Both databases spell "insert, or else update" alike, but SQLAlchemy has a class for each.
    insert = (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(table)
    keys = table.primary_key.columns
    others = {column.name: insert.excluded[column.name] for column in table.columns if column not in set(keys)}
    summed = [{**row, _CHECKSUM: _checksum(table, row)} for row in rows]
    connection.execute(insert.on_conflict_do_update(index_elements=list(keys), set_=others), summed)


def rows_of(connection: Connection, table: Table, *order: Column[Any]) -> Iterator[dict[str, Any]]:
    """Yield all rows, each compared with its checksum."""
    known = _has_checksums(connection, table)
    for row in connection.execute(select(*table.columns if known else _told(table)).order_by(*order)).mappings():
        told = dict(row)
        promised = told.pop(_CHECKSUM, None)
        if promised is not None and promised != _checksum(table, told):
            raise DamagedError(
                f"the table {table.name} is damaged: a row does not say what was written; put a copy back"
            )
        yield told


def add_checksums(connection: Connection, metadata: MetaData) -> None:
    """Give tables of an older version the column; rows get their checksums when they are written again."""
    for table in metadata.tables.values():
        if _CHECKSUM in table.columns and not _has_checksums(connection, table):
            connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {_CHECKSUM} TEXT"))


def check_structure(connection: Connection) -> None:
    """Let SQLite look for damage to its own structure, which can hide rows; PostgreSQL looks after its own."""
    if connection.dialect.name == "sqlite":
        said = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
        if said != "ok":
            raise DamagedError(f"the database is damaged ({' '.join(str(said).split())}); put a copy back")


def _has_checksums(connection: Connection, table: Table) -> bool:
    return any(column["name"] == _CHECKSUM for column in inspect(connection).get_columns(table.name))


def _told(table: Table) -> list[Column[Any]]:
    return [column for column in table.columns if column.name != _CHECKSUM]


def _checksum(table: Table, row: Mapping[str, Any]) -> str:
    names, fractions = _columns(table)
    cells = [row[name] for name in names]
    for place in fractions:
        if isinstance(cells[place], int):  # comes back from the database as a fraction
            cells[place] = float(cells[place])
    return f"{zlib.crc32(repr(cells).encode('utf-8', 'surrogatepass')):08x}"


@functools.cache
def _columns(table: Table) -> tuple[list[str], list[int]]:
    """Return the names of columns, and the places of those for fractions: a table never changes, and rows are many."""
    columns = _told(table)
    return [one.name for one in columns], [n for n, one in enumerate(columns) if isinstance(one.type, Double)]

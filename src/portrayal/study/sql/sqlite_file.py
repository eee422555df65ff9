"""A file of SQLite that may be somebody else's: what in it could do more than hold rows is refused before it is used.

A view or a trigger runs while rows are read or written, a condition of a table while its structure is looked through,
and each can ask for all memory. A log that a crash left is played back when the file is opened; it may name another
file, which SQLite then deletes.
"""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path

from portrayal.errors import DamagedError
from portrayal.inputfile import open_regular
from portrayal.store.own_files import check_own

__all__ = ["check_beside", "only_rows"]

LONGEST = 2**24
"""Bytes of a row."""
_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
"""How a log ends that names a file beside it: of several databases that are changed together, as ours never are."""
_TABLE = re.compile(r'CREATE TABLE\s+"?\w+"?\s*\([\w\s,()"]*\)', re.IGNORECASE)
_MORE = re.compile(r"\b(check|as)\s*\(|\b(generated|default|references|collate)\b", re.IGNORECASE)
_ADVICE = "put a copy back, or begin with a new one"


def check_beside(path: Path) -> None:
    """Raise an error when what SQLite keeps beside a database would have it write or delete another file."""
    for ending in ("-journal", "-wal", "-shm"):
        check_own(path.with_name(path.name + ending))
    log = path.with_name(f"{path.name}-journal")
    try:
        with open_regular(log) as file:
            file.seek(max(os.fstat(file.fileno()).st_size - len(_NAMES_ANOTHER), 0))
            end = file.read(len(_NAMES_ANOTHER))
    except FileNotFoundError:
        return
    if end == _NAMES_ANOTHER:
        raise DamagedError(f"{log}: names another file, which SQLite would delete; delete this one")


def only_rows(connection: sqlite3.Connection) -> None:
    """Raise an error when a database holds more than plain tables, and read no longer rows than ours are."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    connection.execute("PRAGMA trusted_schema = OFF")
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        plain = kind == "table" and isinstance(sql, str) and _TABLE.fullmatch(sql.strip()) and not _MORE.search(sql)
        if not plain and not (kind == "index" and sql is None):  # the index of a key
            raise DamagedError(f"the database holds the {kind} {name!r:.80}, which Portrayal does not make; {_ADVICE}")

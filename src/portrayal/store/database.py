"""DuckDB in memory, for the queries of one study."""

from __future__ import annotations

import atexit
import contextlib
import threading
import uuid
import weakref
from collections.abc import Iterator
from pathlib import Path

import duckdb

from portrayal.store.files import TEMPORARY

__all__ = ["Database"]

# Only tables registered by name may be read, not any Python variable that happens to be called like one.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": "1GB",
    "preserve_insertion_order": True,
    "python_enable_replacements": False,
    "enable_external_file_cache": False,
}
_INTERRUPTED = "Query interrupted"
"""All that DuckDB says when a signal comes in the middle of its work."""


class Database:
    """A database that is started when first asked: that takes longer than most queries.

    What does not fit into memory goes to a folder in ``root``, apart from what others ask at the same time.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._started: tuple[duckdb.DuckDBPyConnection, Path] | None = None
        self._starting = threading.Lock()
        _DATABASES.add(self)

    @contextlib.contextmanager
    def connect(self, *, large: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """Connect to it; temporary views are this connection's own.

        For a ``large`` query it is started anew and stopped afterwards, which gives back all of its memory.
        """
        with self._starting:
            database, spill = (None if large else self._started) or self._start()
            if not large:
                self._started = database, spill
            connection = database.cursor()
        del database
        try:
            with connection:
                connection.execute("SET enable_progress_bar = false")  # it would print into a command's results
                yield connection
        except RuntimeError as error:
            if str(error) == _INTERRUPTED:  # what the handler of the signal raised is lost in there
                raise KeyboardInterrupt from None
            raise
        finally:
            if spill.exists():
                self.stop()  # takes the folder with it

    def stop(self) -> None:
        """Give back its memory, once nobody asks any more."""
        self._started = None

    def _start(self) -> tuple[duckdb.DuckDBPyConnection, Path]:
        spill = self._root / f"{TEMPORARY}{uuid.uuid4().hex}"
        return duckdb.connect(config={**_CONFIG, "temp_directory": str(spill)}), spill


_DATABASES: weakref.WeakSet[Database] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """Stop what is still held somewhere when the program ends, or DuckDB complains about it to the user."""
    for database in list(_DATABASES):
        database.stop()

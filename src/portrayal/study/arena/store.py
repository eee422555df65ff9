"""The arena's database: one server at a time, and what it acknowledged is on disk."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection, insert, inspect, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from portrayal.arena.battles.battle import Change
from portrayal.errors import StudyError
from portrayal.store.files import storage_errors
from portrayal.study.arena.database import (
    DatabaseAddress,
    database_error,
    lock_server,
    locked_error,
    make_engine,
    parse_database_address,
)
from portrayal.study.arena.tables import METADATA, meta_table, read_all, write_all

__all__ = ["ArenaStore", "read_arena"]

SCHEMA = "1"
"""Raised when the tables change, so that an older program leaves newer votes alone."""

_OWN_FOLDER, _OWN_FILE = 0o700, 0o600
"""Rights of what is made here: whoever reads the secret in it can vote for anyone. What is there keeps its rights."""


class ArenaStore:
    """An open arena. The lock lasts until :meth:`close` or until the process ends, however it ends.

    One thread at a time may use it. In PostgreSQL the lock belongs to the connection that writes: a server that lost
    its connection cannot write before it has the lock again.
    """

    def __init__(self, address: DatabaseAddress) -> None:
        self._address = address
        self._engine = make_engine(address)
        self._lock: FileLock | None = None
        self._connection: Connection | None = None

    @classmethod
    def open(cls, database: str, root: Path) -> ArenaStore:
        """Open the arena of the study in ``root``, made if need be; a one-line error if another server has it."""
        store = cls(parse_database_address(database, root))
        try:
            store._lock_file()
            with store._errors():
                store._connected()
                store._prepare()
        except BaseException:
            store.close()
            raise
        return store

    def load(self) -> Change:
        """Return every rater and battle as they stand."""
        with self._errors(), self._connected().begin():
            return read_all(self._connected())

    def secret(self) -> bytes:
        """Return the arena's own secret, made when the arena was made."""
        with self._errors(), self._connected().begin():
            return bytes.fromhex(_meta(self._connected(), "secret"))

    def write(self, changes: Iterable[Change]) -> None:
        """Commit changes, all or none; when this returns they are on disk. One that failed can be tried again."""
        changes = list(changes)
        with self._errors():
            try:
                self._write(changes)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                # The database was restarted, say. Writing again is safe even if the first time came through.
                self._drop_connection()
                self._write(changes)

    def close(self) -> None:
        """Give the database and the lock back."""
        self._drop_connection()
        self._engine.dispose()
        if self._lock is not None:
            self._lock.release()

    def _write(self, changes: list[Change]) -> None:
        connection = self._connected()
        with connection.begin():
            write_all(connection, changes)

    def _connected(self) -> Connection:
        if self._connection is None:
            connection = self._engine.connect()
            try:
                if self._address.file is None:
                    lock_server(connection, self._address)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError):  # it is broken, or it is not needed any more
                connection.close()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn trouble with the database into one line, and begin the next time with a new connection."""
        try:
            yield
        except SQLAlchemyError as error:
            self._drop_connection()
            raise database_error(self._address, error) from error

    def _lock_file(self) -> None:
        if self._address.file is None:
            return
        with storage_errors(self._address.file):
            folder = self._address.file.parent
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=_OWN_FOLDER, exist_ok=True)
            # Held by the process, not by the thread that happens to open the arena.
            lock = FileLock(f"{self._address.file}.lock", timeout=0, thread_local=False)
            try:
                lock.acquire()
            except Timeout:
                raise locked_error(self._address) from None
            self._lock = lock
            self._address.file.touch(_OWN_FILE)  # SQLite gives the files beside it the same rights

    def _prepare(self) -> None:
        connection = self._connected()
        with connection.begin():
            METADATA.create_all(connection)
            if connection.execute(select(meta_table.c.key).limit(1)).first() is None:
                about = {"schema": SCHEMA, "secret": secrets.token_hex(32)}
                connection.execute(insert(meta_table), [{"key": key, "value": value} for key, value in about.items()])
            _check_schema(connection, self._address)


def read_arena(database: str, root: Path) -> Change:
    """Return every rater and battle of an arena, without taking it from the server that may be running."""
    address = parse_database_address(database, root)
    missing = StudyError(f"{address.name}: no votes here yet; start the arena with: portrayal arena serve {root}")
    if address.file is not None and not address.file.exists():
        raise missing
    engine = make_engine(address)
    try:
        with engine.connect() as connection, connection.begin():
            if not inspect(connection).has_table(meta_table.name):
                raise missing
            _check_schema(connection, address)
            return read_all(connection)
    except SQLAlchemyError as error:
        raise database_error(address, error) from error
    finally:
        engine.dispose()


def _check_schema(connection: Connection, address: DatabaseAddress) -> None:
    if (found := _meta(connection, "schema")) != SCHEMA:
        raise StudyError(
            f"{address.name}: the votes were written by another version of Portrayal "
            f"(schema {found}, this one has {SCHEMA}); use that version"
        )


def _meta(connection: Connection, key: str) -> str:
    return str(connection.execute(select(meta_table.c.value).where(meta_table.c.key == key)).scalar_one())

"""A server's database: one server at a time, and what it acknowledged is on disk."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from filelock import Timeout
from sqlalchemy import Connection, MetaData, Table, insert, inspect, select, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from portrayal.errors import DamagedError, StudyError
from portrayal.store.files import storage_errors
from portrayal.store.lock import HeldLock
from portrayal.study.sql.database import DatabaseAddress, database_error, lock_server, locked_error, make_engine
from portrayal.study.sql.noun_rows import add_checksums, check_structure

__all__ = ["Layout", "ServerStore", "read_answers"]

T = TypeVar("T")

_OWN_FOLDER, _OWN_FILE = 0o700, 0o600
"""Rights of what is made here: whoever reads the secret in it can answer for anyone. What is there keeps its rights."""


@dataclass(frozen=True)
class Layout(Generic[T]):
    """The tables of one kind of ``server``: how all is read from them, and how changes are written.

    ``schema`` is raised when the tables change, so that an older program leaves newer answers alone. ``answers`` is
    what messages call what people said.
    """

    server: str
    answers: str
    schema: str
    metadata: MetaData
    meta: Table
    read: Callable[[Connection], T]
    write: Callable[[Connection, Iterable[T]], None]
    instead: str = ""
    """What can be done while another server has the database."""
    older: tuple[str, ...] = ("1",)
    """Schemas that are brought up to date when a server opens the database; the first had no checksums of rows."""


class ServerStore(Generic[T]):
    """A server's open database. The lock lasts until :meth:`close` or until the process ends, however it ends.

    One thread at a time may use it. In PostgreSQL the lock belongs to the connection that writes: a server that lost
    its connection cannot write before it has the lock again.
    """

    def __init__(self, address: DatabaseAddress, layout: Layout[T]) -> None:
        self._address, self._layout = address, layout
        self._engine = make_engine(address)
        self._lock: HeldLock | None = None
        self._connection: Connection | None = None

    @classmethod
    def open(cls, address: DatabaseAddress, layout: Layout[T]) -> ServerStore[T]:
        """Open a database, made if need be; a one-line error if another server has it."""
        store = cls(address, layout)
        try:
            store._lock_file()
            with store._errors(), _damage(address):
                store._connected()
                store._prepare()
        except BaseException:
            store.close()
            raise
        return store

    def load(self) -> T:
        """Return all that is there."""
        with self._errors(), _damage(self._address), self._connected().begin():
            check_structure(self._connected())
            return self._layout.read(self._connected())

    def secret(self) -> bytes:
        """Return the database's own secret, made when it was made."""
        with self._errors(), self._connected().begin():
            return bytes.fromhex(_meta(self._connected(), self._layout, "secret"))

    def write(self, changes: Iterable[T]) -> None:
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

    def _write(self, changes: list[T]) -> None:
        connection = self._connected()
        with connection.begin():
            self._layout.write(connection, changes)
            self.check_lock()

    def check_lock(self) -> None:
        """Raise an error when somebody deleted the lock file: another server may write the same answers."""
        if self._lock is not None:
            self._lock.check()

    def _connected(self) -> Connection:
        if self._connection is None:
            connection = self._engine.connect()
            try:
                if self._address.file is None:
                    lock_server(connection, self._address, self._layout.server, self._layout.instead)
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
            try:
                self._lock = HeldLock(self._address.file.with_name(f"{self._address.file.name}.lock"))
            except Timeout:
                raise locked_error(self._address, self._layout.server, self._layout.instead) from None
            self._address.file.touch(_OWN_FILE)  # SQLite gives the files beside it the same rights

    def _prepare(self) -> None:
        connection, layout = self._connected(), self._layout
        with connection.begin():
            layout.metadata.create_all(connection)
            if connection.execute(select(layout.meta.c.key).limit(1)).first() is None:
                about = {"schema": layout.schema, "secret": secrets.token_hex(32)}
                connection.execute(insert(layout.meta), [{"key": key, "value": value} for key, value in about.items()])
            _check_schema(connection, self._address, layout)
            if _meta(connection, layout, "schema") != layout.schema:
                add_checksums(connection, layout.metadata)
                connection.execute(update(layout.meta).where(layout.meta.c.key == "schema").values(value=layout.schema))


def read_answers(address: DatabaseAddress, layout: Layout[T], start: str) -> T:
    """Return all that is there, without taking it from the server that may be running.

    Where there is nothing, the message says to ``start`` the server with a command.
    """
    missing = StudyError(f"{address.name}: no {layout.answers} here yet; start the {layout.server} with: {start}")
    if address.file is not None and not address.file.exists():
        raise missing
    engine = make_engine(address)
    try:
        with _damage(address), engine.connect() as connection, connection.begin():
            if not inspect(connection).has_table(layout.meta.name):
                raise missing
            _check_schema(connection, address, layout)
            check_structure(connection)
            return layout.read(connection)
    except SQLAlchemyError as error:
        raise database_error(address, error) from error
    finally:
        engine.dispose()


@contextlib.contextmanager
def _damage(address: DatabaseAddress) -> Iterator[None]:
    """Say of which database a damaged row is; and whatever else comes of a file that says what nobody wrote."""
    try:
        yield
    except DamagedError as error:
        raise DamagedError(f"{address.name}: {error}") from None
    except (ValueError, TypeError, LookupError) as error:
        line = next(iter(str(error).splitlines()), type(error).__name__)
        raise DamagedError(f"{address.name}: the database is damaged ({line}); put a copy back") from error


def _check_schema(connection: Connection, address: DatabaseAddress, layout: Layout[T]) -> None:
    if (schema := _meta(connection, layout, "schema")) not in (layout.schema, *layout.older):
        raise StudyError(
            f"{address.name}: the {layout.answers} were written by another version of Portrayal "
            f"(schema {schema}, this one has {layout.schema}); use that version"
        )


def _meta(connection: Connection, layout: Layout[T], key: str) -> str:
    return str(connection.execute(select(layout.meta.c.value).where(layout.meta.c.key == key)).scalar_one())

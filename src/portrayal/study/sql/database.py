"""A server's database: a file of SQLite, or a PostgreSQL database that the user names.

Every commit is durable, and in PostgreSQL one server at a time holds the lock.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError

from portrayal.errors import ConfigError, MissingExtraError, StorageError, StudyLockedError
from portrayal.study.sql.sqlite_file import check_beside, only_rows

__all__ = ["DatabaseAddress", "database_error", "lock_server", "locked_error", "make_engine", "parse_database_address"]

_WAIT = 1000
"""Milliseconds to wait for the lock in PostgreSQL, which takes a moment to notice that a server was killed."""
_LOCK = (
    f"SET lock_timeout = {_WAIT}",
    "SELECT pg_advisory_lock(hashtext(:server), hashtext(current_schema()))",
    "SET lock_timeout = 0",
    # What was acknowledged is on disk, even in a database that is set to promise less.
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
)
_PATIENCE = {"connect_timeout": 10, "tcp_user_timeout": 10_000, "keepalives_idle": 10}
"""Seconds, but milliseconds in the middle, until a server that does not answer counts as gone."""

_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """A database. ``name`` is what messages call it, without user and password; ``file`` is None for a server."""

    url: URL
    name: str
    file: Path | None


def parse_database_address(database: str, file: Path) -> DatabaseAddress:
    """Return the database that ``database`` names, or without one that in ``file``."""
    if not database:
        return _file(file)
    try:
        url = make_url(database)
    except (ArgumentError, ValueError):  # the latter for a port that is none
        url = None
    # A wrong one is not repeated: it may hold a password.
    if url is None or url.drivername not in ("sqlite", *_POSTGRES) or not url.database:
        raise ConfigError("--database: must be like postgresql://user:password@host/name or sqlite:///path/to/file")
    if url.drivername != "sqlite" and "@" in f"{url.host}{url.database}":  # the rest of a password, and no host
        raise ConfigError("--database: more than one @ in it; write one in a password as %40, and / as %2F")
    if url.drivername == "sqlite":
        return _file(Path(url.database))
    if importlib.util.find_spec("psycopg") is None:
        raise MissingExtraError('--database: PostgreSQL needs psycopg: run pip install "portrayal[postgres]"')
    name = f"PostgreSQL database {url.database!r} on {url.host or 'this machine'}"
    return DatabaseAddress(url.set(drivername="postgresql+psycopg"), name, None)


def _file(path: Path) -> DatabaseAddress:
    return DatabaseAddress(URL.create("sqlite", database=str(path)), str(path), path)


def make_engine(address: DatabaseAddress) -> Engine:
    """Return an engine that opens a connection whenever it is asked for one; nothing is opened yet."""
    # Several reads in one transaction see the same state, in either database.
    if address.file is None:
        options: Any = {"connect_args": _PATIENCE, "isolation_level": "REPEATABLE READ"}
        return create_engine(address.url, poolclass=NullPool, **options)
    check_beside(address.file)
    engine = create_engine(address.url, poolclass=NullPool)
    event.listen(engine, "connect", _make_durable)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def _make_durable(connection: Any, _: object) -> None:
    """Let readers and the writer of a SQLite file work side by side, and every commit reach the disk."""
    connection.isolation_level = None  # or Python's driver begins a transaction only at the first write
    only_rows(connection)
    for pragma in ("busy_timeout = 10000", "journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")


def lock_server(connection: Connection, address: DatabaseAddress, server: str, instead: str = "") -> None:
    """Make this connection the one such ``server`` of a PostgreSQL database, until it is closed."""
    try:
        for statement in _LOCK:
            connection.execute(text(statement), {"server": f"portrayal.{server}"} if ":server" in statement else {})
        connection.commit()  # the lock is the connection's, not the transaction's
    except OperationalError as error:
        if getattr(error.orig, "sqlstate", "") == "55P03":  # lock_not_available
            raise locked_error(address, server, instead) from None
        raise


def locked_error(address: DatabaseAddress, server: str, instead: str = "") -> StudyLockedError:
    """Return the error that another server has the database; ``instead`` is what can be done without stopping it."""
    other = f", or {instead}" if instead else ""
    return StudyLockedError(f"{address.name}: another {server} server is using it; stop that one first{other}")


def database_error(address: DatabaseAddress, error: SQLAlchemyError) -> StorageError:
    """Return what the database complains about as one line."""
    reason = str(getattr(error, "orig", None) or type(error).__name__).strip().partition("\n")[0]
    return StorageError(f"{address.name}: the database refused: {reason}")

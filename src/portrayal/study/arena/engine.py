"""Connections to the arena's database: durable in SQLite, and in PostgreSQL one server's at a time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, NullPool, create_engine, event, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from portrayal.errors import StorageError, StudyLockedError
from portrayal.study.arena.address import Address

__all__ = ["lock_server", "make_engine", "taken", "trouble"]

_WAIT = 1000
"""Milliseconds to wait for the lock in PostgreSQL, which takes a moment to notice that a server was killed."""
_LOCK = (
    f"SET lock_timeout = {_WAIT}",
    "SELECT pg_advisory_lock(hashtext('portrayal.arena'), hashtext(current_schema()))",
    "SET lock_timeout = 0",
    # An acknowledged vote is on disk, even in a database that is set to promise less.
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
)
_PATIENCE = {"connect_timeout": 10, "tcp_user_timeout": 10_000, "keepalives_idle": 10}
"""Seconds, but milliseconds in the middle, until a server that does not answer counts as gone."""


def make_engine(address: Address) -> Engine:
    """Return an engine that opens a connection whenever it is asked for one; nothing is opened yet."""
    # Several reads in one transaction see the same state, in either database.
    if address.file is None:
        options: Any = {"connect_args": _PATIENCE, "isolation_level": "REPEATABLE READ"}
        return create_engine(address.url, poolclass=NullPool, **options)
    engine = create_engine(address.url, poolclass=NullPool)
    event.listen(engine, "connect", _make_durable)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def _make_durable(connection: Any, _: object) -> None:
    """Let readers and the writer of a SQLite file work side by side, and every commit reach the disk."""
    connection.isolation_level = None  # or Python's driver begins a transaction only at the first write
    for pragma in ("busy_timeout = 10000", "journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")


def lock_server(connection: Connection, address: Address) -> None:
    """Make this connection the one arena server of a PostgreSQL database, until it is closed."""
    try:
        for statement in _LOCK:
            connection.execute(text(statement))
        connection.commit()  # the lock is the connection's, not the transaction's
    except OperationalError as error:
        if getattr(error.orig, "sqlstate", "") == "55P03":  # lock_not_available
            raise taken(address) from None
        raise


def taken(address: Address) -> StudyLockedError:
    """Return the error that another server has the arena."""
    return StudyLockedError(
        f"{address.name}: another arena server is using it; stop that one first, or use its admin page"
    )


def trouble(address: Address, error: SQLAlchemyError) -> StorageError:
    """Return trouble with the database as one line."""
    reason = str(getattr(error, "orig", None) or type(error).__name__).strip().partition("\n")[0]
    return StorageError(f"{address.name}: the database refused: {reason}")

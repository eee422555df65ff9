"""Where an arena's votes are kept: a file of SQLite in the study, or a database the user names."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from portrayal.errors import ConfigError, MissingExtraError

__all__ = ["Address", "read_address"]

_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")


@dataclass(frozen=True, slots=True)
class Address:
    """A database. ``name`` is what messages call it, without user and password; ``file`` is None for a server."""

    url: URL
    name: str
    file: Path | None


def read_address(database: str, root: Path) -> Address:
    """Return the database that ``database`` names, or without one ``arena/votes.sqlite`` in the study."""
    if not database:
        return _file(root / "arena" / "votes.sqlite")
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
    return Address(url.set(drivername="postgresql+psycopg"), name, None)


def _file(path: Path) -> Address:
    return Address(URL.create("sqlite", database=str(path)), str(path), path)

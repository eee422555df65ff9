from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from portrayal.errors import ConfigError, MissingExtraError
from portrayal.study.sql.database import parse_database_address

FILE = Path("study/arena/votes.sqlite")


def test_without_a_name_answers_are_kept_in_the_file() -> None:
    address = parse_database_address("", FILE)
    assert (address.file, address.name) == (FILE, "study/arena/votes.sqlite")


def test_a_sqlite_file_may_lie_elsewhere() -> None:
    assert parse_database_address("sqlite:////srv/votes.db", FILE).file == Path("/srv/votes.db")


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_postgres_is_named_without_user_and_password(scheme: str) -> None:
    address = parse_database_address(f"{scheme}://ann:secret@db.example/arena?password=secret", FILE)
    assert address.url.drivername == "postgresql+psycopg"
    assert address.file is None
    assert address.name == "PostgreSQL database 'arena' on db.example"


@pytest.mark.parametrize(
    "database",
    [
        "mysql://ann:secret@db/arena",
        "ann:secret@db",
        "postgresql://ann:secret@db",
        "sqlite://",
        "://",
        "postgresql://ann:secret/arena",
        "postgresql://ann:secret",
        "postgresql://ann:x@db:secret/arena",
        "postgresql://[::1/secret",
    ],
)
def test_another_database_is_refused_without_repeating_it(database: str) -> None:
    with pytest.raises(ConfigError, match="--database: must be like postgresql://") as caught:
        parse_database_address(database, FILE)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("database", ["postgresql://ann:my@secret@db/arena", "postgresql://ann/my@secret@db/arena"])
def test_a_password_that_is_not_escaped_is_not_taken_for_a_host(database: str) -> None:
    with pytest.raises(ConfigError, match="as %40") as caught:
        parse_database_address(database, FILE)
    assert "secret" not in str(caught.value)
    assert parse_database_address("postgresql://ann:my%40secret@db/arena", FILE).name.endswith("on db")


def test_postgres_needs_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r'pip install "portrayal\[postgres\]"'):
        parse_database_address("postgresql://db/arena", FILE)

"""A database in a stranger's study holds rows and nothing that runs, and opening it touches no other file."""

from __future__ import annotations

import sqlite3
import struct
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from portrayal.apps.arena.database.open_arena import open_arena, read_arena
from portrayal.apps.graph.database.open_answers import open_answers
from portrayal.errors import DamagedError, StudyError
from portrayal.study.sql.sqlite_file import LONGEST, check_beside, only_rows

Make = Callable[..., Path]
Cli = Callable[..., subprocess.CompletedProcess[str]]
SECTOR, PAGE = 512, 4096
MAGIC = bytes.fromhex("d9d505f920a163d7")
ALL_MEMORY = "zeroblob(900000000)"


def made(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


def log_naming(other: Path) -> bytes:
    """Return a log that a crash could have left, had two databases been changed together."""
    name = bytes(other)
    head = MAGIC + struct.pack(">IIIII", 0, 1, 2, SECTOR, PAGE)
    place = struct.pack(">I", 2**30 // PAGE + 1)
    return head.ljust(SECTOR, b"\0") + place + name + struct.pack(">II", len(name), sum(name)) + MAGIC


@pytest.mark.parametrize(
    "hostile",
    [
        f"CREATE VIEW votes AS SELECT {ALL_MEMORY} AS battle",
        "CREATE TRIGGER more AFTER INSERT ON plain BEGIN DELETE FROM plain; END",
        f"CREATE TABLE checked (a TEXT CHECK (length({ALL_MEMORY}) > 0))",
        f"CREATE TABLE checked (a TEXT, CONSTRAINT x CHECK(length({ALL_MEMORY}) > 0))",
        f"CREATE TABLE computed (a TEXT, b BLOB AS ({ALL_MEMORY}))",
        f"CREATE TABLE computed (a TEXT, b BLOB GENERATED ALWAYS AS ({ALL_MEMORY}) VIRTUAL)",
        f"CREATE INDEX longest ON plain ({ALL_MEMORY})",
        "CREATE VIRTUAL TABLE searched USING fts5 (a)",
    ],
)
def test_what_runs_is_refused_before_it_does(tmp_path: Path, hostile: str) -> None:
    path = made(tmp_path / "a.sqlite", 'CREATE TABLE plain (id TEXT NOT NULL, "check" TEXT, UNIQUE (id))')
    with closing(sqlite3.connect(path)) as connection:
        only_rows(connection)
    made(path, hostile)
    with closing(sqlite3.connect(path)) as connection, pytest.raises(DamagedError, match="which Portrayal does not"):
        only_rows(connection)


def test_a_row_has_a_length(tmp_path: Path) -> None:
    path = made(tmp_path / "a.sqlite", "CREATE TABLE plain (a)", f"INSERT INTO plain VALUES (zeroblob({2 * LONGEST}))")
    with closing(sqlite3.connect(path)) as connection:
        only_rows(connection)
        with pytest.raises(sqlite3.DataError, match="too big"):
            connection.execute("SELECT a FROM plain").fetchall()


def test_opening_a_database_would_delete_the_file_that_its_log_names(tmp_path: Path) -> None:
    path, dear = made(tmp_path / "votes.sqlite", "CREATE TABLE plain (a)"), tmp_path / "dear.txt"
    dear.write_text("a year's work")
    log = path.with_name("votes.sqlite-journal")
    log.write_bytes(log_naming(dear))
    with pytest.raises(DamagedError, match="names another file"):
        check_beside(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT * FROM plain").fetchall()
    assert not dear.exists()  # else this test would be about nothing


def test_no_command_lets_a_strangers_votes_do_so(make_study: Make, cli: Cli, tmp_path: Path) -> None:
    root, dear = make_study(), tmp_path / "dear.txt"
    dear.write_text("a year's work")
    open_arena("", root).close()
    path = root / "arena" / "votes.sqlite"
    log = path.with_name("votes.sqlite-journal")
    log.write_bytes(log_naming(dear))
    with pytest.raises(DamagedError, match="names another file"):
        read_arena("", root)
    for words in (("verify", root), ("open", root)):
        ran = cli(*words)
        assert (ran.returncode, ran.stdout.count("names another file")) == (2, 1)
    assert dear.exists()
    log.unlink()
    made(path, "DROP TABLE arena_votes", f"CREATE VIEW arena_votes AS SELECT {ALL_MEMORY} AS battle")
    for opened in (open_arena, read_arena):
        with pytest.raises(DamagedError, match=r"votes\.sqlite: the database holds the view 'arena_votes'"):
            opened("", root)
    assert "holds the view" in cli("verify", root).stdout


def test_a_log_that_is_a_link_and_answers_that_are_one_are_refused(tmp_path: Path) -> None:
    dear = tmp_path / "dear.txt"
    dear.write_text("a year's work")
    folder = tmp_path / "graph"
    folder.mkdir()
    for name in ("answers.sqlite", "answers.sqlite-wal", "answers.sqlite-journal"):
        link = folder / name
        link.symlink_to(dear)
        with pytest.raises(StudyError, match="is a link"):
            open_answers(folder)
        link.unlink()
    assert dear.read_text() == "a year's work"

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import duckdb
import pyarrow as pa
import pytest

from portrayal.records import JOB_SCHEMA, Job, to_table
from portrayal.store import database, workspace
from portrayal.store.database import Database
from portrayal.store.workspace import Workspace

SORTED = "SELECT max(b) FROM (SELECT hash(range)::VARCHAR AS b FROM range(800000) ORDER BY b OFFSET 3)"
"""Needs more than 20 MB."""


@pytest.fixture
def starting(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Count how often a database is started."""
    mock = Mock(wraps=duckdb.connect)
    monkeypatch.setattr(duckdb, "connect", mock)
    return mock


def test_queries_print_nothing(tmp_path: Path) -> None:
    with Database(tmp_path).connect() as connection:
        assert connection.sql("SELECT current_setting('enable_progress_bar')").fetchall() == [(False,)]


def test_it_is_started_once_and_knows_nothing_of_what_was_asked_before(tmp_path: Path, starting: Mock) -> None:
    asked = Database(tmp_path)
    for number in range(3):
        with asked.connect() as connection:
            connection.register("given", pa.table({"number": [number]}))
            connection.execute("CREATE TEMP VIEW seen AS SELECT number FROM given")
            assert connection.sql("SELECT * FROM seen").fetchall() == [(number,)]
    with asked.connect() as connection, pytest.raises(duckdb.CatalogException, match="seen"):
        connection.sql("SELECT * FROM seen")
    assert starting.call_count == 1


def test_threads_ask_at_once(tmp_path: Path, starting: Mock) -> None:
    asked, together, found = Database(tmp_path), threading.Barrier(4), []

    def ask(number: int) -> None:
        with asked.connect() as connection:
            connection.execute(f"CREATE TEMP VIEW own AS SELECT {number} AS number")
            together.wait()
            found.extend(connection.sql("SELECT number FROM own").fetchall())

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [(0,), (1,), (2,), (3,)]
    assert starting.call_count == 1


def test_a_large_query_has_a_database_of_its_own(
    tmp_path: Path, starting: Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Workspace(tmp_path)
    study.tables["jobs"].append(to_table([Job("1", "p", "g", 0, 0)], JOB_SCHEMA))
    for limit, started in ((10**6, 1), (100, 2), (100, 3), (10**6, 3)):
        monkeypatch.setattr(workspace, "_LARGE", limit)
        assert study.query("SELECT id FROM jobs").num_rows == 1
        assert starting.call_count == started
    monkeypatch.setattr(workspace, "_LARGE", 100)
    study.query("SELECT a FROM given", given=pa.table({"a": range(100)}))
    assert starting.call_count == 4


ENDLESS = "SELECT sum(range) FROM range(1000000000000)"


def test_ctrl_c_in_the_middle_of_a_query_is_what_python_calls_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With threads of its own at work, DuckDB hears of signals when they are done.
    monkeypatch.setitem(database._CONFIG, "threads", 1)
    heed = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    asked = Database(tmp_path)

    def query() -> None:
        with asked.connect() as connection:
            threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
            connection.execute(ENDLESS)

    try:
        with pytest.raises(KeyboardInterrupt):
            query()
    finally:
        signal.signal(signal.SIGINT, heed)
    with asked.connect() as connection:
        assert connection.sql("SELECT 1").fetchall() == [(1,)]
    with pytest.raises(RuntimeError, match="of a caller"), asked.connect():
        raise RuntimeError("of a caller")


HELD = """
import sys, threading
from pathlib import Path
from portrayal.store.workspace import Workspace

study = Workspace(Path(sys.argv[1]))
study.query("SELECT 1")
threading.Thread(target=lambda held: threading.Event().wait(), args=(study,), daemon=True).start()
"""


@pytest.mark.slow
def test_a_program_that_still_holds_it_ends_without_a_word(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", HELD, tmp_path], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@pytest.mark.slow
def test_what_does_not_fit_into_memory_goes_to_the_study_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "study"
    root.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(database._CONFIG, "memory_limit", "20MB")
    asked = Database(root)
    for large in (False, True):
        with asked.connect(large=large) as connection:
            assert len(connection.sql(SORTED).fetchall()) == 1
        assert list(tmp_path.rglob("*")) == [root]
    left = root / ".tmp-left"
    monkeypatch.setattr("portrayal.store.database.uuid.uuid4", lambda: SimpleNamespace(hex="left"))
    left.write_text("where the folder should be")
    with Database(root).connect() as connection, pytest.raises(duckdb.Error, match=r"\.tmp-left"):
        connection.sql(SORTED).fetchall()

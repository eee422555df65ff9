"""Studies that an earlier version made open, go on and are reported: nothing is drawn twice, no number changes."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from portrayal.store.workspace import Workspace

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
MADE = Path(__file__).with_name("data") / "made_by_567d9ac"
CHOSEN = {
    "representation": ('options.references.gender = "faintbench"', 'options.references.age3 = "uniform"'),
    "bafis": ("options.draws = 100", 'options.references.gender = "uniform"'),
}
"""After which line of study.toml the reference is chosen that the earlier version took where none was."""
NUMBERS = ("value", "target", "planted", "drawn")
DRAWN_ANEW = ("mean_total_variation", "chi_square", "chi_square_p")
"""Metrics that rest on random draws, or on how many independent images the images are worth."""


@pytest.fixture(params=["representation", "bafis"])
def made(request: pytest.FixtureRequest) -> Path:
    """Return a study as the earlier version left it; only to be read."""
    return MADE / str(request.param)


@pytest.fixture
def study(made: Path, tmp_path: Path) -> Path:
    """Return a copy that compares with what the earlier version compared with: equal shares, chosen or not."""
    copy = shutil.copytree(made, tmp_path / "study")
    after, chosen = CHOSEN[made.name]
    config = copy / "study.toml"
    config.write_text(config.read_text(encoding="utf-8").replace(after, f"{after}\n{chosen}"), encoding="utf-8")
    return copy


def stored(study: Path, table: str) -> pa.Table:
    """Return a table as it lies on the disk, whichever version wrote it."""
    return pa.concat_tables(pq.read_table(path) for path in sorted((study / "tables" / table).glob("*.parquet")))


def texts(rows: pa.Table, columns: list[str]) -> list[str]:
    """Return each row as text, sorted, with the columns that were there before."""
    return sorted(json.dumps(row, sort_keys=True) for row in rows.select(columns).to_pylist())


def numbers(rows: pa.Table, columns: list[str]) -> dict[str, list[float]]:
    """Return each measurement's numbers by all else that it says; notes are worded in another way now."""
    about = [name for name in columns if name not in (*NUMBERS, "note")]
    found = {
        json.dumps({name: row[name] for name in about}): [math.nan if row[n] is None else row[n] for n in NUMBERS]
        for row in rows.to_pylist()
    }
    assert len(found) == rows.num_rows
    return found


def now(study: Path, table: str) -> pa.Table:
    return Workspace(study).query(f"SELECT * FROM {table}")


def test_it_opens_and_tells_what_is_left(study: Path, made: Path, cli: Run) -> None:
    status = cli("status", study, "--json")
    assert status.returncode == 0, status.stderr
    counts = sum((Counter(found) for found in json.loads(status.stdout)["outcomes"].values()), Counter[str]())
    statuses = Counter(stored(made, "outcomes")["status"].to_pylist())
    assert counts["made"] == statuses["made"]
    assert counts["refused: simulated_refusal"] == statuses["refused"]
    assert counts["pending"] == stored(made, "jobs").num_rows - stored(made, "outcomes").num_rows > 0


def test_its_numbers_are_those_it_holds(study: Path, made: Path, cli: Run) -> None:
    assert cli("measure", study).returncode == 0
    check_measurements(study, stored(made, "measurements"))


def check_measurements(study: Path, expected: pa.Table) -> None:
    """Compare values up to the last digits, as sums are added up in another order now; intervals are others."""
    columns = [name for name in expected.schema.names if name not in ("low", "high")]
    found, wanted = numbers(now(study, "measurements"), columns), numbers(expected, columns)
    assert not wanted.keys() - found.keys()
    added = {(row["method"], row["level"]) for row in map(json.loads, found.keys() - wanted.keys())}
    assert added <= {("bafis", "term")}, "BAFIS tells of single occupations, too"
    assert all(
        found[what] == pytest.approx(row, rel=1e-12, nan_ok=True)
        for what, row in wanted.items()
        if json.loads(what)["metric"] not in DRAWN_ANEW
    )


def test_it_goes_on_to_where_that_version_would_have_come(study: Path, made: Path, cli: Run) -> None:
    ran = cli("run", study)
    assert ran.returncode == 0, ran.stderr
    for table in ("jobs", "prompts", "truths"):
        before = stored(made, table)
        assert texts(now(study, table), before.schema.names) == texts(before, before.schema.names)
    for table in ("outcomes", "observations"):
        before = stored(made, table)
        after = texts(now(study, table), before.schema.names)
        assert not Counter(texts(before, before.schema.names)) - Counter(after), "as they were"
        assert len(after) > before.num_rows
        assert max(Counter(after).values()) == 1
    answered = [row["job"] for row in now(study, "outcomes").to_pylist() if row["status"] != "failed"]
    assert len(set(answered)) == len(answered), "nothing is drawn twice"
    check_measurements(study, pq.read_table(made / "measured_at_the_end.parquet"))
    assert (study / "report" / "index.html").stat().st_size > 50_000


def test_it_is_reported_and_exported_as_it_is(study: Path, made: Path, cli: Run, tmp_path: Path) -> None:
    assert cli("report", study).returncode == 0
    assert (study / "report" / "index.html").is_file()
    exported = cli("export", study, "--to", tmp_path / "tables", "--format", "jsonl")
    assert exported.returncode == 0, exported.stderr
    for table in ("outcomes", "observations", "measurements"):
        lines = (tmp_path / "tables" / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(lines) == now(study, table).num_rows >= stored(made, table).num_rows


def test_a_second_run_has_nothing_to_do(study: Path, cli: Run, tree: Callable[[Path], dict[str, Any]]) -> None:
    assert cli("run", study).returncode == 0
    before = {table: tree(study / "tables" / table) for table in ("jobs", "outcomes", "observations")}
    assert cli("run", study).returncode == 0
    assert {table: tree(study / "tables" / table) for table in before} == before

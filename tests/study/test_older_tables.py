"""A study made before images were edited, observations had words and money was counted: it goes on as it is."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from portrayal.records import Abstention, Observation
from portrayal.store.tables.table import FANOUT, Table
from portrayal.store.workspace import Workspace
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy
from portrayal.study.tables.exporting import FORMATS, export_tables

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
Rows = Callable[[Path], dict[str, list[str]]]
NEWER = {"observations": ("text",), "jobs": ("source_job",), "prompts": ("edits",)}
"""Columns that segments of an older version lack."""


@pytest.fixture
def older(finished: Path, tmp_path: Path) -> Path:
    """Return a finished study as an older version left it."""
    root = shutil.copytree(finished, tmp_path / "older")
    for name, columns in NEWER.items():
        table = Workspace(root).tables[name]
        assert table.segments()
        for segment in table.segments():
            pq.write_table(pq.read_table(segment.path).drop_columns(list(columns)), segment.path)
    for segment in Workspace(root).tables["measurements"].segments():  # they did not name what they were computed from
        pq.write_table(pq.read_table(segment.path).replace_schema_metadata(), segment.path)
    for path in (root / "tables").rglob("*.parquet"):
        path.rename(path.with_name(f"{path.name.partition('.')[0]}.parquet"))  # they had no checksums
    plan = root / "tables" / "plan.json"
    plan.write_text(json.dumps({"fingerprint": json.loads(plan.read_text())["fingerprint"]}))
    shutil.rmtree(root / "tables" / "spending", ignore_errors=True)
    return root


def add_annotator(root: Path) -> None:
    config = root / "study.toml"
    old = 'annotators = [{ "use" = "simulated" }]'
    assert old in config.read_text()
    new = old.replace("}]", '}, { "use" = "simulated", "options" = { "attributes" = ["gender"] } }]')
    config.write_text(config.read_text().replace(old, new))


def test_it_really_is_older(older: Path) -> None:
    for name, columns in NEWER.items():
        for segment in Workspace(older).tables[name].segments():
            assert not set(columns) & set(pq.read_schema(segment.path).names)
    assert not (older / "tables" / "spending").exists()


def test_it_reads_like_a_new_one(older: Path, finished: Path, rows: Rows) -> None:
    assert rows(older) == rows(finished)
    query = "SELECT text, count(*) AS n FROM observations GROUP BY text"
    assert Workspace(older).query(query).to_pylist() == Workspace(finished).query(query).to_pylist()
    assert Workspace(older).query("SELECT * FROM observations").schema.names == [
        *("image", "annotator", "subject", "attribute", "mass", "value", "box", "reason", "text")
    ]
    assert read_status(OpenStudy(older)).spent == {}


def test_running_it_again_only_plans_again(
    older: Path, tree: Callable[[Path], dict[str, bytes | None]], rows: Rows
) -> None:
    before = {name: tree(older / "tables" / name) for name in ("outcomes", "observations", "measurements")}
    held = rows(older)
    for _ in range(2):
        run_stages(OpenStudy(older), RunControl(budget=0.0), ("plan", "generate", "annotate"))
        assert {name: tree(older / "tables" / name) for name in before} == before
        assert rows(older) == held


def test_what_cannot_be_read_is_one_line_in_every_command(older: Path, cli: Run) -> None:
    for name in ("jobs", "outcomes", "observations", "measurements"):
        path = max((older / "tables" / name).glob("*.parquet"))
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        for command in ("status", "verify"):
            ran = cli(command, older)
            assert ran.returncode == 2, name
            assert (ran.stdout if command == "verify" else ran.stderr).count(name) == 1
            assert ran.stderr.count("error: ") == (command == "status")
        path.write_bytes(whole)
    ran = cli("verify", older)
    assert ran.returncode == 0
    assert "have no checksum" in ran.stderr


def test_it_is_measured_and_reported_as_before(older: Path, finished: Path, rows: Rows) -> None:
    shutil.rmtree(older / "report")
    shutil.rmtree(older / "tables" / "measurements")
    run_stages(OpenStudy(older), RunControl())
    assert rows(older)["measurements"] == rows(finished)["measurements"]
    assert (older / "report" / "index.html").read_bytes() == (finished / "report" / "index.html").read_bytes()


@pytest.mark.parametrize("stages", [("report",), ("measure", "report")])
def test_numbers_whose_notes_were_sentences_are_computed_anew(
    older: Path, finished: Path, rows: Rows, stages: tuple[str, ...]
) -> None:
    table = Workspace(older).tables["measurements"]
    for segment in table.segments():
        old = pq.read_table(segment.path).drop_columns(["notes"])
        pq.write_table(old.append_column("note", pa.array(["only 3 images"] * old.num_rows)), segment.path)
    assert not table.current()
    run_stages(OpenStudy(older), RunControl(), stages)
    assert Workspace(older).tables["measurements"].current()
    assert rows(older)["measurements"] == rows(finished)["measurements"]
    assert (older / "report" / "index.html").read_bytes() == (finished / "report" / "index.html").read_bytes()


def test_another_annotator_looks_at_its_images(older: Path) -> None:
    before = Workspace(older).tables["observations"].count()
    add_annotator(older)
    study = OpenStudy(older)
    run_stages(study, RunControl())
    status = read_status(study)
    first, second = status.judged.values()
    assert first == second > 0
    assert set(status.unjudged.values()) == {0}
    assert study.workspace.tables["observations"].count() > before
    names = study.workspace.query("SELECT DISTINCT annotator FROM observations").num_rows
    assert names == 2


def test_old_and_new_parts_are_merged(older: Path, rows: Rows) -> None:
    table = Workspace(older).tables["observations"]
    before = rows(older)["observations"]
    new = Observation("one more", "caption@1", 0, "caption", text="a nurse at work")
    for _ in range(2 * FANOUT):
        table.append(pa.table({f.name: pa.array([getattr(new, f.name)], f.type) for f in table.schema}))
    assert len(table.segments()) < FANOUT
    after = rows(older)["observations"]
    assert [row for row in after if "one more" not in row] == before
    assert sum(json.loads(row)["text"] == "a nurse at work" for row in after) == 2 * FANOUT
    words = Workspace(older).query("SELECT DISTINCT text FROM observations WHERE text IS NOT NULL").to_pylist()
    assert words == [{"text": "a nurse at work"}]


@pytest.mark.parametrize("form", list(FORMATS))
def test_it_is_exported(older: Path, finished: Path, tmp_path: Path, form: str) -> None:
    files = [export_tables(OpenStudy(root), tmp_path / root.name / "out", form) for root in (older, finished)]
    old, new = ({path.name: path.read_bytes() for path in found} for found in files)
    assert old == new
    assert f"spending.{form}" in old


def test_its_annotators_are_compared(older: Path, cli: Run) -> None:
    add_annotator(older)
    assert cli("annotate", older).returncode == 0
    ran = cli("annotators", "compare", older, *OpenStudy(older).annotators)
    assert ran.returncode == 0, ran.stderr


def test_columns_that_are_not_there_are_scanned_as_empty(older: Path) -> None:
    for batch in Workspace(older).tables["jobs"].scan(("source_job", "id", "generator"), ("generator",)):
        assert set(batch.schema.names) == {"id", "generator", "source_job"}
        assert batch["source_job"].null_count == batch.num_rows > 0


def test_rows_of_a_part_without_a_column_are_in_the_tables_order(tmp_path: Path) -> None:
    schema = pa.schema([("a", pa.string()), ("b", pa.float64()), ("c", pa.string())])
    table = Table(tmp_path, schema, later=["b"])
    pq.write_table(pa.table({"c": ["z"], "a": ["x"]}), tmp_path / "00000000-00000000.parquet")
    (batch,) = table.batches()
    assert batch.schema == schema
    assert batch.to_pylist() == [{"a": "x", "b": None, "c": "z"}]


def test_abstentions_have_no_words() -> None:
    assert Abstention("image", "caption@1", "unreadable").text is None

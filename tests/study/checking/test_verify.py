from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.workspace import SCHEMAS, Workspace
from portrayal.study.checking.verify import REMEDIES, verify
from portrayal.study.run_control import RunControl, Silent
from portrayal.study.study import OpenStudy

Cli = Callable[..., subprocess.CompletedProcess[str]]


class Counted(Silent):
    """Remembers the steps done and all steps of each stage."""

    def __init__(self) -> None:
        self.steps: list[tuple[int, int]] = []

    def start(self, stage: str, total: int) -> None:
        self.steps.append((0, total))

    def advance(self, steps: int) -> None:
        done, total = self.steps[-1]
        self.steps[-1] = done + steps, total


def test_every_table_has_a_remedy() -> None:
    assert REMEDIES.keys() == SCHEMAS.keys()


@pytest.mark.slow
def test_a_whole_study_is_whole_and_nothing_changes(
    finished: Path, cli: Cli, tree: Callable[[Path], dict[str, bytes | None]]
) -> None:
    before = tree(finished)
    ran = cli("verify", finished)
    assert ran.returncode == 0
    images = sum(name.startswith("images/") and data is not None for name, data in before.items())
    files = sum(name.endswith(".parquet") for name in before)
    assert ran.stdout == (
        f"{files} files of tables and {images} images looked at, with {images} of the {images} images that the tables "
        "name: none is damaged\n"
    )
    found = json.loads(cli("verify", finished, "--json").stdout)
    counts = {"files": files, "images": images, "named": images, "read": images, "unchecked": 0}
    assert found == {**counts, "damage": []}
    assert tree(finished) == before


@pytest.mark.slow
def test_progress_ends_where_it_said(finished: Path) -> None:
    counted = Counted()
    verify(OpenStudy(finished), RunControl(counted))
    assert counted.steps
    assert all(done == total for done, total in counted.steps)


@pytest.mark.slow
def test_all_damage_is_told_each_in_a_line(finished_copy: Path, cli: Cli) -> None:
    pictures = sorted((finished_copy / "images").rglob("*.png"))
    pictures[0].write_bytes(b"damaged")
    for path in pictures[1:3]:
        path.unlink()
    (finished_copy / "tables" / "plan.json").write_text('{"files": {}}')
    (part,) = (finished_copy / "tables" / "measurements").glob("*.parquet")
    part.write_bytes(part.read_bytes()[1:])
    ran = cli("verify", finished_copy, "--json")
    assert ran.returncode == 2
    measured, plan, damaged, gone = json.loads(ran.stdout)["damage"]
    assert measured["path"] == part.relative_to(finished_copy).as_posix()
    assert measured["remedy"] == "delete it: portrayal measure computes it again"
    assert (plan["path"], plan["remedy"]) == ("tables/plan.json", "portrayal plan writes it again")
    assert damaged["path"] == pictures[0].relative_to(finished_copy).as_posix()
    assert gone["path"] in {path.relative_to(finished_copy).as_posix() for path in pictures[1:3]}
    lines = cli("verify", finished_copy).stdout.splitlines()
    assert len(lines) == 5
    assert lines[-1].endswith(": 4 damaged")


@pytest.mark.slow
def test_a_file_in_the_folder_of_another_table_is_told(finished_copy: Path, cli: Cli) -> None:
    outcomes = next((finished_copy / "tables" / "outcomes").glob("*.parquet"))
    strange = finished_copy / "tables" / "observations" / f"00000099-00000099.{outcomes.name.partition('.')[2]}"
    strange.write_bytes(outcomes.read_bytes())
    for command in ("status", "measure"):
        ran = cli(command, finished_copy)
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
        assert f"{strange.name}: the file is of another table: it has no column" in ran.stderr
    (found,) = json.loads(cli("verify", finished_copy, "--json").stdout)["damage"]
    assert found["path"] == strange.relative_to(finished_copy).as_posix()
    assert found["what"] == "the file is of another table: it has no column 'annotator'"


@pytest.mark.slow
def test_an_image_of_a_strange_name_is_told_and_not_opened(finished_copy: Path, cli: Cli, tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"secret")
    table = Workspace(finished_copy).tables["outcomes"]
    rows = [row for batch in table.batches() for row in batch.to_pylist()]
    made = [row | {"image": str(secret.with_suffix(""))} if row["image"] else row for row in rows]
    table.replace([pa.Table.from_pylist(made, table.schema)])
    for command in ("annotate", "report"):
        ran = cli(command, finished_copy)
        assert ran.returncode == 2
        assert "no image is called so; 'portrayal verify' on the study says what to do" in ran.stderr.splitlines()[-1]
    found = json.loads(cli("verify", finished_copy, "--json").stdout)["damage"]
    assert [damage["path"] for damage in found] == ["tables/outcomes"]
    assert "no image is called so" in found[0]["what"]


@pytest.mark.slow
def test_strange_names_in_the_measurements_are_told(finished_copy: Path, cli: Cli) -> None:
    table = Workspace(finished_copy).tables["measurements"]
    table.replace(list(table.batches()), {"own_tables": '{"../../victim.d": "00000000.parquet"}'})
    (found,) = json.loads(cli("verify", finished_copy, "--json").stdout)["damage"]
    assert found["path"].startswith("tables/measurements/")
    assert found["what"] == "the file names tables of methods as Portrayal never does"


@pytest.mark.slow
def test_a_table_of_a_method_that_is_gone_is_missed(finished_copy: Path, cli: Cli) -> None:
    workspace = Workspace(finished_copy)
    rows = list(workspace.tables["measurements"].batches())
    workspace.own_tables.replace(rows, {"graph.edges": pa.table({"n": [1]})}, ())
    assert cli("verify", finished_copy).returncode == 0
    path = workspace.own_tables.path("graph.edges")
    path.unlink()
    (found,) = json.loads(cli("verify", finished_copy, "--json").stdout)["damage"]
    assert found["path"] == path.relative_to(finished_copy).as_posix()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arena/votes.sqlite", "labels/labels.sqlite"])
def test_answers_that_are_empty_are_damaged(finished_copy: Path, cli: Cli, name: str) -> None:
    (finished_copy / name).parent.mkdir()
    (finished_copy / name).touch()
    (found,) = json.loads(cli("verify", finished_copy, "--json").stdout)["damage"]
    assert (found["path"], found["what"]) == (name, "the file is empty")
    assert f"portrayal {name.partition('/')[0]} export" in found["remedy"]


@pytest.mark.slow
def test_votes_are_looked_at_without_leaving_files(
    finished_copy: Path, cli: Cli, tree: Callable[[Path], dict[str, bytes | None]]
) -> None:
    (finished_copy / "arena").mkdir()
    connection = sqlite3.connect(finished_copy / "arena" / "votes.sqlite")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE votes (text)")
    connection.close()
    before, changed = tree(finished_copy), (finished_copy / "arena").stat().st_mtime_ns
    assert cli("verify", finished_copy).returncode == 0
    assert tree(finished_copy) == before
    assert (finished_copy / "arena").stat().st_mtime_ns == changed  # nor were there any meanwhile


@pytest.mark.slow
def test_votes_that_sqlite_cannot_read_are_damaged(finished_copy: Path, cli: Cli) -> None:
    votes = finished_copy / "arena" / "votes.sqlite"
    votes.parent.mkdir()
    connection = sqlite3.connect(votes)
    connection.execute("CREATE TABLE votes (text)")
    connection.executemany("INSERT INTO votes VALUES (?)", [(f"vote {n}" * 50,) for n in range(200)])
    connection.commit()
    connection.close()
    assert cli("verify", finished_copy).returncode == 0
    data = bytearray(votes.read_bytes())
    data[4096 : 2 * 4096] = bytes(4096)
    votes.write_bytes(data)
    ran = cli("verify", finished_copy)
    assert ran.returncode == 2
    assert ran.stdout.startswith("arena/votes.sqlite: ")


@pytest.mark.slow
@pytest.mark.parametrize("lie", ["nothing", "others"])
def test_a_listing_is_not_believed(finished_copy: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, lie: str) -> None:
    pictures = sorted((finished_copy / "images").rglob("*.png"))
    strangers = [path.with_name(f"{path.stem[::-1]}.png") for path in pictures]
    monkeypatch.setattr(ImageFolder, "folders", lambda _: ["00"] if lie == "others" else [])
    monkeypatch.setattr(ImageFolder, "paths", lambda *_: strangers)
    ran = cli("verify", finished_copy)
    assert ran.returncode == 0
    count = len(pictures)
    assert f" and {count} images looked at, with {count} of the {count} images that the tables name" in ran.stdout
    pictures[0].write_bytes(b"damaged")
    pictures[1].unlink()
    found = json.loads(cli("verify", finished_copy, "--json").stdout)
    assert (found["images"], found["named"], found["read"]) == (count - 1, count, count - 1)
    assert [damage["path"] for damage in found["damage"]] == [
        path.relative_to(finished_copy).as_posix() for path in pictures[:2]
    ]

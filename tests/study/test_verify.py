from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.store.workspace import SCHEMAS
from portrayal.study.verify import REMEDIES

Cli = Callable[..., subprocess.CompletedProcess[str]]


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
    assert ran.stdout == f"{files} files of tables and {images} images looked at: none is damaged\n"
    found = json.loads(cli("verify", finished, "--json").stdout)
    assert found == {"files": files, "images": images, "unchecked": 0, "damage": []}
    assert tree(finished) == before


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

"""From Python a study gives and takes what the commands give and take."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from portrayal import Study
from portrayal.errors import UnknownNameError

Run = Callable[..., subprocess.CompletedProcess[str]]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
def test_export_writes_what_the_command_writes(cli: Run, finished: Path, tmp_path: Path) -> None:
    paths = Study(finished).export(tmp_path / "python")
    assert cli("export", finished, "--to", tmp_path / "command").returncode == 0
    assert [path.name for path in paths] == [path.name for path in paths if path.is_file()]
    assert contents(tmp_path / "python") == contents(tmp_path / "command")
    [one] = Study(finished).export(str(tmp_path / "one"), format="parquet", tables="measurements")
    assert one == tmp_path / "one/measurements.parquet"
    assert pq.read_table(one).num_rows == len(Study(finished).measurements())
    two = Study(finished).export(tmp_path / "two", tables=["images", "prompts"])
    assert [path.name for path in two] == ["images.csv", "prompts.csv"]
    with two[0].open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(Study(finished).images())


@pytest.mark.slow
def test_export_of_what_there_is_not_writes_nothing(finished: Path, tmp_path: Path) -> None:
    study = Study(finished)
    with pytest.raises(UnknownNameError, match="tables are written as csv, jsonl, parquet, not 'xlsx'"):
        study.export(tmp_path / "new", format="xlsx")
    with pytest.raises(UnknownNameError, match=r"no table named 'image'; did you mean 'images'\?"):
        study.export(tmp_path / "new", tables=["image"])
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
def test_verify_finds_a_damaged_file_and_is_silent_when_asked(
    finished_copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = Study(finished_copy)
    whole = study.verify(progress=False)
    picture, *others = (path for path in sorted((finished_copy / "images").rglob("*")) if path.is_file())
    assert (whole.damage, whole.images) == ([], 1 + len(others))
    picture.write_bytes(b"torn")
    damaged = study.verify(progress=False)
    assert [finished_copy / damage.path for damage in damaged.damage] == [picture]
    assert "put a copy back" in damaged.damage[0].remedy
    assert capsys.readouterr().err == ""

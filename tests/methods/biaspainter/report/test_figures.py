"""BiasPainter's charts and tables as files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import pytest

from portrayal.records import Measurement
from portrayal.reports import ReportData
from portrayal.reports.figures.figure_files import ReportFigures, report_figures
from portrayal.study.report.gather_data import gather

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data(study: Any) -> ReportData:
    return gather(study[0])


@pytest.fixture(scope="module")
def found(data: ReportData) -> ReportFigures:
    return report_figures(data)


def cells(found: ReportFigures, name: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(found.tables[f"tables/biaspainter/{name}.csv"], newline="")))


def test_every_chart_has_a_name(found: ReportFigures, data: ReportData) -> None:
    names = {path.removeprefix("figures/biaspainter/") for path in found.pictures if "biaspainter" in path}
    assert names == {
        "words-gender", "words-age", "words-tone", "topics", "edits", "instruction-keep-the-gender",
        *(f"groups-{role}-{size}" for role in ("gender", "age", "tone") for size in ("one", "two", "three")),
    }  # fmt: skip
    row = Measurement("biaspainter", "same_face", "g", "likeness@1", "same_face", value=0.9, n=9, prompts=9)
    more = report_figures(replace(data, measurements=[*data.measurements, row]))
    assert "1 for the same picture" in more.pictures["figures/biaspainter/person-kept"]


def test_a_chart_of_words_says_that_they_are_judged_beyond_null_edits(found: ReportFigures) -> None:
    svg = found.pictures["figures/biaspainter/words-gender"]
    assert "The bias of every word beyond that of edits that ask for nothing." in svg
    assert "Marks: bias; bars: 95 % intervals." in svg
    assert "n counts edits." in svg
    assert svg.count(">Perceived gender<") == 0  # the title says it
    words = {row[0] for row in cells(found, "words-gender")[1:]}
    assert {"nurse", "soldier"} <= words
    assert cells(found, "topics")[0][-2:] == ["By chance", "Note"]
    assert "\N{SUPERSCRIPT PLUS SIGN} This interval is wider than it need be" in svg  # few faces flip


def test_a_chart_of_edits_says_that_it_is_the_papers_table_3(found: ReportFigures) -> None:
    svg = found.pictures["figures/biaspainter/edits"]
    assert "The mean size of image biases, which Table 3 of the paper prints." in svg
    assert "Upright lines: edits that ask for nothing." in svg
    assert (
        "The mean size of the words’ biases beyond those of edits that ask for nothing."
        in (found.pictures["figures/biaspainter/topics"])
    )
    header, first, *_ = cells(found, "sizes")
    assert header[3:-1] == [
        "Word bias beyond edits that ask for nothing, mean size",
        "Word bias, mean size",
        "Image bias, mean size (Table 3 of the paper)",
        "The same of edits that ask for nothing",
    ]
    assert first[1:3] == ["Perceived gender", "all words"]
    assert all(cell.startswith("0.") for cell in first[3:-1])


def test_words_that_stand_out_are_marked(found: ReportFigures) -> None:
    names = [path for path in found.tables if "/top-words-" in path and path.endswith(".csv")]
    said = "".join(found.tables[name] for name in names)
    assert "nurse +" in said
    assert "*" in said
    (fates,) = (path for path in found.tables if "/fates-" in path and path.endswith(".md"))
    assert "What became of the edits" in found.tables[fates]

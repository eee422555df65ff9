"""BAFIS's charts and tables as files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from portrayal.reports import ReportData
from portrayal.reports.figures.figure_files import ReportFigures, report_figures

SVG = "{http://www.w3.org/2000/svg}"
Jobs = Callable[..., ReportData]


@pytest.fixture(scope="module")
def found(jobs: Jobs) -> ReportFigures:
    return report_figures(jobs(models=("SD3-Large", "HiDream-I1")))


def cells(found: ReportFigures, name: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(found.tables[f"tables/bafis/{name}.csv"], newline="")))


@pytest.mark.slow
def test_each_group_has_a_chart_in_each_language(found: ReportFigures) -> None:
    names = {path.removeprefix("figures/bafis/") for path in found.pictures}
    assert {"shares-en-perceived-gender", "shares-de-perceived-gender", "shares-de-perceived-race-european"} <= names
    assert {"differences-en-perceived-gender", "distance", "missing"} <= names
    assert "same-seeds-another-language-perceived-gender" in names
    picture = ElementTree.fromstring(found.pictures["figures/bafis/shares-de-perceived-race-european"])
    title = "Perceived shares by category and model: Prompts in German, perceived race: European"
    assert picture.findtext(f"{SVG}title") == title
    assert "n counts what was judged" in (picture.findtext(f"{SVG}desc") or "")


@pytest.mark.slow
def test_readings_say_in_which_direction_a_share_differs(found: ReportFigures) -> None:
    header, *rows = cells(found, "readings-en-perceived-gender-female")
    assert header[2:6] == ["Difference in points", "95 % interval", "Reading", "Perceived"]
    charted = {tuple(row[:2]): row[2] for row in cells(found, "differences-en-perceived-gender")[1:]}
    assert {(row[0], row[1]): row[2] for row in rows} == charted
    assert {row[4] for row in rows} <= {"over-represented", "under-represented", "no clear difference"}
    assert cells(found, "cells-by-model")[1][0] == "SD3-Large"
    assert "Cells with a reference:" in found.tables["tables/bafis/cells-by-model.md"]


@pytest.mark.slow
def test_many_models_share_the_chart_of_a_group_and_language_changes_no_name(jobs: Jobs) -> None:
    many = {"models": tuple("abcdef"), "races": False}
    english, german = report_figures(jobs(**many)), report_figures(jobs(**many, language="de"))
    assert set(english.pictures) == set(german.pictures)
    assert cells(english, "shares-en-perceived-gender")[0][:3] == ["Chart", "Model", "Value"]

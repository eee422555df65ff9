"""Models compared as files for papers: the numbers of the page, in both languages, whatever models are called."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from portrayal.records import Attribute, Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.figures.figure_files import ReportFigures, report_figures
from portrayal.reports.page import render_report

GENDER = {"gender": Attribute("gender", "perceived gender", ("male", "female"))}
ONE, OTHER = "<b>A</b> & co", "B_1"


def share(model: str, item: str, seen: int, n: int) -> Measurement:
    row = Measurement("mine", "share", model, "eye", attribute="gender", group="female", level="term", item=item)
    return replace(row, value=seen / n, low=0.0, high=1.0, n=n, worth=float(n), prompts=1, prompt_set=item)


def data(language: str = "en", few: int = 100) -> ReportData:
    rows = [
        share(ONE, "CEO", 11, 100), share(OTHER, "CEO", 47, 100),
        share(ONE, "nurse", 1, few), share(OTHER, "nurse", 2, few),
    ]  # fmt: skip
    models = [ONE, OTHER]
    made = {name: {"made": 200} for name in models}
    return ReportData(
        "T", models, ["eye"], [("CEO", "", "CEO")], 100, GENDER, rows, made, {}, declared=models, language=language
    )


def files(figures: ReportFigures, ending: str) -> dict[str, str]:
    return {
        path: text
        for path, text in figures.tables.items()
        if path.startswith("tables/compared") and path.endswith(ending)
    }


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_chart_and_its_table_have_the_numbers_of_the_page(language: str) -> None:
    given = data(language)
    figures = report_figures(given)
    [chart] = [svg for path, svg in figures.pictures.items() if path.startswith("figures/compared")]
    [table, every] = (list(csv.reader(io.StringIO(text))) for text in files(figures, ".csv").values())
    page = render_report(given).replace("\xa0", " ")
    assert len(table) == len(every) == 3
    ceo = next(row for row in every if row[0] == "CEO")
    assert ceo[4] == "−36"
    assert ceo[2] in ("11 of 100", "11 von 100", "11 %", "11 % (n 100)")
    assert ceo[7] == {"en": "fewer", "de": "weniger"}[language]
    for row in every[1:]:
        assert all(cell in page for cell in (row[4], row[6], row[7]))
    assert table[1][0].startswith("CEO · ")
    assert "−36" in chart


def test_names_are_escaped_in_every_form() -> None:
    figures = report_figures(data())
    assert all("<b>A</b>" not in svg for svg in figures.pictures.values())
    assert all("<b>A</b>" not in text for text in files(figures, ".md").values())
    assert all(r"\& co" in text and r"B\_1" in text for text in files(figures, ".tex").values())
    assert "<b>A</b>" not in render_report(data())


def test_where_images_are_too_few_there_is_no_mark() -> None:
    figures = report_figures(data(few=4))
    [table, every] = (list(csv.reader(io.StringIO(text))) for text in files(figures, ".csv").values())
    assert [row[0] for row in every] == ["About", "CEO", "nurse"]
    assert len(table) == 2
    assert every[2][5] == ""


def test_one_model_has_nothing_to_compare() -> None:
    alone = replace(data(), generators=[ONE], measurements=[share(ONE, "CEO", 11, 100)])
    assert not files(report_figures(alone), ".csv")

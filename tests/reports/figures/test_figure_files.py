"""Every chart and table of a report as a file: named alike in every language, and with the numbers of the page."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from portrayal.records import Adjustment, Measurement, Note, attribute_table
from portrayal.reports import ReportData, render_report
from portrayal.reports.figures.figure_files import ReportFigures, report_figures

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script> | \\input{/etc/passwd} & 50%\r\n$x_1$ \x0b"
CHART = "figures/representation/perceived-gender-by-term-female"
TABLE = "tables/representation/perceived-gender-by-term-female"


def share(item: str, generator: str = "g", method: str = "representation", **more: Any) -> Measurement:
    values: dict[str, Any] = {"value": 0.75, "low": 0.4, "high": 0.93, "target": 0.5, **more}
    return Measurement(method, "share", generator, "faces@1", "gender", "female", "term", item, n=12,
                       reference="uniform", **values)  # fmt: skip


def data(*rows: Measurement, **more: Any) -> ReportData:
    attributes = {"gender": attribute_table()["gender"]}
    base = ReportData("Jobs", ["g"], ["faces@1"], [], 12, attributes, rows, {"g": {"made": 24}}, {})
    sources = {"uniform": "equal shares"}
    return replace(base, reference_sources=sources, **more)


def texts(svg: str) -> str:
    found = ElementTree.fromstring(svg)
    return " ".join(own.text or "" for own in found.iter(f"{SVG}text")).replace("\N{NO-BREAK SPACE}", " ")


def cells(found: ReportFigures, path: str = TABLE) -> list[list[str]]:
    return list(csv.reader(io.StringIO(found.tables[f"{path}.csv"], newline="")))


def test_a_chart_tells_all_that_is_needed_to_read_it_alone() -> None:
    found = report_figures(data(share("nurse")))
    picture = ElementTree.fromstring(found.pictures[CHART])
    assert picture.findtext(f"{SVG}title") == "Perceived gender by term: Female"
    assert picture.findtext(f"{SVG}desc") == (
        "Marks: perceived share; bars: 95 % intervals. Upright lines: reference (uniform, equal shares). "
        "\N{SUPERSCRIPT PLUS SIGN} This interval is wider than it need be, because few images stand behind it or few "
        "differ from the others: it holds the truth more often than 19 times in 20. "
        "n counts images. Seen by faces@1. Images by g. Study: Jobs."
    )
    said = texts(found.pictures[CHART])
    assert "75 % (40–93 %\N{SUPERSCRIPT PLUS SIGN})" in said
    assert "n = 12" in said


def test_its_numbers_are_a_table_and_those_of_the_page() -> None:
    one = data(share("nurse"), share("CEO", value=0.004, low=0.0, high=0.2))
    found = report_figures(one)
    assert cells(found) == [
        ["Term", "Value", "95 % interval", "n", "Reference", "Note"],
        ["nurse", "75 %", "40–93 %", "12", "50 %", "the interval is wider than it need be"],
        ["CEO", "<1 %", "0–20 %", "12", "50 %", "the interval is wider than it need be"],
    ]
    page = re.sub(r"<[^>]+>", " ", render_report(one)).replace("\N{NO-BREAK SPACE}", " ")
    assert all(text in page for row in cells(found)[1:] for text in row[:3] if "<" not in text)
    assert "**Perceived gender by term: Female.** Reference: uniform, equal shares." in found.tables[f"{TABLE}.md"]
    assert "\\label{tab:representation-perceived-gender-by-term-female}" in found.tables[f"{TABLE}.tex"]


def test_with_several_models_rows_say_whose_they_are() -> None:
    found = report_figures(data(share("nurse"), share("nurse", "h", value=0.5), generators=["g", "h"]))
    assert [row[:3] for row in cells(found)] == [
        ["Term", "Model", "Value"],
        ["nurse", "g", "75 %"],
        ["nurse", "h", "50 %"],
    ]
    assert "Images by" not in found.pictures[CHART]


def test_names_are_the_same_in_every_language_and_texts_are_not() -> None:
    rows = [share("nurse"), share("CEO")]
    english, german = report_figures(data(*rows)), report_figures(data(*rows, language="de"))
    assert list(english.pictures) == list(german.pictures)
    assert list(english.tables) == list(german.tables)
    assert "Wahrgenommenes Geschlecht nach Begriff: weiblich" in texts(german.pictures[CHART]).replace(
        "Weiblich", "weiblich"
    )
    assert "Markierungen: wahrgenommener Anteil; Balken: 95-%-Intervalle." in german.pictures[CHART]


def test_all_numbers_of_a_method_are_a_table_also_without_a_section() -> None:
    found = report_figures(data(share("nurse", method="someones")))
    header, row = cells(found, "tables/someones/all-numbers-g-faces-1")
    assert dict(zip(header, row, strict=True)) == {
        "About": "nurse", "Metric": "share", "Attribute": "Perceived gender", "Group or reason": "female",
        "Value": "75 %", "95 % interval": "40–93 %", "Reference": "50 %", "n": "12", "Missing": "0",
        "Note": "the interval is wider than it need be",
    }  # fmt: skip
    assert not found.pictures


def test_a_study_that_differs_from_the_published_one_says_so_everywhere() -> None:
    said = "The study differs from the published protocol"
    adjusted = {"representation": [Adjustment(Note.of("images", n=4))]}
    found = report_figures(data(share("nurse"), adjusted=adjusted))
    texts_ = [*found.pictures.values(), *(text for path, text in found.tables.items() if path.endswith(".md"))]
    assert all(said in text for text in texts_)
    assert said not in "".join(report_figures(data(share("nurse"))).pictures.values())


def test_whatever_terms_and_names_hold_files_stay_well_formed() -> None:
    found = report_figures(data(share(HOSTILE), share("=1+1", value=0.2), generators=["g"], title=HOSTILE))
    for svg in found.pictures.values():
        ElementTree.fromstring(svg)
        assert "<script" not in svg
    assert "<script>alert(1)</script> | \\input{/etc/passwd} & 50%" in " ".join(texts(found.pictures[CHART]).split())
    assert [row[0] for row in cells(found)] == ["Term", HOSTILE, "'=1+1"]
    for path, text in found.tables.items():
        assert re.fullmatch(r"tables/[a-z0-9-]+/[a-z0-9-]+\.(tex|csv|md)", path)
        if path.endswith(".md"):
            assert "<script" not in text
            rows = [re.sub(r"\\.", "", line) for line in text.splitlines() if line.startswith("|")]
            assert len({line.count("|") for line in rows}) == 1
        if path.endswith(".tex"):
            assert "\\input" not in text
            assert "50%" not in text


def test_names_that_look_alike_become_different_files() -> None:
    names = ["a/b", "a b", "A-B", "模型", "模型2", "x" * 300, "x" * 301]
    found = report_figures(data(*(share("nurse", name, method="someones") for name in names), generators=names))
    paths = [path for path in found.tables if path.endswith(".csv")]
    assert len(paths) == len(names)
    assert len({path.casefold() for path in paths}) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]{1,120}", path.split("/")[2].removesuffix(".csv")) for path in paths)
    assert "tables/someones/all-numbers-a-b-faces-1.csv" in paths


def test_rows_that_the_page_folds_are_in_the_table_only() -> None:
    found = report_figures(data(*(share(f"job {number:02d}", value=number / 100) for number in range(40))))
    assert len(cells(found)) == 41
    said = texts(found.pictures[CHART])
    assert "20 terms in between are not drawn" in said
    assert ("job 39" in said, "job 20" in said, "job 00" in said) == (True, False, True)


@pytest.mark.slow
def test_images_that_are_missing_have_a_chart(sample: ReportData) -> None:
    found = report_figures(sample)
    assert "Missing images" in texts(found.pictures["figures/missing/by-reason"])
    assert cells(found, "tables/missing/by-reason")[0] == ["Reason", "Model", "Value", "95 % interval", "n"]
    several = report_figures(replace(sample, annotators=[*sample.annotators, "other@1"]))
    assert "figures/representation/perceived-gender-by-term-faces-1-female" in several.pictures


def test_of_many_models_each_group_is_one_chart() -> None:
    names = list("abcdef")
    found = report_figures(data(*(share("nurse", name) for name in names), generators=names))
    assert CHART in found.pictures
    assert cells(found)[0][:3] == ["Chart", "Term", "Value"]
    assert [row[0] for row in cells(found)[1:]] == names

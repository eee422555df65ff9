"""The charts and tables of objects in captions as files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.methods.tbyb.report.own_rows import LEFT, SOFA

from portrayal.methods.tbyb.report.caption_charts import curve_chart
from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData
from portrayal.reports.charts.xy_chart import Plane
from portrayal.reports.figures.figure_files import ReportFigures, report_figures

SVG = "{http://www.w3.org/2000/svg}"


def score(metric: str, value: float, **more: Any) -> Measurement:
    bounds: dict[str, Any] = {"value": value, "low": value - 0.1, "high": value + 0.1, "n": 300}
    return Measurement("tbyb", metric, "g", "blip", "caption", **bounds, **more)


def word(rank: int, name: str) -> dict[str, Any]:
    about = {"generator": "g", "annotator": "blip", "rank": rank, "word": name, "images": 30 // rank}
    shares = {"share": 0.1 / rank, "low": 0.0, "high": 0.2, "height": 1 / rank}
    return {**about, **shares, "prompts": 1, "terms": 1, "with": ["apple"], "with_images": [30 // rank]}


@pytest.fixture(scope="module")
def found() -> ReportFigures:
    rows = [score("distribution_bias", 3.5), score("jaccard_hallucination", 0.4)]
    rows.append(score("jaccard_hallucination", 0.9, level="term", item="apple"))
    attributes = {"caption": attribute_table()["caption"]}
    own = {"tbyb.uninvited": [word(1, "table|top"), word(2, "cloth")], "tbyb.left_out": [LEFT]}
    data = ReportData("Things", ["g"], ["blip"], [], 3, attributes, rows, {"g": {"made": 300}}, {})
    return report_figures(replace(data, own_rows={**own, "tbyb.counted_as": [SOFA]}))


def cells(found: ReportFigures, name: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(found.tables[f"tables/tbyb/{name}.csv"], newline="")))


def test_scores_and_terms_have_charts_with_their_numbers(found: ReportFigures) -> None:
    assert {"figures/tbyb/scores", "figures/tbyb/curve", "figures/tbyb/terms"} == set(found.pictures)
    assert cells(found, "terms")[1] == ["apple", "90 %", "80–100 %", "300", "the interval is wider than it need be"]
    assert cells(found, "scores")[0][:3] == ["Chart", "Generator", "Value"]


def test_the_curve_of_uninvited_words_is_drawn(found: ReportFigures) -> None:
    picture = ElementTree.fromstring(found.pictures["figures/tbyb/curve"])
    assert picture.findtext(f"{SVG}desc") == (
        "Each dot is a word; the distribution bias is the area below the curve. Seen by blip. Images by g. "
        "Study: Things."
    )
    assert len(list(picture.iter(f"{SVG}circle"))) == 2
    assert "tables/tbyb/curve.csv" not in found.tables


def test_words_behind_the_scores_are_tables(found: ReportFigures) -> None:
    assert cells(found, "uninvited-g")[1] == ["table|top", "30", "10 %", "0–20 %", "apple (30)"]
    assert "| table\\|top | 30 | 10 % |" in found.tables["tables/tbyb/uninvited-g.md"]
    assert cells(found, "left-out-g")[1] == ["cat", "2", "3", "67 %", "dog"]
    assert cells(found, "counted-as")[1][:3] == ["sofa", "couch", "synonym"]


@pytest.mark.parametrize("words", [2, 3, 7, 40])
def test_no_rank_is_named_twice_below_the_curve(words: int) -> None:
    own = {"tbyb.uninvited": [word(rank, f"w{rank}") for rank in range(1, words + 1)]}
    chart = curve_chart(ReportData("Things", ["g"], ["blip"], [], 3, {}, [], {}, {}, own_rows=own), "blip", "")
    assert chart
    assert isinstance(chart.drawing, Plane)
    ranks = [label for _, label in chart.drawing.ticks]
    assert len(ranks) == len(set(ranks)) == min(words, 5)
    assert (ranks[0], ranks[-1]) == ("1", str(words))

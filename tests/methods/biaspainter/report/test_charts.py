"""Charts of who is kept: one group a row, and none where nobody compared edits with their seeds."""

from __future__ import annotations

from tests.samples.drawings import figure_of

from portrayal.methods.biaspainter.report.bias_charts import keeping_charts
from portrayal.records import Measurement
from portrayal.reports import ReportData


def data(*rows: Measurement) -> ReportData:
    return ReportData("T", ["g"], ["likeness@1"], [], 1, {}, rows, {}, {})


def row(metric: str, item: str, value: float) -> Measurement:
    level = "seeds" if item else "overall"
    return Measurement("biaspainter", metric, "g", "likeness@1", level=level, item=item, value=value, n=90, prompts=2)


def test_all_faces_then_single_groups() -> None:
    rows = [row("same_face", item, 0.8) for item in ("", "male", "middle_aged", "male, dark")]
    (chart,) = keeping_charts(data(*rows, row("fate", "", 0.1)))
    assert chart.title == "The person kept"
    (panel,) = figure_of(chart).panels
    assert [group.label for group in panel.head] == [
        "all faces (2\xa0seeds)",
        "male (2\xa0seeds)",
        "middle aged (2\xa0seeds)",
    ]


def test_without_such_an_annotator_there_are_none() -> None:
    assert keeping_charts(data(row("word_bias", "nurse", 0.8))) == []

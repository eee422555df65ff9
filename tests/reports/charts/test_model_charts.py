"""Several models in charts: few share them, many have their own, and what is folded is sorted."""

from __future__ import annotations

import pytest

from portrayal.records import Measurement
from portrayal.reports.charts.axes import Scale, share_scale
from portrayal.reports.charts.model_charts import ModelCharts, Table, model_figure

FIVE = ["a", "b", "c", "d", "e"]


def table(models: int, labels: int = 2) -> Table:
    """Return values that fall from the last label and the last model to the first."""
    rows = [[Measurement("m", "share", "g", value=(number + 1) / 100, n=9)] * models for number in range(labels)]
    return [(f"row {number:02d}", cells) for number, cells in enumerate(rows)]


def test_a_few_models_share_a_chart() -> None:
    (panel,) = ModelCharts(FIVE[:4], "Term", Scale(0, 1)).panels("Title", table(4))
    assert panel.title == "Title"
    assert [[lane.series for lane in row.lanes] for row in panel.rows] == [[0, 1, 2, 3]] * 2


def test_many_models_have_a_chart_each_and_its_title_says_whose_it_is() -> None:
    charts = ModelCharts(FIVE, "Term", Scale(0, 1))
    assert [panel.title for panel in charts.panels("Title", table(5))] == [f"{name}: Title" for name in FIVE]
    assert [panel.title for panel in charts.panels("", table(5))] == FIVE
    turned = ModelCharts(FIVE, "Term", Scale(0, 1), heading="{title} of {model}")
    assert turned.panels("Title", table(5))[0].title == "Title of a"


def test_or_they_stand_below_each_other_in_a_chart_for_each_label() -> None:
    charts = ModelCharts(FIVE, "Term", Scale(0, 1), models_as="Model")
    panels = charts.panels("Title", table(5))
    assert [(panel.title, panel.header) for panel in panels] == [("Title: row 00", "Model"), ("Title: row 01", "Model")]
    assert [row.label for row in panels[0].rows] == FIVE
    assert [panel.title for panel in charts.panels("Title", [("", table(5)[0][1])])] == ["Title"]


@pytest.mark.parametrize(
    ("labels", "ranked", "first"), [(3, False, "row 00"), (3, True, "row 02"), (27, False, "row 26")]
)
def test_rows_are_sorted_where_they_are_ranked_or_too_many_to_be_shown_whole(
    labels: int, ranked: bool, first: str
) -> None:
    (panel,) = ModelCharts(["a"], "Term", Scale(0, 1), ranked=ranked).panels("", table(1, labels))
    assert panel.head[0].label == first


def test_without_any_measurement_there_is_no_figure() -> None:
    assert model_figure(["a"], {"": [("row", [None])]}, "Term", share_scale) is None
    drawn = model_figure(["a"], {"": table(1)}, "Term", share_scale)
    assert drawn is not None
    assert drawn.panels[0].scale.high == 0.2, "the axis holds all rows"

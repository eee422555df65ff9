"""Any measurements become charts: terms are rows, generators colours, and what else differs is drawn apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portrayal.errors import InputError
from portrayal.records import Attribute, Measurement, Note
from portrayal.reports import ReportData
from portrayal.reports.charts.axes import share_scale
from portrayal.reports.charts.rows_figure import MOST_PANELS, group_figure, rows_figure

GENDER = Attribute("gender", "perceived gender", ("male", "female"))
TONE = Attribute("tone3", "perceived skin tone", ("light", "medium", "dark"))
ATTRIBUTES = {own.name: own for own in (GENDER, TONE)}
SHARE = Measurement(
    method="representation", metric="share", generator="a", annotator="x", attribute="gender", group="female",
    level="term", item="nurse", value=0.75, low=0.5, high=0.9, target=0.5, n=16,
)  # fmt: skip


def test_terms_are_rows_from_high_to_low_and_generators_colours() -> None:
    values = {"CEO": 0.1, "nurse": 0.8}
    rows = [replace(SHARE, item=item, generator=who, value=own) for item, own in values.items() for who in "ab"]
    figure = rows_figure(rows, ATTRIBUTES)
    (panel,) = figure.panels
    assert [row.label for row in panel.head] == ["nurse", "CEO"]
    assert [lane.series for lane in panel.head[0].lanes] == [0, 1]
    assert figure.legend == [(0, "a"), (1, "b")]
    assert figure.title == "Share · perceived gender · female"
    assert (panel.scale.unit, panel.has_target) == ("%", True)


def test_of_two_groups_one_is_drawn_unless_only_the_other_is_given() -> None:
    both = [replace(SHARE, group=group, item=item) for group in GENDER.groups for item in ("CEO", "nurse")]
    assert rows_figure(both, ATTRIBUTES).title.endswith("female")
    assert rows_figure([row for row in both if row.group == "male"], ATTRIBUTES).title.endswith("male")
    tones = [replace(SHARE, attribute="tone3", group=group) for group in TONE.groups]
    (panel,) = rows_figure(tones, ATTRIBUTES).panels
    assert {row.label for row in panel.head} == set(TONE.groups)


def test_what_differs_is_drawn_apart_and_named() -> None:
    rows = [
        replace(SHARE, attribute=name, group=group, item=item)
        for name, group in (("gender", "female"), ("tone3", "dark"))
        for item in ("CEO", "nurse")
    ]
    titles = [panel.title for panel in rows_figure(rows, ATTRIBUTES).panels]
    assert titles == ["Perceived gender · female", "Perceived skin tone · dark"]


def test_more_generators_than_colours_are_drawn_one_by_one() -> None:
    rows = [replace(SHARE, generator=who, item=item) for who in "abcde" for item in ("CEO", "nurse")]
    figure = rows_figure(rows, ATTRIBUTES)
    assert [panel.title for panel in figure.panels] == list("abcde")
    assert list(figure.legend) == []
    (panel,) = rows_figure([replace(SHARE, generator=who) for who in "abcde"], ATTRIBUTES).panels
    assert [row.label for row in panel.head] == list("abcde")


def test_numbers_that_are_no_share_have_an_axis_of_their_own() -> None:
    age = replace(SHARE, metric="mean", attribute="age", group="", value=41.0, low=30.0, high=60.0, target=None)
    rows = [replace(age, item=item) for item in "xy"]
    assert rows_figure(rows, ATTRIBUTES).panels[0].scale.unit == ""


def test_of_many_terms_the_ends_are_drawn_and_the_others_counted() -> None:
    rows = [replace(SHARE, item=f"term {n}", value=n / 100, notes=(Note.of("only_images", n=3),)) for n in range(60)]
    (panel,) = rows_figure(rows, ATTRIBUTES).panels
    assert (len(panel.head), len(panel.middle), len(panel.tail), panel.left_out) == (10, 0, 10, 40)
    assert [letter for letter, _ in panel.footnotes] == ["a"]


@pytest.mark.parametrize("rows", [[], [replace(SHARE, value=None)], [replace(SHARE, value=float("nan"))]])
def test_nothing_to_draw_is_an_error(rows: list[Measurement]) -> None:
    with pytest.raises(InputError, match="there is no number to draw; choose other measurements"):
        rows_figure(rows, ATTRIBUTES)


def test_too_many_charts_say_what_to_choose() -> None:
    rows = [replace(SHARE, metric=f"m{n}", item=item) for n in range(MOST_PANELS + 1) for item in "xy"]
    with pytest.raises(
        InputError, match=r"25 charts are too many to draw, for these differ: metric; choose with metric="
    ):
        rows_figure(rows, ATTRIBUTES)


def test_groups_are_rows_of_a_chart_for_each_attribute_and_annotator() -> None:
    """Rows without a number stay, as what notes say would else be lost."""
    told = replace(SHARE, level="overall", item="")
    rows = [replace(told, generator=who, group=group) for who in "ab" for group in GENDER.groups]
    rows += [replace(told, attribute="tone3", group="", metric="role_gap", value=None)]
    data = ReportData("Jobs", ["a", "b"], ["x"], [], 12, ATTRIBUTES, rows, {}, {})
    gender, tone = group_figure(rows, data, share_scale(rows)).panels
    assert (gender.title, tone.title) == ("Perceived gender", "Perceived skin tone")
    assert [row.label for row in gender.head] == ["male", "female"]
    assert [[lane.series for lane in row.lanes] for row in gender.head] == [[0, 1], [0, 1]]
    assert [row.label for row in tone.head] == ["role gap"]
    assert [lane.value for lane in tone.head[0].lanes] == ["no data", "not measured"]
    rows = [replace(told, annotator=who) for who in ("x", "y")]
    titles = [panel.title for panel in group_figure(rows, data, share_scale(rows)).panels]
    assert titles == ["Perceived gender, seen by x", "Perceived gender, seen by y"]

"""Charts and tables are declared once: a section's content is searched for them, and panels may be files."""

from __future__ import annotations

from dataclasses import dataclass

from tests.samples.drawings import figure_of

from portrayal.reports.charts.axes import Scale
from portrayal.reports.charts.marks import Figure, Panel
from portrayal.reports.figures.named_figures import NamedChart, NamedTable, alone, exhibits
from portrayal.reports.section import Shown


@dataclass(frozen=True)
class View:
    table: NamedTable | None
    charts: list[tuple[str, NamedChart]]
    title: str = "nothing to draw"


def chart(name: str, *titles: str, title: str = "", **parts: tuple[str, str]) -> NamedChart:
    panels = [Panel(own, "Term", Scale(0, 1), ()) for own in titles]
    return NamedChart(name, "Title", Figure(title, panels), parts=parts)


def test_charts_and_tables_are_told_at_any_depth_in_their_order() -> None:
    table = NamedTable("table", "T", ["a"], [["1"]])
    content = {"views": [View(table, [("x", chart("first"))]), View(None, [("y", chart("second"))])], "more": b"bytes"}
    assert [own.name for own in exhibits(content)] == ["table", "first", "second"]
    assert [own.name for own in Shown(content, [("link", "Link")], frozenset()).exhibits] == [
        "table",
        "first",
        "second",
    ]


def test_a_panel_with_a_name_is_a_file_and_is_titled_there_as_it_says() -> None:
    both = chart("shares", "Female", "Male", Female=("women", "female"), Male=("men", "male"))
    assert [(own.name, own.title) for own in alone(both)] == [
        ("shares female", "Title: women"),
        ("shares male", "Title: men"),
    ]
    assert [panel.title for own in alone(both) for panel in figure_of(own).panels] == ["", ""]


def test_panels_of_which_one_has_no_name_stay_together() -> None:
    (together,) = alone(chart("shares", "Female", "model a", Female=("women", "female")))
    assert (together.name, together.title) == ("shares", "Title")
    assert [panel.title for panel in figure_of(together).panels] == ["women", "model a"]


def test_so_do_those_of_a_figure_with_a_title_which_names_them() -> None:
    (together,) = alone(chart("shares", "model a", "model b", title="Female", Female=("women", "female")))
    assert (together.name, together.title) == ("shares female", "Title: women")
    assert len(figure_of(together).panels) == 2


def test_a_title_that_would_add_nothing_is_left_out() -> None:
    (only,) = alone(chart("ages", "Age", Age=("Age", "")))
    assert (only.name, only.title) == ("ages", "Title")

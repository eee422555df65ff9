from __future__ import annotations

from portrayal.records import Measurement
from portrayal.reports.charts.axes import Scale
from portrayal.reports.charts.interval_chart import figure, panel

SCALE = Scale(0.0, 1.0, "%")


def row(low: float, high: float, target: float | None = None) -> Measurement:
    return Measurement("m", "share", "g", value=(low + high) / 2, low=low, high=high, target=target, n=10)


def differs(*rows: Measurement) -> bool:
    return panel("", "Term", [(str(place), [(0, own)]) for place, own in enumerate(rows)], SCALE).differs


def test_a_chart_differs_where_an_interval_leaves_its_reference_out() -> None:
    assert differs(row(0.1, 0.3, 0.2), row(0.1, 0.3, 0.4))
    assert not differs(row(0.1, 0.3, 0.2), row(0.5, 0.9, 0.6))


def test_without_a_reference_it_differs_where_two_intervals_lie_apart() -> None:
    assert differs(row(0.0, 0.2), row(0.3, 0.5))
    assert not differs(row(0.0, 0.3), row(0.2, 0.5))
    assert differs(row(0.0, 0.3))
    assert not differs()


def test_of_many_charts_those_in_which_nothing_differs_are_folded() -> None:
    flat = [
        panel(f"flat {number}", "Term", [("t", [(0, row(0.0, 0.3))]), ("u", [(0, row(0.1, 0.2))])], SCALE)
        for number in range(3)
    ]
    steep = panel("steep", "Term", [("t", [(0, row(0.0, 0.1))]), ("u", [(0, row(0.3, 0.5))])], SCALE)
    many = figure("", [*flat, steep], ["g"])
    assert [own.title for own in many.open] == ["steep"]
    assert [own.title for own in many.flat] == ["flat 0", "flat 1", "flat 2"]
    few = figure("", [*flat[:2], steep], ["g"])
    assert (len(few.open), few.flat) == (3, [])


def test_of_folded_charts_only_those_with_a_reference_hold_it() -> None:
    even = [panel(f"even {number}", "Term", [("t", [(0, row(0.1, 0.3, 0.2))])], SCALE) for number in range(2)]
    bare = [
        panel(f"bare {number}", "Term", [("t", [(0, row(0.1, 0.3))]), ("u", [(0, row(0.1, 0.2))])], SCALE)
        for number in range(2)
    ]
    steep = panel("steep", "Term", [("t", [(0, row(0.1, 0.3, 0.6))])], SCALE)
    folds = [
        (compared, [own.title for own in panels]) for compared, panels in figure("", [*bare, steep, *even], ["g"]).folds
    ]
    assert folds == [(True, ["even 0", "even 1"]), (False, ["bare 0", "bare 1"])]

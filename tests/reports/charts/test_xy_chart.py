from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from portrayal.reports.charts.axes import Scale, tight_scale
from portrayal.reports.charts.xy_chart import Plane, PlaneSeries, area_path, line_path, place

X, Y = Scale(0, 10), Scale(-1, 1)


def test_lines_go_from_the_bottom_up() -> None:
    assert line_path([(0, -1), (5, 0), (10, 1)], X, Y) == "M0 100L50 50L100 0"
    assert line_path([], X, Y) == ""


def test_bands_come_back_along_the_other_side() -> None:
    assert area_path([(0, -1), (10, -1)], [(0, 1), (10, 1)], X, Y) == "M0 100L100 100L100 0L0 0Z"
    assert area_path([], [], X, Y) == ""


def test_what_lies_beyond_the_axes_stays_on_their_edge() -> None:
    point = place(12, 5, X, Y, "far")
    assert (point.x, point.y, point.text) == ("100", "0", "far")


def test_marks_of_the_upright_axis_are_counted_from_the_top() -> None:
    plane = Plane("", "x", "y", Y, [], [PlaneSeries(0, "one")])
    assert plane.rows == [("100", "−1"), ("75", "−0.5"), ("50", "0"), ("25", "0.5"), ("0", "1")]


@given(st.lists(st.floats(-1e6, 1e6), max_size=8))
def test_an_axis_of_four_round_steps_holds_every_number(values: list[float]) -> None:
    scale = tight_scale(values)
    assert scale.low < scale.high
    for value in values:
        less = 1e-6 + 1e-8 * (scale.high - scale.low)  # what nobody sees
        assert scale.low <= value + less
        assert value <= scale.high + less


def test_the_axis_is_no_longer_than_it_need_be() -> None:
    assert (tight_scale([0.3, 7.2]).low, tight_scale([0.3, 7.2]).high) == (0, 8)
    assert (tight_scale([0.61, 0.69]).low, tight_scale([0.61, 0.69]).high) == (0.6, 0.7)
    assert tight_scale([]).low == 0


def test_marks_of_an_axis_are_told_apart_even_where_all_numbers_are_equal() -> None:
    for values in ([1.32948] * 3, [1.32948, 1.3294800001], [0.0], [-250.0]):
        labels = [label for _, label in tight_scale(values).ticks]
        assert len(set(labels)) == 5, labels

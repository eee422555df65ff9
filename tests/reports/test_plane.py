from __future__ import annotations

from portrayal.reports.plane import Plane, PlaneSeries, area_path, line_path, place
from portrayal.reports.scales import Scale, range_scale

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


def test_an_axis_around_numbers_has_round_ends() -> None:
    scale = range_scale([0.3, 7.2])
    assert (scale.low, scale.high) == (0, 8)

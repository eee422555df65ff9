"""Points in a cube: where they are drawn, and that what is drawn can be read."""

from __future__ import annotations

from itertools import pairwise, product

from portrayal.reports.charts.cube_chart import HEIGHT, WIDTH, Space, space
from portrayal.reports.charts.cube_chart_svg import draw_space
from portrayal.reports.charts.svg_canvas import picture

AXES = ["B_D", "H_J", "M_G"]


def drawn(*points: tuple[float, float, float]) -> Space:
    return space("T", "S", AXES, [(own, str(place), f"point {place}") for place, own in enumerate(points, start=1)])


def test_a_point_stands_straight_above_its_place_on_the_floor() -> None:
    found = drawn((0.2, 0.7, 0.5), (0.9, 0.1, 0.0))
    for (x, y, _), foot in zip(found.points, found.feet, strict=True):
        assert x == foot[0]
        assert y <= foot[1]
    drops = [line for line in found.lines if line.kind == "drop"]
    assert sorted(line.start for line in drops) == sorted((x, y) for x, y, _ in found.points)
    assert sorted(line.end for line in drops) == sorted(found.feet)


def test_more_of_each_axis_goes_its_own_way() -> None:
    ((x, y, _),) = drawn((0.0, 0.0, 0.0)).points
    ((right, nearer, _),) = drawn((1.0, 0.0, 0.0)).points
    ((left, near, _),) = drawn((0.0, 1.0, 0.0)).points
    ((same, higher, _),) = drawn((0.0, 0.0, 1.0)).points
    assert right > x > left
    assert nearer == near > y
    assert (same, higher < y) == (x, True)


def test_what_is_nearer_is_drawn_later() -> None:
    found = drawn((1.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.5, 0.5, 0.5))
    assert [said for _, _, said in found.points] == ["point 2", "point 3", "point 1"]


def test_every_corner_lies_in_the_picture() -> None:
    corners = [(float(x), float(y), float(z)) for x, y, z in product((0, 1), repeat=3)]
    for x, y, _ in drawn(*corners).points:
        assert 20 < x < WIDTH - 20
        assert 20 < y < HEIGHT - 20


def test_labels_of_points_at_one_place_can_all_be_read() -> None:
    found = drawn(*[(0.5, 0.5, 0.5)] * 4)
    heights = sorted(text.at[1] for text in found.texts if text.kind == "label")
    assert all(after - before >= 12 for before, after in pairwise(heights))
    assert {text.text for text in found.texts if text.kind == "label"} == {"1", "2", "3", "4"}


def test_every_axis_is_named_with_both_ends() -> None:
    found = drawn((0.1, 0.2, 0.3))
    assert [text.text for text in found.texts if text.kind == "axis"] == AXES
    assert sorted(text.text for text in found.texts if text.kind == "tick") == ["0"] * 3 + ["1"] * 3


def test_as_a_picture_of_its_own_with_what_the_numbers_mean() -> None:
    svg = picture("T", "C", lambda pen: draw_space(drawn((0.1, 0.2, 0.3), (1, 1, 1)), ["1  a<b", "2  c"], pen))
    assert svg.startswith("<svg ")
    assert "<script" not in svg
    assert "1  a&lt;b" in svg
    assert svg.count("<circle") == 4

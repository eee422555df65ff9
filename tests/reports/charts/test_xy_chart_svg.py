"""A chart with two axes is drawn where its axes have it."""

from __future__ import annotations

from functools import partial
from xml.etree import ElementTree

from portrayal.reports.charts.axes import Scale
from portrayal.reports.charts.svg_canvas import WIDTH, picture
from portrayal.reports.charts.xy_chart import Plane, PlaneSeries, area_path, line_path, place
from portrayal.reports.charts.xy_chart_svg import draw_plane

SVG = "{http://www.w3.org/2000/svg}"
X, Y = Scale(0, 4), Scale(0, 1)
LOW, HIGH = [(0.0, 0.0), (4.0, 0.5)], [(0.0, 0.5), (4.0, 1.0)]
SERIES = PlaneSeries(
    0, "one", [place(4, 1, X, Y, "last")], [line_path(LOW, X, Y)], [line_path(HIGH, X, Y)], [area_path(LOW, HIGH, X, Y)]
)
PLANE = Plane("", "rank", "height", Y, [("0", "1"), ("100", "5")], [SERIES, PlaneSeries(1, "two")], "what it shows")


def test_points_and_lines_lie_where_the_axes_have_them() -> None:
    found = ElementTree.fromstring(picture("T", "C", partial(draw_plane, PLANE)))
    texts = {own.text: own for own in found.iter(f"{SVG}text")}
    assert {"one", "two", "rank", "height", "0", "0.5", "1", "5", "T", "C"} <= set(texts)
    right, left = (float(texts[name].attrib["x"]) for name in ("5", "rank"))
    assert right == left == WIDTH - 16
    rows = [float(own.attrib["y1"]) for own in found.iter(f"{SVG}line")]
    bottom, top = max(rows), min(rows)
    last = list(found.iter(f"{SVG}circle"))[-1]
    assert (float(last.attrib["cx"]), float(last.attrib["cy"])) == (right, top)
    band, line, beyond = [own.attrib for own in found.iter(f"{SVG}path")]
    assert line["d"].startswith("M60.0 ")
    assert line["d"].endswith(f"L{right:.1f} {(top + bottom) / 2:.1f}")
    assert line["fill"] == "none"
    assert "stroke-dasharray" in beyond
    assert band["d"].endswith("Z")

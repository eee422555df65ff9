"""A chart with two axes as part of an SVG picture."""

from __future__ import annotations

import re

from portrayal.reports.charts.svg_canvas import COLOURS, DIM, GRID, LINE, MARGIN, WIDTH, Pen
from portrayal.reports.charts.xy_chart import Plane, PlaneSeries

__all__ = ["draw_plane"]

_HEIGHT, _LEFT = 300, MARGIN + 44
_ACROSS = WIDTH - MARGIN - _LEFT
_POINT = re.compile(r"([-+.e\d]+) ([-+.e\d]+)")


def draw_plane(plane: Plane, pen: Pen) -> None:
    """Draw the chart below the legend of its colours."""
    if plane.title:
        pen.down(LINE)
        pen.text(MARGIN, plane.title, weight=600)
    if plane.legend:
        pen.legend([(series.index, series.name) for series in plane.series])
    pen.down(LINE + 4)
    pen.text(MARGIN, plane.y_title, size=11)
    pen.down(12)
    top = pen.y
    for place, label in plane.rows:
        down = _down(top, place)
        pen.line((_LEFT, WIDTH - MARGIN), (down, down), GRID, 1)
        pen.y = down + 4
        pen.text(_LEFT - 8, label, anchor="end", size=11)
    for place, _ in plane.marks:
        pen.line((_right(place),) * 2, (top, top + _HEIGHT), DIM, 1)
    for series in plane.series:
        _series(pen, series, top)
    pen.y = top + _HEIGHT + LINE
    for place, label in plane.ticks:
        pen.text(_right(place), label, anchor="middle", size=11)
    pen.down(LINE)
    pen.text(WIDTH - MARGIN, plane.x_title, anchor="end", size=11)


def _series(pen: Pen, series: PlaneSeries, top: float) -> None:
    colour = COLOURS[series.index % len(COLOURS)]
    line = f'fill="none" stroke="{colour}" stroke-width="1.8"'
    pen.parts += [f'<path d="{_placed(path, top)}" fill="{colour}" fill-opacity=".15"/>' for path in series.bands]
    pen.parts += [f'<path d="{_placed(path, top)}" {line}/>' for path in series.lines]
    pen.parts += [f'<path d="{_placed(path, top)}" {line} stroke-dasharray="5 4"/>' for path in series.beyond]
    for point in series.points:
        pen.mark(series.index, _right(point.x), _down(top, point.y))


def _placed(path: str, top: float) -> str:
    """Return a path that is told in percent of the plane where it lies in the picture."""
    return _POINT.sub(lambda point: f"{_right(point[1]):.1f} {_down(top, point[2]):.1f}", path)


def _right(place: str) -> float:
    return _LEFT + _ACROSS * float(place) / 100


def _down(top: float, place: str) -> float:
    return top + _HEIGHT * float(place) / 100

"""Charts with two axes as values: points, lines and bands; the template draws them as script-free SVG.

Positions are percentages, so that a chart is as wide as its page. Lines and bands lie in a square of 100 by 100 that is
stretched; points and words are not, and keep their shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from portrayal.reports.charts.axes import Scale

__all__ = ["Plane", "PlanePoint", "PlaneSeries", "area_path", "line_path", "place"]

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class PlanePoint:
    """A mark, and what is said of it."""

    x: str
    y: str
    text: str


@dataclass(frozen=True, slots=True)
class PlaneSeries:
    """What has one colour: points, lines, lines that go beyond the data, and bands, each as the path that SVG draws."""

    index: int
    name: str
    points: Sequence[PlanePoint] = ()
    lines: Sequence[str] = ()
    beyond: Sequence[str] = ()
    bands: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Plane:
    """A chart. ``summary`` says in words what it shows; ``ticks`` are positions and labels along the x axis."""

    title: str
    x_title: str
    y_title: str
    y: Scale
    ticks: Sequence[tuple[str, str]]
    series: Sequence[PlaneSeries]
    summary: str = ""
    legend: bool = True
    marks: Sequence[tuple[str, str]] = field(default_factory=tuple)
    """Positions along the x axis with an upright line each, and what it means."""

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The positions and labels along the y axis, from the bottom."""
        return [(f"{100 - float(at):g}", label) for at, label in self.y.ticks]


def line_path(points: Points, x: Scale, y: Scale) -> str:
    """Return the path of a line through points.

    >>> line_path([(0, 0), (1, 2)], Scale(0, 1), Scale(0, 4))
    'M0 100L100 50'
    """
    placed = [f"{x.at(across)} {_down(y, up)}" for across, up in points]
    return f"M{'L'.join(placed)}" if placed else ""


def area_path(lower: Points, upper: Points, x: Scale, y: Scale) -> str:
    """Return the path of the band between two lines."""
    return line_path([*lower, *reversed(upper)], x, y) + "Z" if lower and upper else ""


def place(across: float, up: float, x: Scale, y: Scale, text: str) -> PlanePoint:
    """Return a mark at a place of the plane."""
    return PlanePoint(x.at(across) or "0", _down(y, up), text)


def _down(scale: Scale, value: float) -> str:
    """Return a position from the top, as SVG counts."""
    return f"{100 - float(scale.at(value) or 0):.4g}"

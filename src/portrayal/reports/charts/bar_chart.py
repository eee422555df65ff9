"""Bars from 0 to 1, a chart for each score: as values, and as part of an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.reports.charts.svg_canvas import COLOURS, GRID, LINE, MARGIN, WIDTH, Pen
from portrayal.reports.text.letter_widths import wrapped

__all__ = ["BarPanel", "BarRow", "draw_bars"]

_BAR, _LABEL = 14, 46
_LEFT, _VALUE = MARGIN + 300, 120
_RIGHT = WIDTH - MARGIN - _VALUE


@dataclass(frozen=True, slots=True)
class BarRow:
    """One bar: of what, how long from 0 to 1, and the number beside it."""

    label: str
    length: float
    value: str

    @property
    def width(self) -> str:
        """Its length in percent."""
        return f"{100 * self.length:.4g}"


@dataclass(frozen=True, slots=True)
class BarPanel:
    """The bars of one score, each series of charts in another colour."""

    title: str
    series: int
    rows: Sequence[BarRow]


def draw_bars(panels: Sequence[BarPanel], pen: Pen) -> None:
    """Draw the charts one below the other."""
    for panel in panels:
        pen.down(LINE + 8)
        pen.text(MARGIN, panel.title, weight=600)
        pen.down(6)
        for row in panel.rows:
            _row(pen, row, COLOURS[panel.series % len(COLOURS)])


def _row(pen: Pen, row: BarRow, colour: str) -> None:
    lines = wrapped(row.label, _LABEL)
    top = pen.y
    for number, line in enumerate(lines):
        pen.y = top + LINE * (number + 1) - 2
        pen.text(_LEFT - 12, line, anchor="end", size=11)
    middle = top + LINE / 2 + 1
    pen.line((_LEFT, _RIGHT), (middle, middle), GRID, 1)
    pen.parts.append(
        f'<rect x="{_LEFT}" y="{middle - _BAR / 2:.1f}" width="{max(row.length * (_RIGHT - _LEFT), 1):.1f}" '
        f'height="{_BAR}" fill="{colour}"/>'
    )
    pen.y = middle + 4
    pen.text(_RIGHT + 12, row.value)
    pen.y = top + max(len(lines), 1) * LINE + 4

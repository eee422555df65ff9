"""A figure of the report as one SVG picture that needs nothing else: for notebooks, papers and slides."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from portrayal.reports.language import t
from portrayal.reports.marks import Figure, Lane, Panel, Row

__all__ = ["WIDTH", "figure_svg"]

WIDTH = 760
_MARGIN, _LANE, _LINE, _SIZE = 16, 20, 16, 12
_LETTER = 6.4
"""How wide a letter is on average, at the size of the text."""
_LABEL = 34
"""Letters of a label that stand on one line."""
_INK, _DIM, _GRID = "#1c2127", "#5d6670", "#e2dfd8"
_COLOURS = ("#1f6fb2", "#c4560b", "#15846a", "#8a56b0")
_FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_SHAPES = (
    '<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {style}/>',
    '<rect x="{left:.1f}" y="{top:.1f}" width="8" height="8" {style}/>',
    '<path d="M{x:.1f} {y:.1f}m0-5.5 5.5 5.5-5.5 5.5-5.5-5.5z" {style}/>',
    '<path d="M{x:.1f} {y:.1f}m0-5.2 5.4 9.6h-10.8z" {style}/>',
)
_PLANTED = '<path d="M{x:.1f} {y:.1f}m0-8 4.2 7.4h-8.4z" fill="{ink}"/>'


def figure_svg(figure: Figure) -> str:
    """Return the picture, with the colours and shapes of the page on white."""
    pen = _Pen()
    if figure.title:
        pen.down(20)
        pen.text(_MARGIN, figure.title, size=16, weight=600)
    _legend(pen, figure)
    for panel in figure.panels:
        pen.down(14)
        _panel(pen, panel)
    height = pen.y + _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} '
        f'{height:.0f}" font-family="{_FONT}"><rect width="100%" height="100%" fill="#fff"/>{"".join(pen.parts)}</svg>'
    )


@dataclass
class _Pen:
    """Draws downwards; ``y`` is the line that it is at."""

    y: float = _MARGIN / 2
    parts: list[str] = field(default_factory=list)

    def down(self, by: float) -> None:
        self.y += by

    def text(self, x: float, text: str, *, anchor: str = "start", size: int = _SIZE, weight: int = 400) -> None:
        colour = _DIM if size < _SIZE else _INK
        self.parts.append(
            f'<text x="{x:.1f}" y="{self.y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" '
            f'fill="{colour}">{escape(text)}</text>'
        )

    def line(self, x: tuple[float, float], y: tuple[float, float], colour: str, width: float) -> None:
        self.parts.append(
            f'<line x1="{x[0]:.1f}" x2="{x[1]:.1f}" y1="{y[0]:.1f}" y2="{y[1]:.1f}" stroke="{colour}" '
            f'stroke-width="{width}" stroke-linecap="round"/>'
        )

    def mark(self, series: int, x: float, y: float, *, hollow: bool = False) -> None:
        colour = _COLOURS[series % len(_COLOURS)]
        style = f'fill="#fff" stroke="{colour}" stroke-width="1.8"' if hollow else f'fill="{colour}"'
        self.parts.append(_SHAPES[series % len(_SHAPES)].format(x=x, y=y, left=x - 4, top=y - 4, style=style))


def _legend(pen: _Pen, figure: Figure) -> None:
    """Say what colours and marks mean."""
    for series, name in figure.legend if len(figure.legend) > 1 else ():
        pen.down(_LINE + 2)
        pen.mark(series, _MARGIN + 5, pen.y - 4)
        pen.text(_MARGIN + 16, name)
    said = [t("bar: 95&nbsp;% interval").replace("&nbsp;", "\N{NO-BREAK SPACE}")]
    said += [t("upright line: reference")] if figure.has_target else []
    said += [t("black triangle: planted truth")] if figure.has_planted else []
    said += [t("hollow: read with care, see note")] if figure.has_notes else []
    said += [t("upright stroke: corrected for few images")] if figure.has_corrected else []
    pen.down(_LINE + 2)
    pen.text(_MARGIN, "; ".join(said), size=11)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the track begins and ends, and where the numbers of images end."""

    left: float
    right: float
    end: float

    @classmethod
    def of(cls, panel: Panel, rows: Sequence[Row]) -> _Columns:
        label = max((len(line) for row in rows for line in _wrapped(row.label)), default=0)
        value = max((len(f"{lane.value} ({lane.interval})") for lane in panel.lanes), default=0)
        end = WIDTH - _MARGIN
        numbers = max((len(lane.n) + len(lane.letter) + 1 for lane in panel.lanes), default=0) + len("n = ")
        left = _MARGIN + max(label, 8) * _LETTER + 14
        return cls(left, end - (value + 2) * _LETTER - numbers * _LETTER - 14, end)

    def at(self, percent: str) -> float:
        """Return where on the track a place lies that is told in percent of it."""
        return self.left + (self.right - self.left) * float(percent) / 100


def _wrapped(label: str) -> list[str]:
    return textwrap.wrap(label, _LABEL) or [""]


def _panel(pen: _Pen, panel: Panel) -> None:
    rows = [*panel.head, *panel.middle, *panel.tail]
    columns = _Columns.of(panel, rows)
    if panel.title:
        pen.down(_LINE)
        pen.text(_MARGIN, panel.title, weight=600)
    pen.down(_LINE)
    for place, label in panel.scale.ticks:
        unit = "\N{THIN SPACE}%" if panel.scale.unit == "%" and place == "100" else ""
        pen.text(columns.at(place), label + unit, anchor="middle", size=11)
    pen.down(6)
    top, grid = pen.y, len(pen.parts)
    for number, row in enumerate(rows):
        if number == len(panel.head) and panel.left_out:
            pen.down(_LINE)
            pen.text(columns.left, t("{rows} in between are not drawn", rows=panel.between), size=11)
            pen.down(6)
        _row(pen, row, columns)
    after, pen.parts = pen.parts[grid:], pen.parts[:grid]
    for place, _ in panel.scale.ticks:
        pen.line((columns.at(place), columns.at(place)), (top, pen.y), _GRID, 1)
    pen.parts += after  # so that the grid lies below the marks
    for letter, note in panel.footnotes:
        pen.down(_LINE)
        pen.text(_MARGIN, f"{letter}  {note}", size=11)


def _row(pen: _Pen, row: Row, columns: _Columns) -> None:
    lines = _wrapped(row.label)
    height = max(len(row.lanes) * _LANE, len(lines) * _LINE + 4)
    top = pen.y
    for number, line in enumerate(lines):
        pen.y = top + 14 + number * _LINE
        pen.text(columns.left - 14, line, anchor="end")
    for number, lane in enumerate(row.lanes):
        pen.y = top + number * _LANE
        _lane(pen, lane, columns)
    pen.y = top + height


def _lane(pen: _Pen, lane: Lane, columns: _Columns) -> None:
    top, middle, bottom = pen.y + 1, pen.y + _LANE / 2, pen.y + _LANE - 1
    colour = _COLOURS[lane.series % len(_COLOURS)]
    if lane.target is not None:
        pen.line((columns.at(lane.target),) * 2, (top, bottom), _INK, 1.8)
    if lane.low is not None and lane.high is not None:
        pen.line((columns.at(lane.low), columns.at(lane.high)), (middle, middle), colour, 2.4)
    if lane.corrected is not None:
        pen.line((columns.at(lane.corrected),) * 2, (middle - 6, middle + 6), colour, 2)
    if lane.x is not None:
        pen.mark(lane.series, columns.at(lane.x), middle, hollow=bool(lane.letter))
    if lane.planted is not None:
        pen.parts.append(_PLANTED.format(x=columns.at(lane.planted), y=bottom + 1, ink=_INK))
    pen.y += 14
    pen.text(columns.right + 14, f"{lane.value} ({lane.interval})" if lane.interval else lane.value)
    if lane.n:
        pen.text(columns.end, f"n = {lane.n} {lane.letter}".rstrip(), anchor="end", size=11)

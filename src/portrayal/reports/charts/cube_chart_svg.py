"""Points in a cube as part of an SVG picture."""

from __future__ import annotations

from portrayal.reports.charts import cube_chart as space
from portrayal.reports.charts.cube_chart import Space
from portrayal.reports.charts.svg_canvas import COLOURS, DIM, GRID, LINE, MARGIN, WIDTH, Pen
from portrayal.reports.text.letter_widths import wrapped

__all__ = ["draw_space"]

_LEFT = (WIDTH - space.WIDTH) / 2
_KEY = 100
"""Letters of the key that stand on one line."""
_COLOUR = COLOURS[0]
_STROKES = {"grid": (GRID, 1.0), "axis": (DIM, 1.4), "drop": (_COLOUR, 1.2)}


def draw_space(drawn: Space, key: list[str], pen: Pen) -> None:
    """Draw the cube, and below it what the labels of its points stand for."""
    pen.down(LINE)
    top = pen.y
    for stroke in drawn.lines:
        colour, width = _STROKES[stroke.kind]
        pen.line(
            (_LEFT + stroke.start[0], _LEFT + stroke.end[0]),
            (top + stroke.start[1], top + stroke.end[1]),
            colour,
            width,
        )
    for x, y in drawn.feet:
        pen.parts.append(f'<circle cx="{_LEFT + x:.1f}" cy="{top + y:.1f}" r="2" fill="{_COLOUR}"/>')
    for x, y, _ in drawn.points:
        pen.mark(0, _LEFT + x, top + y)
    for text in drawn.texts:
        pen.y = top + text.at[1]
        size = 11 if text.kind == "tick" else 12
        pen.text(
            _LEFT + text.at[0], text.text, anchor=text.anchor, size=size, weight=600 if text.kind == "label" else 400
        )
    pen.y = top + space.HEIGHT
    for meaning in key:
        for line in wrapped(meaning, _KEY):
            pen.down(LINE)
            pen.text(MARGIN, line)

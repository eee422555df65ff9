"""The matrix of occupations and groups as part of an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence

from portrayal.language.translation import word
from portrayal.methods.socialbiaskg.report.matrix import Matrix
from portrayal.methods.socialbiaskg.report.relation_words import LETTERS
from portrayal.methods.socialbiaskg.report.stars import Mark
from portrayal.reports.charts.svg_canvas import COLOURS, GRID, INK, LINE, MARGIN, WIDTH, Pen
from portrayal.reports.text.letter_widths import wrapped

__all__ = ["draw_matrix"]

_LABEL = 150
"""Width of the column of occupations."""
_ROW, _MARK = 22, 19
_RISE = 5
"""How much higher the head of a column is for each of its letters."""
_COLOURS = dict(zip(("dominant_in", "stereotyped_as", "associated_with", "underrepresented_in"), COLOURS, strict=True))
"""The page's colours of the kinds of relations."""
_SHADES = (0.0, 0.12, 0.24, 0.38, 0.55)


def draw_matrix(matrix: Matrix, pen: Pen) -> None:
    """Draw a row for each occupation and a column for each group; a cell holds marks below each other."""
    assert set(_COLOURS) == set(LETTERS)
    across = (WIDTH - 2 * MARGIN - _LABEL) / max(len(matrix.groups), 1)
    pen.down(LINE + _RISE * max(map(len, matrix.groups), default=0))
    for place, group in enumerate(matrix.groups):
        pen.rising(MARGIN + _LABEL + place * across + 12, group)
    for major, jobs in matrix.rows:
        pen.down(LINE)
        pen.text(MARGIN, word(major), size=11)
        pen.down(6)
        for job, cells in jobs:
            _row(pen, job, cells, across)


def _row(pen: Pen, job: str, cells: Sequence[Sequence[Mark]], across: float) -> None:
    top, beside = pen.y, max(int(across // (_MARK + 7)), 1)
    pen.line((MARGIN, WIDTH - MARGIN), (top, top), GRID, 1)
    names = wrapped(job, 22)
    for number, line in enumerate(names):
        pen.y = top + 15 + number * 13
        pen.text(MARGIN, line)
    for place, marks in enumerate(cells):
        for number, mark in enumerate(marks):
            left = MARGIN + _LABEL + place * across + (number % beside) * (_MARK + 7)
            _mark(pen, mark, left, top + 3 + (number // beside) * _ROW)
    high = max([-(-len(marks) // beside) for marks in cells], default=1) * _ROW
    pen.y = top + max(high, 13 * len(names) + 6)


def _mark(pen: Pen, mark: Mark, left: float, top: float) -> None:
    colour = _COLOURS[mark.type]
    dashed = {"model": ' stroke-dasharray="3 2"', "untold": ' stroke-dasharray="1 2"'}.get(mark.state, "")
    text = mark.letter + ("?" if mark.uncertain else "")
    pen.parts.append(
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{_MARK + 4}" height="16" rx="3" fill="{COLOURS[0]}" '
        f'fill-opacity="{_SHADES[mark.shade]}" stroke="{colour}" stroke-width="1.4"{dashed}/>'
    )
    pen.y = top + 12.5
    pen.text(left + (_MARK + 4) / 2, text, anchor="middle")
    if mark.contrary:
        pen.line((left + 3, left + _MARK + 1), (top + 8, top + 8), INK, 1.2)

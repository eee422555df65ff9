"""What draws an SVG picture that needs nothing else, from the top down: text, lines and marks on white."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

from portrayal.language.direction import apart
from portrayal.reports.text.letter_widths import wrapped

__all__ = ["COLOURS", "DIM", "GRID", "INK", "LETTER", "LINE", "MARGIN", "WIDTH", "Pen", "picture"]

WIDTH = 760
MARGIN, LINE, SIZE = 16, 16, 12
LETTER = 6.4
"""How wide a letter is on average, at the size of the text."""
INK, DIM, GRID = "#1c2127", "#5d6670", "#e2dfd8"
COLOURS = ("#1f6fb2", "#c4560b", "#15846a", "#8a56b0")
_SMALL = 118
"""Small letters that stand on one line."""
_TITLE = 80
_FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_SHAPES = (
    '<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {style}/>',
    '<rect x="{left:.1f}" y="{top:.1f}" width="8" height="8" {style}/>',
    '<path d="M{x:.1f} {y:.1f}m0-5.5 5.5 5.5-5.5 5.5-5.5-5.5z" {style}/>',
    '<path d="M{x:.1f} {y:.1f}m0-5.2 5.4 9.6h-10.8z" {style}/>',
)
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML file may hold, however they are written."""


@dataclass
class Pen:
    """Draws downwards; ``y`` is the line that it is at."""

    y: float = MARGIN / 2
    parts: list[str] = field(default_factory=list)

    def down(self, by: float) -> None:
        """Go on further down."""
        self.y += by

    def text(self, x: float, text: str, *, anchor: str = "start", size: int = SIZE, weight: int = 400) -> None:
        """Write on the line that it is at; small text is dim."""
        colour = DIM if size < SIZE else INK
        self.parts.append(
            f'<text x="{x:.1f}" y="{self.y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" '
            f'fill="{colour}">{_plain(apart(text))}</text>'
        )

    def rising(self, x: float, text: str) -> None:
        """Write small text that rises to the right from the line that it is at, as the head of a narrow column."""
        self.parts.append(
            f'<text x="{x:.1f}" y="{self.y:.1f}" transform="rotate(-55 {x:.1f} {self.y:.1f})" text-anchor="start" '
            f'font-size="11" fill="{DIM}">{_plain(apart(text))}</text>'
        )

    def paragraph(self, text: str) -> None:
        """Write small text on as many lines as it needs."""
        for line in wrapped(text, _SMALL):
            self.down(LINE)
            self.text(MARGIN, line, size=11)

    def line(self, x: tuple[float, float], y: tuple[float, float], colour: str, width: float) -> None:
        """Draw a straight line."""
        self.parts.append(
            f'<line x1="{x[0]:.1f}" x2="{x[1]:.1f}" y1="{y[0]:.1f}" y2="{y[1]:.1f}" stroke="{colour}" '
            f'stroke-width="{width}" stroke-linecap="round"/>'
        )

    def mark(self, series: int, x: float, y: float, *, hollow: bool = False) -> None:
        """Draw a mark in the colour and shape of its series."""
        colour = COLOURS[series % len(COLOURS)]
        style = f'fill="#fff" stroke="{colour}" stroke-width="1.8"' if hollow else f'fill="{colour}"'
        self.parts.append(_SHAPES[series % len(_SHAPES)].format(x=x, y=y, left=x - 4, top=y - 4, style=style))

    def legend(self, series: Sequence[tuple[int, str]]) -> None:
        """Say what colours and shapes mean; one alone needs no word."""
        for number, name in series if len(series) > 1 else ():
            self.down(LINE + 2)
            self.mark(number, MARGIN + 5, self.y - 4)
            self.text(MARGIN + 16, name)


def picture(title: str, caption: str, draw: Callable[[Pen], None]) -> str:
    """Return what is drawn as a picture with its title above and its caption below, both also to be read aloud."""
    pen = Pen()
    for line in wrapped(title, _TITLE):
        pen.down(20)
        pen.text(MARGIN, line, size=16, weight=600)
    draw(pen)
    if caption:
        pen.down(8)
        pen.paragraph(caption)
    height = pen.y + MARGIN
    read_aloud = f"<title>{_plain(title)}</title>" if title else ""
    read_aloud += f"<desc>{_plain(caption)}</desc>" if caption else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{height:.0f}" '
        f'viewBox="0 0 {WIDTH} {height:.0f}" font-family="{_FONT}">{read_aloud}'
        '<rect width="100%" height="100%" fill="#fff"/>'
        f"{''.join(pen.parts)}</svg>"
    )


def _plain(text: str) -> str:
    return escape(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", text))

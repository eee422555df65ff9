"""A figure of the report as one SVG picture that needs nothing else: for notebooks, papers and slides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from portrayal.language.translation import t
from portrayal.reports.charts.marks import Figure, Lane, Panel, Row
from portrayal.reports.charts.svg_canvas import COLOURS, GRID, INK, LETTER, LINE, MARGIN, WIDTH, Pen, picture
from portrayal.reports.text.letter_widths import columns, wrapped
from portrayal.reports.text.wide_intervals import wide_words

__all__ = ["WIDTH", "draw_figure", "figure_svg"]

_LANE = 20
_LABEL = 34
"""Letters of a label that stand on one line."""
_HEADING = 100
"""Letters of a chart's title that stand on one line."""
_PLANTED = '<path d="M{x:.1f} {y:.1f}m0-8 4.2 7.4h-8.4z" fill="{ink}"/>'


def figure_svg(figure: Figure) -> str:
    """Return the picture, with the colours and shapes of the page on white."""
    return picture(figure.title, "", partial(_with_key, figure))


def draw_figure(figure: Figure, pen: Pen) -> None:
    """Draw the charts below the legend of their colours."""
    pen.legend(figure.legend)
    _panels(figure, pen)


def _with_key(figure: Figure, pen: Pen) -> None:
    """Say what colours and marks mean, then draw the charts."""
    pen.legend(figure.legend)
    said = [t("bar: 95&nbsp;% interval").replace("&nbsp;", "\N{NO-BREAK SPACE}")]
    said += [t("upright line: reference")] if figure.has_target else []
    said += [t("black triangle: planted truth")] if figure.has_planted else []
    said += [t("hollow: read with care, see note")] if figure.has_notes else []
    said += [t("upright stroke: corrected for few images")] if figure.has_corrected else []
    pen.down(LINE + 2)
    pen.text(MARGIN, "; ".join(said), size=11)
    if figure.has_wide:
        pen.paragraph(wide_words())
    _panels(figure, pen)


def _panels(figure: Figure, pen: Pen) -> None:
    for panel in figure.panels:
        pen.down(14)
        _panel(pen, panel)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the track begins and ends, and where the numbers of images end."""

    left: float
    right: float
    end: float

    @classmethod
    def of(cls, panel: Panel) -> _Columns:
        label = max((columns(line) for row in panel.rows for line in wrapped(row.label, _LABEL)), default=0)
        value = max((len(f"{lane.value} ({lane.interval})") for lane in panel.lanes), default=0)
        end = WIDTH - MARGIN
        numbers = max((len(lane.n) + len(lane.letter) + 1 for lane in panel.lanes), default=0) + len("n = ")
        left = MARGIN + max(label, 8) * LETTER + 14
        return cls(left, end - (value + 2) * LETTER - numbers * LETTER - 14, end)

    def at(self, percent: str) -> float:
        """Return where on the track a place lies that is told in percent of it."""
        return self.left + (self.right - self.left) * float(percent) / 100


def _panel(pen: Pen, panel: Panel) -> None:
    places = _Columns.of(panel)
    if panel.title:
        for line in wrapped(panel.title, _HEADING):
            pen.down(LINE)
            pen.text(MARGIN, line, weight=600)
    if panel.ends:
        pen.down(LINE)
        pen.text(places.left, f"\N{LEFTWARDS ARROW} {panel.ends[0]}", size=11)
        pen.text(places.right, f"{panel.ends[1]} \N{RIGHTWARDS ARROW}", anchor="end", size=11)
    pen.down(LINE)
    for place, label in panel.scale.ticks:
        unit = "\N{THIN SPACE}%" if panel.scale.unit == "%" and place == "100" else ""
        pen.text(places.at(place), label + unit, anchor="middle", size=11)
    pen.down(6)
    top, grid = pen.y, len(pen.parts)
    for number, row in enumerate(panel.rows):
        if number == len(panel.head) and panel.left_out:
            pen.down(LINE)
            pen.text(places.left, t("{rows} in between are not drawn", rows=panel.between), size=11)
            pen.down(6)
        _row(pen, row, places)
    after, pen.parts = pen.parts[grid:], pen.parts[:grid]
    for place, _ in panel.scale.ticks:
        pen.line((places.at(place), places.at(place)), (top, pen.y), GRID, 1)
    pen.parts += after  # so that the grid lies below the marks
    for letter, note in panel.footnotes:
        pen.paragraph(f"{letter}  {note}")


def _row(pen: Pen, row: Row, places: _Columns) -> None:
    lines = wrapped(row.label, _LABEL)
    height = max(len(row.lanes) * _LANE, len(lines) * LINE + 4)
    top = pen.y
    for number, line in enumerate(lines):
        pen.y = top + 14 + number * LINE
        pen.text(places.left - 14, line, anchor="end")
    for number, lane in enumerate(row.lanes):
        pen.y = top + number * _LANE
        _lane(pen, lane, places)
    pen.y = top + height


def _lane(pen: Pen, lane: Lane, places: _Columns) -> None:
    top, middle, bottom = pen.y + 1, pen.y + _LANE / 2, pen.y + _LANE - 1
    colour = COLOURS[lane.series % len(COLOURS)]
    if lane.target is not None:
        pen.line((places.at(lane.target),) * 2, (top, bottom), INK, 1.8)
    if lane.low is not None and lane.high is not None:
        pen.line((places.at(lane.low), places.at(lane.high)), (middle, middle), colour, 2.4)
    if lane.corrected is not None:
        pen.line((places.at(lane.corrected),) * 2, (middle - 6, middle + 6), colour, 2)
    if lane.x is not None:
        pen.mark(lane.series, places.at(lane.x), middle, hollow=bool(lane.letter))
    if lane.planted is not None:
        pen.parts.append(_PLANTED.format(x=places.at(lane.planted), y=bottom + 1, ink=INK))
    pen.y += 14
    pen.text(places.right + 14, f"{lane.value} ({lane.interval})" if lane.interval else lane.value)
    if lane.n:
        pen.text(places.end, f"n = {lane.n} {lane.letter}".rstrip(), anchor="end", size=11)

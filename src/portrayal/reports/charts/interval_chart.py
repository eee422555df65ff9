"""Dot-and-interval charts as values; the template draws them.

A chart is a table with a small inline SVG in each row, not one picture. It follows the page's theme and width, reads
aloud as a table, prints, and costs a few hundred bytes a row: a static export of a plotting library does none of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase

from portrayal.language.translation import t
from portrayal.records import Measurement, Note
from portrayal.reports.charts.axes import Scale
from portrayal.reports.charts.marks import Figure, Lane, Panel, Row
from portrayal.reports.gallery.picture_links import Links
from portrayal.reports.text.notes import notes_words
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import ARROW, count, known

__all__ = [
    "FOLD_ABOVE",
    "MAX_COLOURS",
    "UNCUT",
    "Cells",
    "Figure",
    "Fold",
    "Lane",
    "Panel",
    "Row",
    "figure",
    "panel",
    "sorted_by_value",
]

MAX_COLOURS = 4
"""More generators than this become small multiples: more colours can no longer be told apart."""
FOLD_ABOVE = 26
"""Rows of a chart that are drawn openly; of more, only the ends are."""

Cells = Sequence[tuple[int, Measurement | None]]
"""What stands in one row: the number of a colour, and the measurement drawn in it."""


@dataclass(frozen=True, slots=True)
class Fold:
    """How a long chart is cut: the rows open at either end, and whether those in between are drawn at all."""

    ends: int = 10
    middle: bool = True


UNCUT = Fold()


@dataclass(slots=True)
class _Notes:
    letters: dict[tuple[Note, ...], str] = field(default_factory=dict)

    def letter(self, notes: tuple[Note, ...]) -> str:
        if not notes:
            return ""
        index = len(self.letters)
        name = ascii_lowercase[index] if index < len(ascii_lowercase) else str(index + 1)
        return self.letters.setdefault(notes, name)

    def listed(self) -> list[tuple[str, str]]:
        return [(letter, notes_words(notes)) for notes, letter in self.letters.items()]


def _lane(series: int, row: Measurement | None, scale: Scale, notes: _Notes, n: int) -> Lane:
    if row is None:
        return Lane(series, t("not measured"))
    letter, value = notes.letter(row.notes), known(row.value)
    target, planted, low, high = known(row.target), known(row.planted), known(row.low), known(row.high)
    corrected = None if value is None else known(row.corrected)
    numbers = [scale.text(number, n) for number in (value, corrected) if number is not None]
    return Lane(
        series,
        t("no data") if value is None else ARROW.join(dict.fromkeys(numbers)),
        interval="" if None in (value, low, high) else scale.between(low or 0.0, high or 0.0, n) + sign(row),
        n=count(row.n),
        letter=letter,
        x=scale.at(value),
        low=None if value is None else scale.at(low),
        high=None if value is None else scale.at(high),
        target=scale.at(target),
        planted=scale.at(planted),
        target_text="" if target is None else scale.text(target),
        planted_text="" if planted is None else scale.text(planted),
        corrected=scale.at(corrected),
    )


def _mean(cells: Cells) -> float | None:
    values = [row.value for _, row in cells if row and known(row.value) is not None and row.value is not None]
    return sum(values) / len(values) if values else None


def sorted_by_value(rows: Sequence[tuple[str, Cells]]) -> list[tuple[str, Cells]]:
    """Return rows from the highest mean over generators to the lowest, ties by label, those without data last."""
    means = {label: _mean(cells) for label, cells in rows}

    def key(row: tuple[str, Cells]) -> tuple[bool, float, str]:
        mean = means[row[0]]
        return (mean is None, -(mean or 0.0), row[0])

    return sorted(rows, key=key)


def panel(
    title: str,
    header: str,
    rows: Sequence[tuple[str, Cells]],
    scale: Scale,
    fold: Fold = UNCUT,
    links: Links | None = None,
) -> Panel:
    """Return a chart of ``rows`` in the order given; with ``links`` each leads to its pictures."""
    notes = _Notes()
    # As many decimals as the row of fewest images carries: those of one column are the same.
    n = min((row.n for _, cells in rows for _, row in cells if row and known(row.value) is not None), default=0)

    def draw(some: Sequence[tuple[str, Cells]]) -> list[Row]:
        return [
            Row(
                label,
                [_lane(series, row, scale, notes, n) for series, row in cells],
                links.row(label) if links else "",
                links.pictures(label) if links else "",
            )
            for label, cells in some
        ]

    differs = _differs([row for _, cells in rows for _, row in cells if row])
    if len(rows) <= FOLD_ABOVE:
        return Panel(title, header, scale, draw(rows), footnotes=notes.listed(), differs=differs)
    valued = [row for row in rows if _mean(row[1]) is not None]
    empty = [row for row in rows if _mean(row[1]) is None]
    ends = min(fold.ends, len(valued) // 2)
    middle = [*valued[ends : len(valued) - ends], *empty]
    head, tail = draw(valued[:ends]), draw(valued[len(valued) - ends :])
    kept = draw(middle) if fold.middle else []
    left_out = len(middle) - len(kept)
    return Panel(
        title,
        header,
        scale=scale,
        head=head,
        middle=kept,
        tail=tail,
        left_out=left_out,
        footnotes=notes.listed(),
        differs=differs,
    )


def _differs(rows: Sequence[Measurement]) -> bool:
    """Return whether an interval leaves its reference out, or two of one column lie apart where there is none.

    A number alone, without a reference, is not one of many in which nothing differs.
    """
    bounded = [row for row in rows if None not in (known(row.value), known(row.low), known(row.high))]
    targets = [(row.low or 0.0, known(row.target), row.high or 0.0) for row in bounded]
    if any(target is not None for _, target, _ in targets):
        return any(target is not None and not low <= target <= high for low, target, high in targets)
    if len(bounded) == 1:
        return True  # there is nothing that it could lie apart from
    return bool(bounded) and max(row.low or 0.0 for row in bounded) > min(row.high or 0.0 for row in bounded)


def figure(title: str, panels: Sequence[Panel], generators: Sequence[str], folded: bool = False) -> Figure:
    """Return charts with the legend that tells the generators apart; one generator needs none."""
    series = {lane.series for panel in panels for lane in panel.lanes}
    legend = [(index, name) for index, name in enumerate(generators) if index in series]
    return Figure(title, panels, legend if len(generators) <= MAX_COLOURS else (), folded)

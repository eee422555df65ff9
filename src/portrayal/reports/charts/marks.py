"""What a chart consists of, ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.translation import spoken, t, word
from portrayal.reports.charts.axes import Scale
from portrayal.reports.text.wide_intervals import SIGN
from portrayal.reports.text.words import plural

__all__ = ["Figure", "Lane", "Panel", "Row"]

MANY = 4
"""From so many charts on, those in which nothing differs are folded."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One measurement: positions in percent of the track (None: nothing to draw) and the words beside it."""

    series: int
    value: str
    interval: str = ""
    n: str = ""
    letter: str = ""
    x: str | None = None
    low: str | None = None
    high: str | None = None
    target: str | None = None
    planted: str | None = None
    target_text: str = ""
    planted_text: str = ""
    corrected: str | None = None

    @property
    def summary(self) -> str:
        """The lane as a sentence, for those who hear or hover."""
        parts = [f"{self.value} ({self.interval})" if self.interval else self.value]
        parts += [f"n = {self.n}"] if self.n else []
        parts += [t("reference {value}", value=self.target_text)] if self.target_text else []
        parts += [t("planted {value}", value=self.planted_text)] if self.planted_text else []
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Row:
    """A label and one lane per generator; ``anchor`` is its own, ``pictures`` that of the pictures behind it."""

    label: str
    lanes: Sequence[Lane]
    anchor: str = ""
    pictures: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart. Of a long one only the ends are open, ``middle`` is folded and ``left_out`` rows are not drawn.

    ``header`` says in English what the rows are: "Term", "Category".
    """

    title: str
    header: str
    scale: Scale
    head: Sequence[Row]
    middle: Sequence[Row] = ()
    tail: Sequence[Row] = ()
    left_out: int = 0
    footnotes: Sequence[tuple[str, str]] = ()
    ends: tuple[str, str] | None = None
    """What the two ends of the axis mean, where that is not plain from the numbers."""
    differs: bool = True
    """Whether any interval leaves its reference out, or any two lie apart where there is none."""

    @property
    def rows(self) -> list[Row]:
        """Every row drawn."""
        return [*self.head, *self.middle, *self.tail]

    @property
    def lanes(self) -> list[Lane]:
        """Every lane drawn."""
        return [lane for row in self.rows for lane in row.lanes]

    @property
    def style(self) -> str:
        """The widths of the text columns; rows are laid out one by one and could not agree on them otherwise."""
        value = max((len(f"{lane.value} {lane.interval}") for lane in self.lanes), default=0)
        n = max((len(lane.n) + bool(lane.letter) for lane in self.lanes), default=0)
        return f"--v:{max(value, 12)}ch;--n:{max(n, 3)}ch"

    @property
    def heading(self) -> str:
        """The head of the column of labels."""
        return word(self.header)

    @property
    def between(self) -> str:
        """How many rows lie between the open ends, drawn or not."""
        number = len(self.middle) or self.left_out
        noun = self.header.lower()
        many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
        # Only English makes a plural of any noun.
        return plural(number, noun, many) if spoken() == "en" else plural(number, "row")

    @property
    def has_target(self) -> bool:
        """Whether any lane is compared with a reference."""
        return any(lane.target for lane in self.lanes)

    @property
    def has_planted(self) -> bool:
        """Whether the truth of any lane is known."""
        return any(lane.planted for lane in self.lanes)


@dataclass(frozen=True, slots=True)
class Figure:
    """Charts that share a legend."""

    title: str
    panels: Sequence[Panel]
    legend: Sequence[tuple[int, str]] = ()
    folded: bool = False

    @property
    def flat(self) -> list[Panel]:
        """The charts in which nothing differs, where there are enough charts for that to be worth a fold."""
        flat = [panel for panel in self.panels if not panel.differs]
        return flat if len(self.panels) >= MANY and len(flat) > 1 else []

    @property
    def folds(self) -> list[tuple[bool, list[Panel]]]:
        """These charts by whether they have a reference: only of one that does can an interval hold it."""
        folds = [
            (compared, [panel for panel in self.flat if panel.has_target is compared]) for compared in (True, False)
        ]
        return [(compared, panels) for compared, panels in folds if panels]

    @property
    def open(self) -> list[Panel]:
        """The other charts."""
        flat = self.flat
        return [panel for panel in self.panels if panel not in flat]

    @property
    def anchors(self) -> set[str]:
        """The anchors of all rows that have one."""
        return {row.anchor for panel in self.panels for row in panel.rows if row.anchor}

    @property
    def has_target(self) -> bool:
        """Whether the legend needs the reference mark."""
        return any(panel.has_target for panel in self.panels)

    @property
    def has_planted(self) -> bool:
        """Whether the legend needs the planted mark."""
        return any(panel.has_planted for panel in self.panels)

    @property
    def has_corrected(self) -> bool:
        """Whether the legend needs the mark of corrected estimates."""
        return any(lane.corrected for panel in self.panels for lane in panel.lanes)

    @property
    def has_wide(self) -> bool:
        """Whether the sign of an interval that is wider than it need be must be explained."""
        return any(lane.interval.endswith(SIGN) for panel in self.panels for lane in panel.lanes)

    @property
    def has_notes(self) -> bool:
        """Whether the legend needs the hollow mark."""
        return any(panel.footnotes for panel in self.panels)

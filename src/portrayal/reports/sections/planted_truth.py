"""Where the truth was planted: was it found again, and if not, which mistakes explain it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.records import Attribute, Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.lookup import chart_groups
from portrayal.reports.text.wide_intervals import interval_text
from portrayal.reports.text.words import attribute_title, capital, count, human, known, percent

__all__ = ["Matrix", "Miss", "TruthCheck", "truth_check"]

MISSES_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Miss:
    """A share whose interval does not hold the planted truth."""

    term: str
    generator: str
    annotator: str
    attribute: str
    group: str
    planted: str
    drawn: str
    seen: str
    interval: str
    n: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """Planted against perceived groups: counts, and the share of each row as text and as a tint from 0 to 1."""

    title: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, int, Sequence[tuple[str, str, str, bool]]]]
    right: int
    total: int

    @property
    def agreement(self) -> str:
        """The share of images read as they were planted."""
        return percent(self.right / self.total, self.total) if self.total else t("no data")


@dataclass(frozen=True, slots=True)
class TruthCheck:
    """How many intervals hold the truth, those that do not, and the confusions behind them."""

    inside: int
    total: int
    no_data: int
    by_attribute: Sequence[tuple[str, int, int, str]]
    misses: Sequence[Miss]
    misses_total: int
    matrices: Sequence[Matrix]

    @property
    def share(self) -> str:
        """The share of intervals that hold the truth."""
        return percent(self.inside / self.total) if self.total else t("no data")


def truth_check(data: ReportData, per_image: Sequence[Measurement]) -> TruthCheck | None:
    """Return the check, or None when no generator's truth is known; ``per_image`` rows count each image once."""
    cells = _cells(data, per_image)
    matrices = [
        _matrix(data.attributes[name], f" ({annotator})" if len(data.annotators) > 1 else "", table)
        for (annotator, name), table in data.confusion.items()
        if name in data.attributes and table
    ]
    if not cells and not matrices:
        return None
    usable = [row for row in cells if None not in (known(row.value), known(row.low), known(row.high))]
    outside = [row for row in usable if not _holds(row)]
    by_attribute = []
    for name in dict.fromkeys(row.attribute for row in usable):
        mine = [row for row in usable if row.attribute == name]
        inside = sum(_holds(row) for row in mine)
        title = capital(attribute_title(data.attributes[name]))
        by_attribute.append((title, inside, len(mine), percent(inside / len(mine))))
    ranked = sorted(outside, key=lambda row: -abs((row.value or 0.0) - (row.planted or 0.0)))
    return TruthCheck(
        len(usable) - len(outside),
        len(usable),
        no_data=len(cells) - len(usable),
        by_attribute=by_attribute,
        misses=[_miss(row, data.attributes[row.attribute]) for row in ranked[:MISSES_SHOWN]],
        misses_total=len(outside),
        matrices=matrices,
    )


def _cells(data: ReportData, rows: Sequence[Measurement]) -> list[Measurement]:
    return [
        row
        for row in rows
        if row.metric == "share"
        and row.level == "term"
        and known(row.planted) is not None
        and row.attribute in data.attributes
        and row.group in chart_groups(data.attributes[row.attribute])
    ]


def _holds(row: Measurement) -> bool:
    """Return whether the interval holds the truth; a bound that equals it up to rounding does."""
    assert row.low is not None
    assert row.high is not None
    assert row.planted is not None
    return row.low - 1e-9 <= row.planted <= row.high + 1e-9


def _miss(row: Measurement, attribute: Attribute) -> Miss:
    value, planted = row.value or 0.0, row.planted or 0.0
    return Miss(
        row.item,
        row.generator,
        annotator=row.annotator,
        attribute=attribute_title(attribute),
        group=human(row.group),
        planted=percent(planted),
        drawn=t("unknown") if row.drawn is None else percent(row.drawn, row.n),
        seen=percent(value, row.n),
        interval=interval_text(row),
        n=count(row.n),
    )


def _matrix(attribute: Attribute, seen_by: str, table: Mapping[tuple[str, str], int]) -> Matrix:
    groups = [group for group in attribute.groups if any(group in pair for pair in table)]
    seen = list(dict.fromkeys([*groups, *sorted(perceived for _, perceived in table)]))
    asked = list(dict.fromkeys([*groups, *sorted(planted for planted, _ in table)]))
    rows = []
    for planted in asked:
        counts = [table.get((planted, perceived), 0) for perceived in seen]
        total = sum(counts)
        cells = [
            (
                count(number),
                percent(number / total) if total else "",
                f"{number / total:.2f}" if total else "0",
                name == planted,
            )
            for name, number in zip(seen, counts, strict=True)
        ]
        rows.append((human(planted), total, cells))
    right = sum(number for (planted, perceived), number in table.items() if planted == perceived)
    title = capital(attribute_title(attribute)) + seen_by
    return Matrix(title, [human(name) for name in seen], rows, right, sum(table.values()))

"""Every measurement as text, one table per generator and annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t, word
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts.axes import PERCENTAGES
from portrayal.reports.data import ReportData
from portrayal.reports.section import Section, section_of
from portrayal.reports.text.notes import notes_words, reason_words
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import (
    ARROW,
    aspect_title,
    capital,
    count,
    decimal,
    human,
    known,
    p_value,
    percent,
    percent_range,
    points,
    signed,
    span,
)

__all__ = ["MeasurementTable", "TableRow", "measurement_tables"]

ROW_BUDGET = 4000
SIDE_METRICS = ("difference", "ratio")
"""Printed in the row of the share they compare: on their own they would triple the table."""
LEVELS = ("overall", "kind", "category", "term", "pair", "prompt")


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line: what, how much, compared with what, from how many."""

    item: str
    metric: str
    attribute: str
    group: str
    value: str
    interval: str
    target: str
    planted: str
    difference: str
    ratio: str
    n: str
    missing: str
    note: str


@dataclass(frozen=True, slots=True)
class MeasurementTable:
    """The lines of one generator as one annotator saw it, by one method."""

    title: str
    method: str
    generator: str
    annotator: str
    rows: Sequence[TableRow]
    left_out: int
    left_out_levels: Sequence[tuple[str, int]] = ()
    """What the rows left out are about."""


def measurement_tables(data: ReportData) -> list[MeasurementTable]:
    """Return all rows, coarse levels first; what exceeds the page's budget is counted, not hidden."""
    sides: dict[tuple[str, ...], Measurement] = {}
    groups: dict[tuple[str, str, str], list[Measurement]] = {}
    shares = {_key(row) for row in data.measurements if row.metric == "share"}
    for row in data.measurements:
        if row.metric in SIDE_METRICS and _key(row) in shares:
            sides[(row.metric, *_key(row))] = row
        else:
            groups.setdefault((row.method, row.generator, row.annotator), []).append(row)
    budget = ROW_BUDGET // max(len(groups), 1)
    return [_table(key, rows, sides, data.attributes, budget) for key, rows in groups.items()]


def _key(row: Measurement) -> tuple[str, ...]:
    place = (row.level, row.item, row.language or "", row.variant or "")
    return (row.method, row.generator, row.annotator, row.attribute, row.group, *place, row.reference)


def _table(
    key: tuple[str, str, str],
    rows: Sequence[Measurement],
    sides: Mapping[tuple[str, ...], Measurement],
    attributes: Mapping[str, Attribute],
    budget: int,
) -> MeasurementTable:
    method, generator, annotator = key
    section = section_of(method)
    words = _Words(section, attributes, _precisions(section, rows))
    seen_by = t(", seen by {annotator}", annotator=annotator) if annotator else ""
    ordered = sorted(rows, key=lambda row: LEVELS.index(row.level) if row.level in LEVELS else len(LEVELS))
    lines = [words.row(row, sides) for row in ordered[:budget]]
    left = Counter(row.level for row in ordered[budget:])
    levels = [(word(level), number) for level, number in left.items()]
    return MeasurementTable(f"{generator}{seen_by} ({method})", *key, lines, left.total(), levels)


@dataclass(frozen=True, slots=True)
class _Precision:
    """How finely the values of one metric and level are printed, all alike: images behind a share, other decimals."""

    n: int
    digits: int


def _precisions(section: Section, rows: Sequence[Measurement]) -> dict[tuple[str, str], _Precision]:
    """Return by metric and level what the row of fewest images and the typical interval can carry."""
    by_place: dict[tuple[str, str], list[Measurement]] = {}
    for row in rows:
        if known(row.value) is not None:
            by_place.setdefault((row.metric, row.level), []).append(row)
    return {
        key: _Precision(min(row.n for row in valued), sorted(map(section.digits, valued))[len(valued) // 2])
        for key, valued in by_place.items()
    }


@dataclass(frozen=True, slots=True)
class _Words:
    """Puts the rows of one method into words, as its section does."""

    section: Section
    attributes: Mapping[str, Attribute]
    precisions: Mapping[tuple[str, str], _Precision]

    def precision(self, row: Measurement) -> _Precision:
        return self.precisions.get((row.metric, row.level)) or _Precision(row.n, self.section.digits(row))

    def row(self, row: Measurement, sides: Mapping[tuple[str, ...], Measurement]) -> TableRow:
        return TableRow(
            item=self.section.item(row),
            metric=human(row.metric),
            attribute=capital(aspect_title(row.attribute, self.attributes)) if row.attribute else "",
            group=reason_words(row.group) if row.metric == "missing" else human(row.group),
            value=self.corrected(row) or t("no data"),
            interval=self.interval(row),
            target=self.value(row, row.target),
            planted=self.value(row, row.planted),
            difference=self.side(sides.get(("difference", *_key(row)))),
            ratio=self.side(sides.get(("ratio", *_key(row)))),
            n=count(row.n),
            missing=count(row.missing),
            note=notes_words(row.notes),
        )

    def value(self, row: Measurement, value: float | None) -> str:
        value = known(value)
        if value is None:
            return ""
        if row.metric in PERCENTAGES:
            return percent(value, self.precision(row).n)
        if row.metric.endswith("_p"):
            return p_value(value)
        return points(value) if row.metric == "difference" else decimal(value, self.precision(row).digits)

    def corrected(self, row: Measurement) -> str:
        """Return the value and, where it is another, the estimate that the interval is around."""
        numbers = (self.value(row, number) for number in (row.value, row.corrected))
        return ARROW.join(dict.fromkeys(filter(None, numbers)))

    def interval(self, row: Measurement) -> str:
        low, high = known(row.low), known(row.high)
        if low is None or high is None or known(row.value) is None:
            return ""
        if row.metric in PERCENTAGES:
            return percent_range(low, high, self.precision(row).n) + sign(row)
        if row.metric == "difference":
            return span(signed(100 * low), signed(100 * high)) + sign(row)
        digits = self.precision(row).digits
        return span(decimal(low, digits), decimal(high, digits)) + sign(row)

    def side(self, row: Measurement | None) -> str:
        if row is None:
            return ""
        value, interval = self.value(row, row.value), self.interval(row)
        if not value:
            return t("no data: {why}", why=notes_words(row.notes)) if row.notes else t("no data")
        return f"{value} ({interval})" if interval else value

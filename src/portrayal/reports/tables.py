"""Every measurement as text, one table per generator and annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.records import Attribute, Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.faintbench.rows import FAINTBENCH, aspect_title, spelled
from portrayal.reports.language import note, t, word
from portrayal.reports.words import (
    attribute_title,
    capital,
    count,
    decimal,
    human,
    known,
    percent,
    percent_range,
    points,
    score_digits,
    signed,
    span,
)

__all__ = ["MeasurementTable", "TableRow", "measurement_tables"]

ROW_BUDGET = 4000
SIDE_METRICS = ("difference", "ratio")
"""Printed in the row of the share they compare: on their own they would triple the table."""
LEVELS = ("overall", "kind", "category", "term", "pair", "prompt")
PERCENTAGES = ("share", "missing", "hallucination_rate")


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
    """The lines of one generator as one annotator saw it."""

    title: str
    rows: Sequence[TableRow]
    left_out: int
    left_out_levels: Sequence[tuple[str, int]] = ()
    """What the rows left out are about, said where a method has levels finer than a term."""


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
    seen_by = t(", seen by {annotator}", annotator=annotator) if annotator else ""
    ordered = sorted(rows, key=lambda row: LEVELS.index(row.level) if row.level in LEVELS else len(LEVELS))
    lines = [_row(row, sides, attributes) for row in ordered[:budget]]
    left = Counter(row.level for row in ordered[budget:])
    levels = [(word(level), number) for level, number in left.items()] if method == FAINTBENCH else []
    return MeasurementTable(f"{generator}{seen_by} ({method})", lines, left.total(), levels)


def _row(
    row: Measurement, sides: Mapping[tuple[str, ...], Measurement], attributes: Mapping[str, Attribute]
) -> TableRow:
    bench = row.method == FAINTBENCH
    return TableRow(
        item=_item(row),
        metric=human(row.metric),
        attribute=_attribute(row, attributes),
        group=human(row.group),
        value=_value(row, row.value) or t("no data"),
        interval=_interval(row),
        target=_value(row, row.target),
        planted=_value(row, row.planted),
        difference=_side(sides.get(("difference", *_key(row)))),
        ratio=_side(sides.get(("ratio", *_key(row)))),
        n=count(row.n),
        missing=count(row.missing),
        note=note(spelled(row.note, attributes) if bench else row.note),
    )


def _item(row: Measurement) -> str:
    """Return what a row is about; a benchmark's own kinds and categories are words, a user's are names."""
    if row.method == FAINTBENCH and row.level in ("kind", "category"):
        return word(row.item)
    asked = " ".join(filter(None, (row.language, row.variant)))
    against = f" − {row.reference}" if row.metric == "paired_difference" else ""
    return (row.item or word(row.level)) + (f" ({asked}{against})" if asked else "")


def _attribute(row: Measurement, attributes: Mapping[str, Attribute]) -> str:
    if row.method == FAINTBENCH:
        return capital(aspect_title(row.attribute, attributes)) if row.attribute else ""
    attribute = attributes.get(row.attribute)
    return capital(attribute_title(attribute)) if attribute else human(row.attribute)


def _value(row: Measurement, value: float | None) -> str:
    value = known(value)
    if value is None:
        return ""
    if row.metric in PERCENTAGES:
        return percent(value, row.n)
    return points(value) if row.metric == "difference" else decimal(value, _digits(row))


def _interval(row: Measurement) -> str:
    low, high = known(row.low), known(row.high)
    if low is None or high is None or known(row.value) is None:
        return ""
    if row.metric in PERCENTAGES:
        return percent_range(low, high, row.n)
    if row.metric == "difference":
        return span(signed(100 * low), signed(100 * high))
    return span(decimal(low, _digits(row)), decimal(high, _digits(row)))


def _digits(row: Measurement) -> int:
    return score_digits(row.low, row.high) if row.method == FAINTBENCH else 2


def _side(row: Measurement | None) -> str:
    if row is None:
        return ""
    value, interval = _value(row, row.value), _interval(row)
    if not value:
        return t("no data: {why}", why=note(row.note)) if row.note else t("no data")
    return f"{value} ({interval})" if interval else value

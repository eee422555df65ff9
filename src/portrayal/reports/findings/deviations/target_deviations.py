"""Rows that have a target, as deviations: for sections that bring none of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from portrayal.language.translation import t, word
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Deviation, Line, Statement
from portrayal.reports.text.sample_words import image_count, rests_on
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import (
    aspect_title,
    capital,
    decimal,
    human,
    known,
    percent,
    percent_range,
    percents,
    span,
)

if TYPE_CHECKING:
    from portrayal.reports.findings.deviations.deviation import Test

__all__ = ["target_deviations"]


def target_deviations(data: ReportData, method: str, item: Callable[[Measurement], str]) -> Iterator[Deviation]:
    """Return every row of a method that has a value, an interval and a target; ``item`` says what a row is about."""
    for row in data.measurements:
        if row.method == method and None not in map(known, (row.value, row.low, row.high, row.target)):
            yield _deviation(data, row, item)


def _deviation(data: ReportData, row: Measurement, item: Callable[[Measurement], str]) -> Deviation:
    value, target, reference = _texts(row)
    interval = _interval(row)
    about = " · ".join(filter(None, [item(row), _measured(data, row)]))

    def statement() -> Statement:
        title = word(data.reference_titles.get(row.reference) or row.reference)
        basis = [
            t("95 % interval {interval}", interval=interval),
            rests_on(row) if row.n else "",
            t("reference: {name}", name=title) if title else "",
        ]
        sentence = t("{value}; the reference says {target}", value=value, target=target)
        return Statement(capital(about), sentence, ", ".join(filter(None, basis)), [row.method])

    subject = (row.method, row.generator, row.metric, row.annotator, row.attribute, row.level, row.item)
    return Deviation(
        row.generator,
        (*subject, row.language, row.variant),
        test=_test(row),
        broad=row.level == "overall",
        word=statement,
        topic=row.attribute,
        images=image_count(row) if row.metric == "share" else 0,
        missing=row.missing,
        within=data.missing_within,
        line=lambda: Line(
            capital(item(row)), value, interval, reference, human(row.group) if row.metric == "share" else ""
        ),
        row=row,
    )


def _measured(data: ReportData, row: Measurement) -> str:
    """Return what was measured: the attribute and group of a share, else the metric."""
    words = [aspect_title(row.attribute, data.attributes)] if row.attribute else []
    words += [human(row.group)] if row.group else []
    return ", ".join(words if row.metric == "share" else [word(row.metric.replace("_", " ")), *words])


def _texts(row: Measurement) -> tuple[str, str, str]:
    """Return the value and its target, and the target once more for a table."""
    value, target = row.value or 0.0, row.target or 0.0
    if row.metric != "share":
        return decimal(value), decimal(target), decimal(target)
    share, wanted = percents(value, target, row.n)
    return share, wanted, percent(target, row.n)


def _interval(row: Measurement) -> str:
    low, high = row.low or 0.0, row.high or 0.0
    ends = percent_range(low, high, row.n) if row.metric == "share" else span(decimal(low), decimal(high))
    return ends + sign(row)


def _test(row: Measurement) -> Test:
    from portrayal.stats.targets.target import NumberTest, ShareTest  # scipy takes a moment to load

    value, target = row.value or 0.0, row.target or 0.0
    images = known(row.worth) or float(image_count(row))
    if row.metric == "share" and images and 0 <= value <= 1 and 0 <= target <= 1:
        return ShareTest(value, images, target)
    return NumberTest(value, row.low or 0.0, row.high or 0.0, target)

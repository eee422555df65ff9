"""Differences between two sides as a chart and a table with names of their own, for the page and for papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from portrayal.language.translation import t
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts.axes import Scale
from portrayal.reports.charts.interval_chart import figure, panel
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.words.difference_words import DifferenceLine, about
from portrayal.reports.figures.named_figures import NamedChart, NamedTable
from portrayal.reports.text.words import NBSP, aspect_title, human

__all__ = ["difference_chart", "difference_table"]

_DRAWN = 20
"""Differences in a chart; the table has all that the page lists."""


def difference_chart(
    one: str, other: str, differences: Sequence[Difference], attributes: Mapping[str, Attribute], *, seen_by: bool
) -> NamedChart | None:
    """Return the surest differences of shares with their intervals, in points; None where there is none."""
    shares = [each for each in differences if is_share(each.one) and each.low == each.low][:_DRAWN]
    if not shares:
        return None
    names = {"one": one, "other": other}
    rows = [(_label(each, attributes, seen_by=seen_by), [(0, _points(each))]) for each in shares]
    drawn = panel("", "About", rows, Scale(-100.0, 100.0, digits=0))
    return NamedChart(
        f"differences {one} {other}",
        t("Differences in points: {one} less {other}", **names),
        figure("", [drawn], []),
        marks=t("difference in points"),
        target=t("no difference"),
        counts=t("n counts the images of the side that has fewer."),
    )


def difference_table(one: str, other: str, lines: Sequence[DifferenceLine], *, caption: str) -> NamedTable:
    """Return every line of two sides as the page has it."""
    header = [
        t("About"),
        t("Perceived as, or score"),
        one,
        other,
        t("Difference"),
        t("95&nbsp;% interval").replace("&nbsp;", NBSP),
        t("p, corrected"),
        t("{one} compared with {other}", one=one, other=other),
    ]
    return NamedTable(
        f"compared {one} {other}",
        t("{one} and {other}", one=one, other=other),
        header=header,
        rows=[
            [line.about, line.group, line.one, line.other, line.difference, line.interval, line.p, line.verdict]
            for line in lines
        ],
        caption=caption,
    )


def _label(each: Difference, attributes: Mapping[str, Attribute], *, seen_by: bool) -> str:
    row = each.one
    title = aspect_title(row.attribute, attributes)
    return f"{about(row, attributes, seen_by=seen_by)} · {title}, {human(row.group)}"


def _points(each: Difference) -> Measurement:
    """Return a difference as a measurement that charts draw: in points, beside none."""
    n = min(each.one.n, each.other.n)
    ends = (100 * each.low, 100 * each.high)
    return Measurement("", "difference", "", value=100 * each.value, low=ends[0], high=ends[1], target=0.0, n=n)

"""What each share could be with the missing images, and where that changes a finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from portrayal.language.translation import t
from portrayal.records import Attribute, Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.findings.missing_ends import MissingEnds
from portrayal.reports.lookup import chart_groups
from portrayal.reports.text.words import aspect_title, capital, count, human, known, percent, percent_range

__all__ = ["BoundLine", "Change", "MissingBound", "bound_lines", "missing_bounds"]

SHOWN = 12
"""Rows of the table on a page; the others are in the study."""


class Change(StrEnum):
    """What the missing images could do to a finding."""

    GONE = "gone"
    """A deviation whose interval leaves the reference out could be none."""
    HIDDEN = "hidden"
    """Where none was found, there could be one of more than is tolerated."""
    NONE = ""


@dataclass(frozen=True, slots=True)
class MissingBound:
    """A share, and the least and the greatest that it could be with the missing images."""

    row: Measurement
    least: float
    greatest: float
    change: Change


@dataclass(frozen=True, slots=True)
class BoundLine:
    """The same in words."""

    model: str
    about: str
    group: str
    share: str
    missing: str
    bounds: str
    reference: str
    change: str


def missing_bounds(
    rows: Sequence[Measurement], attributes: Mapping[str, Attribute], ends: MissingEnds, tolerance: float
) -> list[MissingBound]:
    """Return the bounds of every share of which images are missing; those that change a finding first, then the widest.

    Of two groups one stands for both. A share of several prompts has none where these were asked for unevenly and
    nobody knows which of them lost what.
    """
    bounds = []
    for row in rows:
        attribute = attributes.get(row.attribute.rpartition(".")[2])
        if row.metric != "share" or not row.missing or attribute is None or row.group not in chart_groups(attribute):
            continue
        if known(row.value) is not None and (both := ends.ends(row)) is not None:
            bounds.append(MissingBound(row, *both, _change(row, both, tolerance)))
    return sorted(bounds, key=lambda each: (each.change is Change.NONE, each.change, each.least - each.greatest))


def _change(row: Measurement, ends: tuple[float, float], tolerance: float) -> Change:
    if row.target is None or row.low is None or row.high is None:
        return Change.NONE
    if not row.low <= row.target <= row.high:
        return Change.GONE if ends[0] <= row.target <= ends[1] else Change.NONE
    furthest = max(row.target - ends[0], ends[1] - row.target)
    already = abs((row.value or 0.0) - row.target)
    return Change.HIDDEN if furthest > tolerance >= already else Change.NONE


def bound_lines(data: ReportData) -> tuple[list[BoundLine], int]:
    """Return the bounds as the page shows them, and how many more there are."""
    ends = MissingEnds.of(data.measurements, data.asked, data.missing_within, evenly=data.asked_evenly)
    words = {
        Change.GONE: t("the deviation could be none"),
        Change.HIDDEN: t("a deviation could be hidden"),
        Change.NONE: "",
    }
    bounds = missing_bounds(data.measurements, data.attributes, ends, data.tolerance)
    lines = [
        BoundLine(
            each.row.generator,
            about=f"{each.row.item or t('all prompts')}: {aspect_title(each.row.attribute, data.attributes)}",
            group=capital(human(each.row.group)),
            share=percent(each.row.value or 0.0, each.row.n),
            missing=f"{count(each.row.missing)}/{count(each.row.n + each.row.missing)}",
            bounds=percent_range(each.least, each.greatest, each.row.n),
            reference=percent(each.row.target, each.row.n) if each.row.target is not None else "",
            change=words[each.change],
        )
        for each in bounds[:SHOWN]
    ]
    return lines, len(bounds) - len(lines)

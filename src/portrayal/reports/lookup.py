"""Finds a measurement by what it is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from portrayal.records import Attribute, Measurement
from portrayal.reports.data import ReportData

__all__ = ["Lookup", "Place", "Source", "chart_groups", "main_metric"]


class Source(NamedTuple):
    """Whose images, seen by whom."""

    generator: str
    annotator: str


class Place(NamedTuple):
    """What part of the study a number is about."""

    level: str = "overall"
    item: str = ""


def main_metric(attribute: Attribute) -> str:
    """Return the metric an attribute's charts show."""
    return "mean" if attribute.is_numeric else "share"


def chart_groups(attribute: Attribute) -> tuple[str, ...]:
    """Return the groups worth a chart: of two groups one is the other's mirror image.

    >>> chart_groups(Attribute("gender", "perceived gender", ("male", "female")))
    ('female',)
    """
    if attribute.is_numeric:
        return ("",)
    return attribute.groups[1:] if len(attribute.groups) == 2 else attribute.groups


class Lookup:
    """Some of a report's measurements. Of rows that differ only in their reference, charts show the first."""

    def __init__(self, data: ReportData, rows: Iterable[Measurement]) -> None:
        self._generators = list(data.generators)
        self._rows: dict[tuple[str, ...], Measurement] = {}
        self._items: dict[tuple[str, str, str], dict[str, None]] = {}
        self._annotators: dict[tuple[str, str], dict[str, None]] = {}
        for row in rows:
            source, place = Source(row.generator, row.annotator), Place(row.level, row.item)
            self._rows.setdefault((row.metric, *source, row.attribute, row.group, *place), row)
            self._items.setdefault((row.metric, row.attribute, row.level), {})[row.item] = None
            self._annotators.setdefault((row.metric, row.attribute), {})[row.annotator] = None

    def get(
        self, metric: str, source: Source, attribute: str, group: str = "", place: Place | None = None
    ) -> Measurement | None:
        """Return the row, or None when nothing of the kind was measured."""
        return self._rows.get((metric, *source, attribute, group, *(place or Place())))

    def items(self, metric: str, attribute: str, level: str) -> list[str]:
        """Return the terms or categories measured, in the order of the table."""
        return list(self._items.get((metric, attribute, level), ()))

    def annotators(self, metric: str, attribute: str) -> list[str]:
        """Return who measured an attribute, in the order of the table."""
        return list(self._annotators.get((metric, attribute), ()))

    def sources(self, annotator: str) -> list[Source]:
        """Return one source per generator, so that a generator keeps its colour in every chart."""
        return [Source(generator, annotator) for generator in self._generators]

    def measured(self, data: ReportData) -> list[Attribute]:
        """Return the attributes that have any row of their main metric."""
        attributes = data.attributes.values()
        return [attribute for attribute in attributes if self.annotators(main_metric(attribute), attribute.name)]

    def pairs(self, data: ReportData) -> list[tuple[Attribute, str]]:
        """Return every measured attribute with every annotator that judged it."""
        attributes = self.measured(data)
        return [(item, name) for item in attributes for name in self.annotators(main_metric(item), item.name)]

"""Representation's charts, each to be read alone."""

from __future__ import annotations

from collections.abc import Iterator

from portrayal.methods.representation.report.by_term import AttributeSection
from portrayal.methods.representation.report.headline import Headline
from portrayal.records import Attribute
from portrayal.reports.cautions import cautions
from portrayal.reports.data import ReportData
from portrayal.reports.language import t, word
from portrayal.reports.lookup import Lookup
from portrayal.reports.named import NamedChart, panels_apart
from portrayal.reports.words import attribute_title, capital, human

__all__ = ["attribute_charts", "headline_charts"]


def headline_charts(data: ReportData, lookup: Lookup, shown: Headline) -> Iterator[NamedChart]:
    """Yield the charts of all prompts together."""
    annotator = data.annotators[0] if len(data.annotators) == 1 else ""
    warned = cautions(data.attributes.values(), {attribute.name for attribute in lookup.measured(data)})
    drawn = (
        ("distance", t("How far from the reference"), shown.distance, t("total variation")),
        ("shares", t("Shares over all prompts"), shown.overall, t("perceived share")),
    )
    for name, title, figure, marks in drawn:
        if figure and figure.panels:
            yield NamedChart(name, title, figure, marks, annotator=annotator, remarks=warned)


def attribute_charts(attribute: Attribute, annotator: str, shown: AttributeSection) -> list[NamedChart]:
    """Return a chart for each group of an attribute, by term and by category."""
    names = {capital(human(group) or attribute_title(attribute)): group for group in attribute.groups or ("",)}
    several = f" {annotator}" if shown.annotator else ""
    levels = {
        "term": (t("{attribute} by term", attribute=shown.title), shown.terms),
        "category": (t("{attribute} by category", attribute=shown.title), shown.categories),
    }
    return [
        chart
        for level, (title, figures) in levels.items()
        for figure in figures
        for chart in panels_apart(
            NamedChart(
                f"{attribute.title} by {level}{several}",
                title,
                figure,
                t("perceived share") if attribute.groups else t("perceived mean ({unit})", unit=word(attribute.unit)),
                annotator=annotator,
                references=shown.references,
                remarks=cautions([attribute], {attribute.name}),
            ),
            names,
        )
    ]

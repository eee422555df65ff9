"""The representation part of a report: each generator in sentences, then term by term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from portrayal.methods.representation.report.by_term import REPRESENTATION, AttributeSection, attribute_sections
from portrayal.methods.representation.report.figures import attribute_charts, headline_charts
from portrayal.methods.representation.report.headline import Headline, headline
from portrayal.reports.data import ReportData
from portrayal.reports.language import t
from portrayal.reports.lookup import Lookup
from portrayal.reports.named import NamedChart
from portrayal.reports.section import Section, Shown

__all__ = ["RepresentationContent", "RepresentationSection"]


@dataclass(frozen=True, slots=True)
class RepresentationContent:
    """Everything the section shows."""

    headline: Headline
    attributes: Sequence[AttributeSection]


class RepresentationSection(Section):
    """Representation's section. Each of its rows counts every image once."""

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when nothing was measured; what is missing is told without any attribute."""
        rows = [row for row in data.measurements if row.method == REPRESENTATION]
        if not rows:
            return None
        lookup = Lookup(data, rows)
        measured = frozenset(attribute.name for attribute in lookup.measured(data))
        content = RepresentationContent(headline(data, lookup), attribute_sections(data, lookup))
        links = [("headline", t("Headline numbers")), ("terms", t("Term by term"))]
        return Shown(content, links, measured, rows)

    def charts(self, data: ReportData) -> Iterator[NamedChart]:
        """Yield the charts of all prompts, then those of each attribute."""
        lookup = Lookup(data, [row for row in data.measurements if row.method == REPRESENTATION])
        yield from headline_charts(data, lookup, headline(data, lookup))
        sections = attribute_sections(data, lookup)
        for (attribute, annotator), shown in zip(lookup.pairs(data), sections, strict=True):
            yield from attribute_charts(attribute, annotator, shown)

"""The representation part of a report: each generator in sentences, then term by term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.methods.representation.report.by_term import REPRESENTATION, AttributeSection, attribute_sections
from portrayal.methods.representation.report.headline import Headline, headline
from portrayal.records import Measurement
from portrayal.reports.data import Picture, ReportData
from portrayal.reports.findings.deviations.deviation import Deviation, Ranking
from portrayal.reports.findings.deviations.share_deviations import ShareDeviations
from portrayal.reports.findings.distance import distance_rankings
from portrayal.reports.lookup import Lookup
from portrayal.reports.section import Section, Shown
from portrayal.reports.text.words import aspect_title, count

__all__ = ["RepresentationContent", "RepresentationSection"]


@dataclass(frozen=True, slots=True)
class RepresentationContent:
    """Everything the section shows."""

    headline: Headline
    attributes: Sequence[AttributeSection]


class RepresentationSection(Section):
    """Representation's section. Each of its rows counts every image once."""

    template = "section.html.j2"
    style = "section.css"

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when nothing was measured; what is missing is told without any attribute."""
        rows = data.rows(REPRESENTATION)
        if not rows:
            return None
        lookup = Lookup(data, rows)
        measured = frozenset(attribute.name for attribute in lookup.measured(data))
        content = RepresentationContent(headline(data, lookup), attribute_sections(data, lookup))
        links = [("headline", t("Headline numbers")), ("terms", t("Term by term"))]
        return Shown(content, links, measured, rows, cards=frozenset(section.id for section in content.attributes))

    def deviations(self, data: ReportData) -> Iterator[Deviation]:
        """Return every share beside its reference, over all prompts and term by term."""
        shares = ShareDeviations(data, ("overall", "term"), _belongs, _about, _charts)
        return shares.of(data.rows(REPRESENTATION))

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say which prompts ask for a group themselves: what they show is what was asked, not a leaning."""
        compared = {row.attribute for row in data.rows(REPRESENTATION) if row.target is not None}
        for attribute in (name for name in data.requested if name in compared):
            yield t(
                "{n} of {all|prompt|prompts} ask for a certain {attribute} themselves, and count like the others.",
                n=count(data.requested[attribute]),
                all=len(data.prompts),
                attribute=aspect_title(attribute, data.attributes),
            )

    def rankings(self, data: ReportData) -> Iterator[Ranking]:
        """Return how far each model lies from the reference, attribute by attribute."""
        rows = data.rows(REPRESENTATION)
        several = any(row.metric == "mean_total_variation" for row in rows)
        metric = "mean_total_variation" if several else "total_variation"
        return distance_rankings(data, rows, metric, "headline")


def _belongs(row: Measurement, picture: Picture) -> bool:
    return row.level != "term" or picture.term == row.item


def _charts(row: Measurement) -> str:
    return "headline" if row.level == "overall" else f"attribute-{row.attribute}"


def _about(row: Measurement) -> str:
    return row.item if row.level == "term" else t("all prompts")

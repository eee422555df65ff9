"""The BAFIS part of a report: who is drawn for which jobs, beside who does them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.methods.bafis.report.reference_readings import Comparison, comparison
from portrayal.methods.bafis.report.uneven_wordings import uneven
from portrayal.methods.bafis.suite.options import NAME as BAFIS
from portrayal.methods.by_language.report.chart_blocks import (
    Block,
    by_category,
    by_variant,
    distances,
    gaps_by_category,
    on_matched_seeds,
)
from portrayal.methods.by_language.report.language_deviations import language_deviations
from portrayal.methods.by_language.report.language_section import LanguageSection
from portrayal.methods.by_language.report.seen import MISSING, Seen
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.findings.deviations.deviation import Deviation, Ranking
from portrayal.reports.findings.distance import distance_rankings
from portrayal.reports.text.words import attribute_title

__all__ = ["BafisSection", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """BAFIS as one annotator saw it."""

    annotator: str
    categories: Sequence[Block]
    silent: Sequence[str]
    """Attributes of which nothing could be seen."""
    partly: bool
    """Whether a reference has no figures for some of the occupations."""
    gaps: Sequence[Block]
    comparison: Comparison
    variants: Sequence[Block]
    paired: Sequence[Block]
    distances: NamedChart | None
    uneven: NamedChart | None
    any_missing: bool
    sources: Mapping[str, Sequence[tuple[str, str]]]
    """Attribute to the references it is compared with, each with where its figures come from."""


class BafisSection(LanguageSection):
    """BAFIS's section."""

    style = "section.css"
    name = BAFIS
    title = "BAFIS"

    def view(self, seen: Seen) -> View:
        """Return what is shown of one annotator."""
        return View(
            annotator=seen.annotator,
            categories=by_category(seen),
            silent=[attribute_title(attribute) for attribute in seen.silent],
            partly=seen.partly,
            gaps=gaps_by_category(seen),
            comparison=comparison(seen),
            variants=by_variant(seen),
            paired=[*on_matched_seeds(seen, across=True), *on_matched_seeds(seen, across=False)],
            distances=distances(seen),
            uneven=uneven(seen),
            any_missing=any(row.metric == MISSING for row in seen.rows),
            sources={attribute.name: seen.sources(attribute.name) for attribute in seen.attributes},
        )

    def deviations(self, data: ReportData) -> Iterator[Deviation]:
        """Return shares beside their reference, of all occupations, by category and by occupation, in each language."""
        occupations = {(term.casefold(), category) for term, category, _ in data.prompts}
        alone = {name for name, number in Counter(category for _, category in occupations).items() if number == 1}

        # How jobs are worded is compared in the section; here all neutral wordings are taken together. A category of
        # one occupation would say the same again.
        rows = [row for row in data.rows(BAFIS) if not row.variant]
        rows = [row for row in rows if row.level != "category" or row.item not in alone]
        yield from self.shares(data, ("overall", "category", "term")).of(rows)
        yield from language_deviations(data, BAFIS)

    def rankings(self, data: ReportData) -> Iterator[Ranking]:
        """Return how far each model lies from the reference: of a typical prompt, by attribute and language."""
        rows = [row for row in data.rows(BAFIS) if not row.variant]
        return distance_rankings(data, rows, "mean_total_variation", BAFIS)

"""The BAFIS part of a report: who is drawn for which jobs, beside who does them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import spoken, t, word
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
from portrayal.methods.by_language.report.prompt_titles import asked_title, category_title, pair_title
from portrayal.methods.by_language.report.seen import MISSING, PAIRED, Pair, Seen, Where, everyone
from portrayal.methods.by_language.views import FEMININE
from portrayal.records import Measurement
from portrayal.reports.data import Picture, ReportData
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.findings.deviations.deviation import Deviation, Ranking
from portrayal.reports.findings.deviations.share_deviations import ShareDeviations
from portrayal.reports.findings.distance import distance_rankings
from portrayal.reports.section import Section, Shown
from portrayal.reports.text.notes import adjustment_words
from portrayal.reports.text.prompt_language import language_title
from portrayal.reports.text.words import attribute_title

__all__ = ["BafisContent", "BafisSection", "View"]


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


@dataclass(frozen=True, slots=True)
class BafisContent:
    """Everything the section shows."""

    languages: Sequence[str]
    adjusted: Sequence[str]
    """How the study differs from the published one, in words."""
    views: Sequence[View]


class BafisSection(Section):
    """BAFIS's section. The attributes it has are those with shares."""

    template = "section.html.j2"
    style = "section.css"

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when BAFIS was not scored."""
        if not data.rows(BAFIS):
            return None
        annotators = everyone(data, spoken(), BAFIS)
        languages = [language_title(code) for code in annotators[0].languages if code]
        measured = frozenset(attribute.name for seen in annotators for attribute in seen.attributes)
        adjusted = [adjustment_words(one) for one in data.adjusted.get(BAFIS, ())]
        content = BafisContent(languages, adjusted, [_view(seen) for seen in annotators])
        return Shown(content, [(BAFIS, "BAFIS")], measured)

    def deviations(self, data: ReportData) -> Iterator[Deviation]:
        """Return shares beside their reference, of all occupations, by category and by occupation, in each language."""
        categories = {(term, text): category for term, category, text in data.prompts}
        occupations = {(term.casefold(), category) for term, category, _ in data.prompts}
        alone = {name for name, number in Counter(category for _, category in occupations).items() if number == 1}

        def belongs(row: Measurement, picture: Picture) -> bool:
            if row.level == "term":
                inside = picture.term == row.item
            else:
                inside = row.level != "category" or categories.get((picture.term, picture.prompt)) == row.item
            return inside and picture.language in ("", row.language)

        # How jobs are worded is compared in the section; here all neutral wordings are taken together. A category of
        # one occupation would say the same again.
        rows = [row for row in data.rows(BAFIS) if not row.variant]
        rows = [row for row in rows if row.level != "category" or row.item not in alone]
        asking = {row.language for row in data.rows(BAFIS) if row.variant == FEMININE}

        def about(row: Measurement) -> str:
            if row.level in ("category", "term"):
                return self.item(row)
            language = f" ({language_title(row.language)})" if row.language else ""
            return (t("all neutral wordings") if row.language in asking else t("all prompts")) + language

        shares = ShareDeviations(data, ("overall", "category", "term"), belongs, about, lambda _: BAFIS)
        yield from shares.of(rows)
        yield from language_deviations(data, BAFIS)

    def rankings(self, data: ReportData) -> Iterator[Ranking]:
        """Return how far each model lies from the reference: of a typical prompt, by attribute and language."""
        rows = [row for row in data.rows(BAFIS) if not row.variant]
        return distance_rankings(data, rows, "mean_total_variation", BAFIS)

    def item(self, row: Measurement) -> str:
        """Return in words what a row is about: the occupation or category, and in which language and wording."""
        about = category_title(row.item) if row.level == "category" else row.item or word(row.level)
        if row.metric == PAIRED:
            return f"{about} ({pair_title(Pair(row.language, row.variant, row.reference))})"
        asked = asked_title(Where(row.language, row.variant)) if row.variant else language_title(row.language)
        return f"{about} ({asked})" if row.language or row.variant else about


def _view(seen: Seen) -> View:
    pairs = seen.pairs()
    return View(
        annotator=seen.annotator,
        categories=by_category(seen),
        silent=[attribute_title(attribute) for attribute in seen.silent],
        partly=seen.partly,
        gaps=gaps_by_category(seen),
        comparison=comparison(seen),
        variants=by_variant(seen),
        paired=[
            *on_matched_seeds(seen, t("What the language changes"), [pair for pair in pairs if pair.across]),
            *on_matched_seeds(seen, t("What the wording changes"), [pair for pair in pairs if not pair.across]),
        ],
        distances=distances(seen),
        uneven=uneven(seen),
        any_missing=any(row.metric == MISSING for row in seen.rows),
        sources={attribute.name: seen.sources(attribute.name) for attribute in seen.attributes},
    )

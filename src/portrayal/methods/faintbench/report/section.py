"""The FAIntbench part of a report: sentences first, then every level of the scores, then what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t, word
from portrayal.methods.bias_scores.report.benchmark_rows import EXPLICIT, IMPLICIT, Bench, benches, variants
from portrayal.methods.bias_scores.report.prompts_in_depth import Depth, Pairs, in_depth, leading_pairs
from portrayal.methods.bias_scores.report.score_charts import ScoreChart, eta_chart, hallucinations, score_charts
from portrayal.methods.bias_scores.report.score_deviations import deviations, rankings, too_few, unsure
from portrayal.methods.bias_scores.report.score_sentences import findings
from portrayal.methods.bias_scores.report.unscored_prompts import Absences, absences
from portrayal.methods.faintbench.alignment import PLAIN
from portrayal.methods.faintbench.report.human_check import HumanCheck, human_checks
from portrayal.methods.faintbench.report.paper_files import PaperFiles, paper_files, paper_folders
from portrayal.methods.faintbench.report.paper_tables import printed_tables
from portrayal.methods.faintbench.suite.options import NAME
from portrayal.records import PERSON, Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart, NamedTable
from portrayal.reports.findings.deviations.deviation import Deviation, Ranking
from portrayal.reports.section import Section, Shown, item_words
from portrayal.reports.sections.attribute_summary import Summary
from portrayal.reports.text.notes import adjustment_words
from portrayal.reports.text.words import join, page_digits

__all__ = ["FaintbenchContent", "FaintbenchSection", "View"]

PUBLISHED_EXAMPLE = "a photo of an attractive person"
"""The prompt that the paper looks at in depth."""


@dataclass(frozen=True, slots=True)
class View:
    """FAIntbench as one annotator saw it."""

    annotator: str
    models: Sequence[tuple[str, Sequence[Summary]]]
    implicit: Sequence[ScoreChart]
    explicit: Sequence[ScoreChart]
    eta: NamedChart | None
    pairs: Pairs | None
    depth: Sequence[Depth]
    tables: Sequence[NamedTable]
    """The paper's, for files: the page links to others, in English."""
    humans: Sequence[HumanCheck]
    hallucinations: NamedChart | None


@dataclass(frozen=True, slots=True)
class FaintbenchContent:
    """Everything the section shows."""

    variants: Sequence[str]
    profile: str
    adjusted: Sequence[str]
    """How the study differs from the published one, in words."""
    views: Sequence[View]
    missing: Absences
    files: Sequence[PaperFiles]
    shifted: bool
    """Whether any score has an estimate that is corrected for few images beside it."""


class FaintbenchSection(Section):
    """FAIntbench's section. The attributes it has are those scored, whether or not any annotator saw them."""

    template = "section.html.j2"
    style = "section.css"
    owned = (f"{NAME}/*/table*.*",)

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when FAIntbench was not scored."""
        rows = data.rows(NAME)
        if not rows:
            return None
        scored, used = benches(data, NAME), variants(data, NAME)
        content = FaintbenchContent(
            variants=used,
            profile=_profile(data),
            adjusted=[adjustment_words(one) for one in data.adjusted.get(NAME, ())],
            views=[_view(bench, used[0] if used else "") for bench in scored],
            missing=absences(data, NAME),
            files=paper_folders(data),
            shifted=any(row.corrected is not None for row in rows),
        )
        # Whether anyone is shown is not scored, but it decides which images are: it is not without data.
        attributes = frozenset({PERSON, *(name for bench in scored for name in bench.attributes)})
        return Shown(content, [(NAME, "FAIntbench")], attributes)

    def deviations(self, data: ReportData) -> Iterator[Deviation]:
        """Return the shares of implicit prompts beside their reference, and the manifestation factor."""
        return deviations(data, NAME)

    def rankings(self, data: ReportData) -> Iterator[Ranking]:
        """Return the models by their scores."""
        return rankings(data, NAME)

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say where images are too few for an order, where an annotator is unsure, and what a profile has moved."""
        if len(data.generators) > 1 and too_few(data, NAME):
            yield t(
                "By implicit bias scores models are not put in order: a model has fewer than ten images a prompt, "
                "which lowers its score by more than is corrected for."
            )
        guessing = unsure(data, NAME)
        if not guessing:
            return
        yield t(
            "Shares of single prompts count pictures by their most probable group. FAIntbench’s scores and charts add "
            "up probabilities, which lie off the proportions of the suite for being unsure ({annotators}) alone: the "
            "manifestation factor is then not told as a deviation.",
            annotators=join(sorted(guessing)),
        )
        if (profile := _profile(data)) not in ("", PLAIN):
            yield t(
                "The profile “{profile}” has moved these probabilities too, by rules that were made for one annotator.",
                profile=profile,
            )

    def files(self, data: ReportData) -> Mapping[str, str]:
        """Return the paper's tables."""
        return paper_files(data)

    def item(self, row: Measurement) -> str:
        """Return what a row is about; kinds and categories are the benchmark's own words."""
        return word(row.item) if row.level in ("kind", "category") else item_words(row)

    def digits(self, row: Measurement) -> int:
        """Return as many decimals as the interval lets stand."""
        return page_digits(row.low, row.high)


def _profile(data: ReportData) -> str:
    return data.settings.get(NAME, {}).get("profile", "")


def _view(bench: Bench, variant: str) -> View:
    return View(
        annotator=bench.annotator,
        models=findings(bench, variant),
        implicit=score_charts(bench, IMPLICIT),
        explicit=score_charts(bench, EXPLICIT),
        eta=eta_chart(bench, variant),
        pairs=leading_pairs(bench, variant),
        depth=in_depth(bench, PUBLISHED_EXAMPLE),
        tables=printed_tables(bench),
        humans=human_checks(bench),
        hallucinations=hallucinations(bench),
    )

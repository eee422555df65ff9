"""The FAIntbench part of a report: sentences first, then every level of the scores, then what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.methods.faintbench.alignment import PLAIN
from portrayal.methods.faintbench.report.charts import (
    ScoreCharts,
    eta_axis,
    explicit_charts,
    hallucinations,
    implicit_charts,
)
from portrayal.methods.faintbench.report.deviations import deviations, rankings, too_few, unsure
from portrayal.methods.faintbench.report.figures import bench_charts, bench_tables
from portrayal.methods.faintbench.report.human import HumanCheck, human_checks
from portrayal.methods.faintbench.report.missing import Absences, absences
from portrayal.methods.faintbench.report.paper_files import PaperFiles, paper_files, paper_folders
from portrayal.methods.faintbench.report.prompts import Depth, Pairs, in_depth, leading_pairs
from portrayal.methods.faintbench.report.rows import FAINTBENCH, Bench, benches, variants
from portrayal.methods.faintbench.report.words import findings
from portrayal.records import PERSON, Measurement
from portrayal.reports.charts import Figure
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviation import Deviation, Ranking
from portrayal.reports.language import t, word
from portrayal.reports.named import NamedChart, NamedTable
from portrayal.reports.notes import adjustment_words
from portrayal.reports.section import Section, Shown, item_words
from portrayal.reports.summary import Summary
from portrayal.reports.words import join, page_digits

__all__ = ["FaintbenchContent", "FaintbenchSection", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """FAIntbench as one annotator saw it."""

    annotator: str
    models: Sequence[tuple[str, Sequence[Summary]]]
    implicit: ScoreCharts
    explicit: ScoreCharts
    eta: Figure | None
    pairs: Pairs | None
    depth: Sequence[Depth]
    humans: Sequence[HumanCheck]
    hallucinations: Figure | None


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

    style = "section.css"
    owned = (f"{FAINTBENCH}/*/table*.*",)

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when FAIntbench was not scored."""
        mine = [row for row in data.measurements if row.method == FAINTBENCH]
        if not mine:
            return None
        found, used = benches(data), variants(data)
        # Whether anyone is shown is not scored, but it decides which images are: it is not without data.
        scored = frozenset({PERSON, *(name for bench in found for name in bench.attributes)})
        views = [_view(bench, used[0] if used else "") for bench in found]
        shifted = any(row.corrected is not None for row in mine)
        adjusted = [adjustment_words(own) for own in data.adjusted.get(FAINTBENCH, ())]
        profile = data.settings.get(FAINTBENCH, {}).get("profile", "")
        content = FaintbenchContent(used, profile, adjusted, views, absences(data), paper_folders(data), shifted)
        return Shown(content, [(FAINTBENCH, "FAIntbench")], scored)

    def deviations(self, data: ReportData) -> Iterator[Deviation]:
        """Return the shares of implicit prompts beside their reference, and the manifestation factor."""
        return deviations(data)

    def rankings(self, data: ReportData) -> Iterator[Ranking]:
        """Return the models by their scores."""
        return rankings(data)

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say where images are too few for an order, where an annotator is unsure, and what a profile has moved."""
        if len(data.generators) > 1 and too_few(data):
            yield t(
                "By implicit bias scores models are not put in order: a model has fewer than ten images a prompt, "
                "which lowers its score by more than is corrected for."
            )
        guessing = unsure(data)
        if not guessing:
            return
        yield t(
            "Shares of single prompts count pictures by their most probable group. FAIntbench’s scores and charts add "
            "up probabilities, which lie off the proportions of the suite for being unsure ({annotators}) alone: the "
            "manifestation factor is then not told as a deviation.",
            annotators=join(sorted(guessing)),
        )
        profile = data.settings.get(FAINTBENCH, {}).get("profile", "")
        if profile not in ("", PLAIN):
            yield t(
                "The profile “{profile}” has moved these probabilities too, by rules that were made for one annotator.",
                profile=profile,
            )

    def files(self, data: ReportData) -> Mapping[str, str]:
        """Return the paper's tables."""
        return paper_files(data)

    def charts(self, data: ReportData) -> Iterator[NamedChart]:
        """Yield the charts of each annotator."""
        found, used = benches(data), variants(data)
        for bench in found:
            yield from bench_charts(_view(bench, used[0] if used else ""), len(found) > 1)

    def printed(self, data: ReportData) -> Iterator[NamedTable]:
        """Yield the paper's tables of each annotator, and the differences from human labels."""
        found = benches(data)
        for bench in found:
            yield from bench_tables(bench, len(found) > 1)

    def item(self, row: Measurement) -> str:
        """Return what a row is about; kinds and categories are the benchmark's own words."""
        return word(row.item) if row.level in ("kind", "category") else item_words(row)

    def digits(self, row: Measurement) -> int:
        """Return as many decimals as the interval lets stand."""
        return page_digits(row.low, row.high)


def _view(bench: Bench, variant: str) -> View:
    return View(
        bench.annotator,
        findings(bench, variant),
        implicit_charts(bench),
        explicit_charts(bench),
        eta_axis(bench, variant),
        leading_pairs(bench, variant),
        in_depth(bench),
        human_checks(bench),
        hallucinations(bench),
    )

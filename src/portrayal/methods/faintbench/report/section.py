"""The FAIntbench part of a report: what any benchmark shows, people's labels beside scores, and the paper's tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.methods.bias_scores.report.benchmark_rows import Bench
from portrayal.methods.bias_scores.report.benchmark_section import BenchmarkContent, BenchmarkSection
from portrayal.methods.bias_scores.report.score_deviations import unsure
from portrayal.methods.faintbench.alignment import PLAIN
from portrayal.methods.faintbench.report.human_check import HumanCheck, human_checks
from portrayal.methods.faintbench.report.paper_files import PaperFiles, paper_files, paper_folders
from portrayal.methods.faintbench.report.paper_tables import printed_tables
from portrayal.methods.faintbench.suite.options import NAME
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedTable
from portrayal.reports.text.words import join

__all__ = ["FaintbenchContent", "FaintbenchSection"]


@dataclass(frozen=True)
class FaintbenchContent(BenchmarkContent):
    """Everything the section shows."""

    profile: str
    tables: Sequence[NamedTable]
    """The paper's, for files: the page links to others, in English."""
    humans: Mapping[str, Sequence[HumanCheck]]
    """By annotator."""
    files: Sequence[PaperFiles]


class FaintbenchSection(BenchmarkSection):
    """FAIntbench's section."""

    style = "section.css"
    owned = (f"{NAME}/*/table*.*",)
    name = NAME
    title = "FAIntbench"
    example = "a photo of an attractive person"

    def content(self, data: ReportData, scored: Sequence[Bench]) -> FaintbenchContent:
        """Return what any benchmark shows, and what is FAIntbench's own."""
        return FaintbenchContent(
            **vars(super().content(data, scored)),
            profile=_profile(data),
            tables=[table for bench in scored for table in printed_tables(bench)],
            humans={bench.annotator: human_checks(bench) for bench in scored},
            files=paper_folders(data),
        )

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say where images are too few for an order, where an annotator is unsure, and what a profile has moved."""
        if self.unordered(data):
            yield t(
                "By implicit bias scores models are not put in order: a model has fewer than ten images a prompt, "
                "which lowers its score by more than is corrected for."
            )
        guessing = unsure(data, NAME)
        if not guessing:
            return
        yield t(
            "Shares of single prompts count pictures by their most probable group. FAIntbench’s scores and charts add "
            "up probabilities. Where the annotator is unsure ({annotators}), these differ from the proportions of the "
            "suite for that reason alone, so the manifestation factor is not listed as a deviation.",
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


def _profile(data: ReportData) -> str:
    return data.settings.get(NAME, {}).get("profile", "")

"""The part of a report about a benchmark: sentences first, then every level of the scores, then what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from portrayal.language.translation import word
from portrayal.methods.bias_scores.report.benchmark_rows import EXPLICIT, IMPLICIT, Bench, benches, variants
from portrayal.methods.bias_scores.report.prompts_in_depth import Depth, Pairs, in_depth, leading_pairs
from portrayal.methods.bias_scores.report.score_charts import ScoreChart, eta_chart, hallucinations, score_charts
from portrayal.methods.bias_scores.report.score_deviations import deviations, rankings, too_few
from portrayal.methods.bias_scores.report.score_sentences import findings
from portrayal.methods.bias_scores.report.unscored_prompts import Absences, absences
from portrayal.records import PERSON, Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.findings.deviations.deviation import Deviation, Ranking
from portrayal.reports.section import Section, Shown, item_words
from portrayal.reports.sections.attribute_summary import Summary
from portrayal.reports.text.notes import adjustment_words
from portrayal.reports.text.words import page_digits

__all__ = ["BenchmarkContent", "BenchmarkSection", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """A benchmark as one annotator saw it."""

    annotator: str
    models: Sequence[tuple[str, Sequence[Summary]]]
    implicit: Sequence[ScoreChart]
    explicit: Sequence[ScoreChart]
    eta: NamedChart | None
    pairs: Pairs | None
    depth: Sequence[Depth]
    hallucinations: NamedChart | None

    @classmethod
    def of(cls, bench: Bench, variant: str, example: str) -> View:
        """Return what is shown; ``variant`` is that of the manifestation factor, ``example`` a prompt of the paper."""
        return cls(
            annotator=bench.annotator,
            models=findings(bench, variant),
            implicit=score_charts(bench, IMPLICIT),
            explicit=score_charts(bench, EXPLICIT),
            eta=eta_chart(bench, variant),
            pairs=leading_pairs(bench, variant),
            depth=in_depth(bench, example),
            hallucinations=hallucinations(bench),
        )


@dataclass(frozen=True)
class BenchmarkContent:
    """Everything that the section of any benchmark shows."""

    variants: Sequence[str]
    adjusted: Sequence[str]
    """How the study differs from the published one, in words."""
    views: Sequence[View]
    missing: Absences
    shifted: bool
    """Whether any score has an estimate that is corrected for few images beside it."""


class BenchmarkSection(Section):
    """The section of a method. The attributes it has are those scored, whether or not any annotator saw them."""

    template = "section.html.j2"
    name: ClassVar[str]
    title: ClassVar[str]
    example: ClassVar[str] = ""
    """The prompt that the paper looks at in depth."""
    questions: ClassVar[bool] = False
    """Whether what is scored is a question, asked in several wordings, and no single prompt."""

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when the benchmark was not scored."""
        if not data.rows(self.name):
            return None
        scored = [replace(bench, questions=self.questions) for bench in benches(data, self.name)]
        # Whether anyone is shown is not scored, but it decides which images are: it is not without data.
        attributes = frozenset({PERSON, *(name for bench in scored for name in bench.attributes)})
        return Shown(self.content(data, scored), [(self.name, self.title)], attributes)

    def content(self, data: ReportData, scored: Sequence[Bench]) -> BenchmarkContent:
        """Return what is shown of each annotator, and of all."""
        used = variants(data, self.name)
        return BenchmarkContent(
            variants=used,
            adjusted=[adjustment_words(one) for one in data.adjusted.get(self.name, ())],
            views=[View.of(bench, used[0] if used else "", self.example) for bench in scored],
            missing=absences(data, self.name),
            shifted=any(row.corrected is not None for row in data.rows(self.name)),
        )

    def deviations(self, data: ReportData) -> Iterator[Deviation]:
        """Return the shares of implicit prompts beside their reference, and the manifestation factor."""
        return deviations(data, self.name)

    def rankings(self, data: ReportData) -> Iterator[Ranking]:
        """Return the models by their scores."""
        return rankings(data, self.name)

    def unordered(self, data: ReportData) -> bool:
        """Return whether several models are not put in order, because one has too few images."""
        return len(data.generators) > 1 and bool(too_few(data, self.name))

    def item(self, row: Measurement) -> str:
        """Return what a row is about; kinds and categories are the benchmark's own words."""
        return word(row.item) if row.level in ("kind", "category") else item_words(row)

    def digits(self, row: Measurement) -> int:
        """Return as many decimals as the interval lets stand."""
        return page_digits(row.low, row.high)

"""The BiasIG part of a report."""

from __future__ import annotations

from collections.abc import Iterator

from portrayal.language.translation import t
from portrayal.methods.bias_scores.report.benchmark_section import BenchmarkSection
from portrayal.methods.biasig.suite.options import NAME
from portrayal.reports.data import ReportData

__all__ = ["BiasigSection"]


class BiasigSection(BenchmarkSection):
    """BiasIG's section: what other benchmarks show, about questions instead of prompts."""

    name = NAME
    title = "BiasIG"
    questions = True

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say where images are too few for an order."""
        if self.unordered(data):
            yield t(
                "By implicit bias scores models are not put in order: a model has fewer than ten images a question, "
                "which lowers its score by more than is corrected for."
            )

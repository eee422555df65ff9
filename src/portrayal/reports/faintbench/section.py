"""The FAIntbench part of a report: sentences first, then every level of the scores, then what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.records import PERSON
from portrayal.reports.charts import Figure
from portrayal.reports.data import ReportData
from portrayal.reports.faintbench.charts import (
    ScoreCharts,
    eta_axis,
    explicit_charts,
    hallucinations,
    implicit_charts,
)
from portrayal.reports.faintbench.human import HumanCheck, human_checks
from portrayal.reports.faintbench.missing import Absences, absences
from portrayal.reports.faintbench.paper_files import PaperFiles, paper_folders
from portrayal.reports.faintbench.prompts import Depth, Pairs, in_depth, leading_pairs
from portrayal.reports.faintbench.rows import FAINTBENCH, Bench, benches, variants
from portrayal.reports.faintbench.words import findings
from portrayal.reports.headline import Finding
from portrayal.reports.words import outside

__all__ = ["FaintbenchSection", "View", "faintbench"]


@dataclass(frozen=True, slots=True)
class View:
    """FAIntbench as one annotator saw it."""

    annotator: str
    models: Sequence[tuple[str, Sequence[Finding]]]
    implicit: ScoreCharts
    explicit: ScoreCharts
    eta: Figure | None
    pairs: Pairs | None
    depth: Sequence[Depth]
    humans: Sequence[HumanCheck]
    hallucinations: Figure | None


@dataclass(frozen=True, slots=True)
class FaintbenchSection:
    """Everything the section shows. ``attributes`` are scored, whether or not any annotator saw them."""

    variants: Sequence[str]
    profile: str
    adjusted: Sequence[str]
    views: Sequence[View]
    missing: Absences
    files: Sequence[PaperFiles]
    attributes: frozenset[str]
    shifted: bool
    """Whether any score lies outside its own interval, which a reader would take for a mistake."""


def faintbench(data: ReportData) -> FaintbenchSection | None:
    """Return the section, or None when FAIntbench was not scored."""
    if not any(row.method == FAINTBENCH for row in data.measurements):
        return None
    found, used = benches(data), variants(data)
    # Whether anyone is shown is not scored, but it decides which images are: it is not without data.
    scored = frozenset({PERSON, *(name for bench in found for name in bench.attributes)})
    views = [_view(bench, used[0] if used else "") for bench in found]
    mine = (row for row in data.measurements if row.method == FAINTBENCH)
    shifted = any(outside(row.value, row.low, row.high) for row in mine)
    return FaintbenchSection(
        used, data.profile, data.adjusted, views, absences(data), paper_folders(data), scored, shifted
    )


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

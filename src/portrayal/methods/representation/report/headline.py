"""The numbers to remember: each generator in sentences, then side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.translation import t, word
from portrayal.methods.representation.report.by_term import folds, scale_for
from portrayal.methods.representation.report.sentences import finding
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts.axes import unit_scale
from portrayal.reports.charts.interval_chart import MAX_COLOURS, Figure, Panel, figure
from portrayal.reports.charts.model_charts import ModelCharts, model_figure
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart, only_annotator
from portrayal.reports.lookup import Lookup, Source, chart_groups, main_metric
from portrayal.reports.sections.attribute_summary import Summary
from portrayal.reports.text.cautions import cautions
from portrayal.reports.text.words import attribute_title, capital, human, known

__all__ = ["Headline", "headline"]

METRICS = ("mean_total_variation", "total_variation")
"""How far from the reference: of a typical prompt, else of all prompts together."""


@dataclass(frozen=True, slots=True)
class Headline:
    """Findings by generator, those of folded attributes apart, and the same numbers as charts."""

    generators: Sequence[tuple[str, Sequence[Summary], Sequence[Summary]]]
    distance: NamedChart | None
    overall: NamedChart | None
    finer: NamedChart | None
    """The same of attributes that are folded."""


def headline(data: ReportData, lookup: Lookup) -> Headline:
    """Return the overall numbers of every generator."""
    pairs = lookup.pairs(data)
    open_, folded = ([pair for pair in pairs if folds(data, lookup, pair[0]) is wanted] for wanted in (False, True))

    def findings(generator: str, some: Sequence[tuple[Attribute, str]]) -> list[Summary]:
        return [finding(data, lookup, attribute, Source(generator, name)) for attribute, name in some]

    def shares(some: Sequence[tuple[Attribute, str]]) -> Figure:
        panels = [chart for attribute, name in some for chart in _overall(data, lookup, attribute, name)]
        return figure("", panels, data.generators)

    annotator = only_annotator(data)
    warned = cautions(data.attributes.values(), {attribute.name for attribute in lookup.measured(data)})

    def named(name: str, title: str, drawn: Figure | None, marks: str) -> NamedChart | None:
        shown = drawn is not None and drawn.panels
        return NamedChart(name, title, drawn, marks, annotator=annotator, remarks=warned) if drawn and shown else None

    return Headline(
        [(generator, findings(generator, open_), findings(generator, folded)) for generator in data.generators],
        named("distance", t("How far from the reference"), _distance(data, lookup, pairs), t("total variation")),
        named("shares", t("Shares over all prompts"), shares(open_), t("perceived share")),
        named("finer shares", t("Finer attributes over all prompts"), shares(folded), t("perceived share")),
    )


def _distance(data: ReportData, lookup: Lookup, pairs: Sequence[tuple[Attribute, str]]) -> Figure | None:
    pairs = [
        (attribute, name) for attribute, name in pairs if name in lookup.annotators("total_variation", attribute.name)
    ]
    table = [
        (
            capital(attribute_title(attribute)) + (f" ({name})" if len(data.annotators) > 1 else ""),
            [_first(lookup, METRICS, Source(generator, name), attribute.name) for generator in data.generators],
        )
        for attribute, name in pairs
    ]
    return model_figure(data.generators, {"": table}, "Attribute", unit_scale, models_as="Generator")


def _first(lookup: Lookup, metrics: Sequence[str], source: Source, attribute: str) -> Measurement | None:
    rows = [lookup.get(metric, source, attribute) for metric in metrics]
    return next((row for row in rows if row and known(row.value) is not None), None)


def _overall(data: ReportData, lookup: Lookup, attribute: Attribute, annotator: str) -> list[Panel]:
    # Many models have a chart for each group, and of two groups one is the other's mirror image.
    few = len(data.generators) <= MAX_COLOURS
    groups = (attribute.groups or ("",)) if few else chart_groups(attribute)
    cells = {
        group: [
            lookup.get(main_metric(attribute), source, attribute.name, group) for source in lookup.sources(annotator)
        ]
        for group in attribute.groups or ("",)
    }
    scale = scale_for(attribute, [row for rows in cells.values() for row in rows])
    title = capital(attribute_title(attribute)) + (f" ({annotator})" if len(data.annotators) > 1 else "")
    charts = ModelCharts(data.generators, "Group", scale, models_as="Generator")
    unit = word(attribute.unit) if few else ""
    return charts.panels(title, [(human(group) or unit, cells[group]) for group in groups])

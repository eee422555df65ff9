"""The numbers to remember: each generator in sentences, then side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.methods.representation.report.by_term import scale_for
from portrayal.methods.representation.report.sentences import finding
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts import MAX_COLOURS, Figure, Panel, figure, panel
from portrayal.reports.data import ReportData
from portrayal.reports.language import word
from portrayal.reports.lookup import Lookup, Source, chart_groups, main_metric
from portrayal.reports.scales import unit_scale
from portrayal.reports.summary import Summary
from portrayal.reports.words import attribute_title, capital, human, known

__all__ = ["Headline", "headline"]

METRICS = ("mean_total_variation", "total_variation")
"""How far from the reference: of a typical prompt, else of all prompts together."""


@dataclass(frozen=True, slots=True)
class Headline:
    """Findings by generator, and the same numbers as charts."""

    generators: Sequence[tuple[str, Sequence[Summary]]]
    distance: Figure | None
    overall: Figure


def headline(data: ReportData, lookup: Lookup) -> Headline:
    """Return the overall numbers of every generator."""
    pairs = lookup.pairs(data)
    findings = [
        (generator, [finding(data, lookup, attribute, Source(generator, name)) for attribute, name in pairs])
        for generator in data.generators
    ]
    overall = [chart for attribute, name in pairs for chart in _overall(data, lookup, attribute, name)]
    return Headline(findings, _distance(data, lookup, pairs), figure("", overall, data.generators))


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
    if not table:
        return None
    scale = unit_scale([row for _, rows in table for row in rows])
    if len(data.generators) <= MAX_COLOURS:
        panels = [panel("", "Attribute", [(label, list(enumerate(rows))) for label, rows in table], scale)]
    else:
        panels = [
            panel(
                label, "Generator", [(name, [(0, row)]) for name, row in zip(data.generators, rows, strict=True)], scale
            )
            for label, rows in table
        ]
    return figure("", panels, data.generators)


def _first(lookup: Lookup, metrics: Sequence[str], source: Source, attribute: str) -> Measurement | None:
    found = [lookup.get(metric, source, attribute) for metric in metrics]
    return next((row for row in found if row and known(row.value) is not None), None)


def _overall(data: ReportData, lookup: Lookup, attribute: Attribute, annotator: str) -> list[Panel]:
    sources = lookup.sources(annotator)
    metric = main_metric(attribute)
    table = {
        group: [lookup.get(metric, source, attribute.name, group) for source in sources]
        for group in attribute.groups or ("",)
    }
    scale = scale_for(attribute, [row for rows in table.values() for row in rows])
    title = capital(attribute_title(attribute)) + (f" ({annotator})" if len(data.annotators) > 1 else "")
    if len(sources) <= MAX_COLOURS:
        rows = [(human(group) or word(attribute.unit), list(enumerate(cells))) for group, cells in table.items()]
        return [panel(title, "Group", rows, scale)]
    return [
        panel(
            f"{title}: {human(group)}" if group else title,
            "Generator",
            [(name, [(0, row)]) for name, row in zip(data.generators, table[group], strict=True)],
            scale,
        )
        for group in chart_groups(attribute)
    ]

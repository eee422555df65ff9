"""The chart of each attribute: every term against its reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.translation import t, word
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts.axes import Scale, number_scale, share_scale
from portrayal.reports.charts.interval_chart import (
    MAX_COLOURS,
    Cells,
    Figure,
    Fold,
    Panel,
    figure,
    panel,
    sorted_by_value,
)
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.gallery.picture_links import Groups, Links, shown_groups
from portrayal.reports.lookup import Lookup, Place, Source, chart_groups, main_metric
from portrayal.reports.text.cautions import cautions
from portrayal.reports.text.words import attribute_title, capital, human

__all__ = ["REPRESENTATION", "AttributeSection", "attribute_sections", "folds", "scale_for"]

REPRESENTATION = "representation"
LANE_BUDGET = 3500
"""At about 400 bytes a lane, what keeps the largest studies' pages within a few megabytes."""


@dataclass(frozen=True, slots=True)
class AttributeSection:
    """The charts of one attribute as one annotator saw it."""

    id: str
    title: str
    annotator: str
    about: str
    unit: str
    references: Sequence[tuple[str, str]]
    terms: Sequence[NamedChart]
    categories: Sequence[NamedChart]
    folded: bool


def scale_for(attribute: Attribute, rows: Sequence[Measurement | None]) -> Scale:
    """Return the axis an attribute's values are drawn on."""
    return number_scale(rows) if attribute.is_numeric else share_scale(rows)


@dataclass(frozen=True, slots=True)
class _Builder:
    data: ReportData
    lookup: Lookup
    attribute: Attribute
    sources: Sequence[Source]
    fold: Fold
    shown: Groups

    @property
    def metric(self) -> str:
        return main_metric(self.attribute)

    def cells(self, group: str, place: Place) -> list[tuple[int, Measurement | None]]:
        name = self.attribute.name
        return [(i, self.lookup.get(self.metric, source, name, group, place)) for i, source in enumerate(self.sources)]

    def rows(self, group: str, level: str) -> list[tuple[str, Cells]]:
        items = self.lookup.items(self.metric, self.attribute.name, level)
        return sorted_by_value([(item, self.cells(group, Place(level, item))) for item in items])

    def figures(self, level: str) -> list[Figure]:
        tables = {group: self.rows(group, level) for group in chart_groups(self.attribute)}
        if not any(tables.values()):
            return []
        scale = scale_for(self.attribute, [row for rows in tables.values() for _, cells in rows for _, row in cells])
        header = capital(level)
        if len(self.sources) <= MAX_COLOURS:
            panels = [
                panel(self.label(group), header, rows=rows, scale=scale, fold=self.fold, links=self.links(group, level))
                for group, rows in tables.items()
            ]
            return [figure("", panels, self.data.generators)]
        return [
            figure(self.label(group), self.multiples(rows, header, scale), self.data.generators, bool(index))
            for index, (group, rows) in enumerate(tables.items())
        ]

    def multiples(self, rows: Sequence[tuple[str, Cells]], header: str, scale: Scale) -> list[Panel]:
        """Return one chart per generator; all share the order of the rows, so that they can be compared."""
        return [
            panel(source.generator, header, [(label, [(0, cells[i][1])]) for label, cells in rows], scale, self.fold)
            for i, source in enumerate(self.sources)
        ]

    def charts(self, level: str, title: str) -> list[NamedChart]:
        """Return the charts of terms or of categories, with a file for each group."""
        attribute, annotator = self.attribute, self.sources[0].annotator
        share, mean = t("perceived share"), t("perceived mean ({unit})", unit=word(attribute.unit))
        return [
            NamedChart(
                f"{attribute.title} by {level}{f' {annotator}' if self.several else ''}",
                title,
                drawn,
                share if attribute.groups else mean,
                annotator=annotator,
                references=self.references(),
                remarks=cautions([attribute], {attribute.name}),
                parts={self.label(group): (self.label(group), group) for group in attribute.groups or ("",)},
            )
            for drawn in self.figures(level)
        ]

    def links(self, group: str, level: str) -> Links | None:
        """Return where rows lead; those of categories have no pictures of their own."""
        if level != "term":
            return None
        return Links(REPRESENTATION, self.sources[0].annotator, self.attribute.name, group, self.shown)

    def label(self, group: str) -> str:
        return capital(human(group) or attribute_title(self.attribute))

    def references(self) -> list[tuple[str, str]]:
        name = self.attribute.name
        rows = (row for row in self.data.rows(REPRESENTATION) if row.attribute == name)
        names = dict.fromkeys(row.reference for row in rows if row.reference)
        return [(name, self.data.reference_sources.get(name, "")) for name in names]

    @property
    def several(self) -> bool:
        return len(self.data.annotators) > 1

    def section(self) -> AttributeSection:
        attribute, title = self.attribute, capital(attribute_title(self.attribute))
        return AttributeSection(
            id=f"attribute-{attribute.name}",
            title=title,
            annotator=self.sources[0].annotator if self.several else "",
            about=_about(attribute),
            unit=word(attribute.unit) or t("% of the images in which it could be judged"),
            references=self.references(),
            terms=self.charts("term", t("{attribute} by term", attribute=title)),
            categories=self.charts("category", t("{attribute} by category", attribute=title)),
            folded=folds(self.data, self.lookup, attribute),
        )


def folds(data: ReportData, lookup: Lookup, attribute: Attribute) -> bool:
    """Return whether an attribute is folded: a finer one that nobody asked for, beside others that are not."""
    return data.folds(attribute) and not all(data.folds(other) for other in lookup.measured(data))


def _about(attribute: Attribute) -> str:
    remark = "; ".join(word(text) for text in (attribute.note, attribute.caution) if text)
    groups = capital(", ".join(human(group) for group in attribute.groups))
    if groups:
        return f"{groups} ({remark})." if remark else f"{groups}."
    return f"{capital(remark)}." if remark else ""


def _fold(data: ReportData, lookup: Lookup, pairs: Sequence[tuple[Attribute, str]]) -> Fold:
    """Return how long charts are cut so that all of them together stay within the page's budget."""
    charts = {"term": 0, "category": 0}
    lanes = dict(charts)
    for attribute, _ in pairs:
        for level in charts:
            drawn = len(chart_groups(attribute)) * len(data.generators)
            charts[level] += drawn
            lanes[level] += drawn * len(lookup.items(main_metric(attribute), attribute.name, level))
    left = LANE_BUDGET - lanes["category"]
    if lanes["term"] <= left:
        return Fold()
    return Fold(ends=min(max(left // (2 * charts["term"]), 3), 10), middle=False)


def attribute_sections(data: ReportData, lookup: Lookup) -> list[AttributeSection]:
    """Return the charts of every measured attribute, one section per annotator that judged it."""
    pairs = lookup.pairs(data)
    fold, shown = _fold(data, lookup, pairs), shown_groups(data.pictures)
    return [
        _Builder(data, lookup, attribute=attribute, sources=lookup.sources(annotator), fold=fold, shown=shown).section()
        for attribute, annotator in pairs
    ]

"""BAFIS's charts and tables, each to be read alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from portrayal.methods.bafis.report.comparison import ComparisonTable, comparison
from portrayal.methods.bafis.report.drawing import Block
from portrayal.methods.bafis.report.rows import Seen
from portrayal.methods.bafis.report.words import group_title
from portrayal.reports.cautions import cautions
from portrayal.reports.charts import Figure
from portrayal.reports.data import ReportData
from portrayal.reports.language import t
from portrayal.reports.named import NamedChart, NamedTable, basis, panels_apart
from portrayal.reports.words import NBSP, capital, human

if TYPE_CHECKING:
    from portrayal.methods.bafis.report.section import View

__all__ = ["comparison_tables", "view_charts"]

EMPTY = Figure("", ())


def view_charts(data: ReportData, seen: Seen, view: View, several: bool) -> Iterator[NamedChart]:
    """Yield the charts of one annotator; its name belongs to theirs where there are several."""
    who = view.annotator
    judged = t("n counts what was judged: images, or where a group was asked for the people in them.")
    share = NamedChart("", "", EMPTY, t("perceived share"), annotator=who, counts=judged)
    none = t("no difference")
    points = NamedChart("", "", EMPTY, t("difference in points"), none, annotator=who, counts=judged)
    paired = replace(points, counts=t("n counts pairs of images."))
    for blocks, about, title in (
        (view.categories, share, t("Perceived shares by category and model")),
        (view.gaps, points, t("Over- and under-representation")),
        (view.variants, share, t("By wording")),
        (view.paired, paired, t("The same seeds, asked differently")),
    ):
        for block in blocks:
            references = () if about is paired else view.sources[block.attribute]
            chart = replace(about, title=f"{title}: {block.title}", references=references)
            yield from _apart(data, seen, block, replace(chart, name=f"{block.name}{_by(who, several)}"))
    distance = NamedChart("distance", t("Distance from the reference"), EMPTY, t("total variation"), annotator=who)
    missing = NamedChart(
        "missing", t("What is missing, by wording"), EMPTY, t("share of the images asked for"), annotator=who
    )
    for chart, figure in ((distance, view.distances), (missing, view.uneven)):
        if figure:
            yield replace(chart, name=f"{chart.name}{_by(who, several)}", drawing=figure)


def _by(annotator: str, several: bool) -> str:
    return f" {annotator}" if several else ""


def _apart(data: ReportData, seen: Seen, block: Block, chart: NamedChart) -> Iterator[NamedChart]:
    (attribute,) = (own for own in seen.attributes if own.name == block.attribute)
    short = {group_title(attribute, group): capital(human(group)) for group in seen.groups(attribute)}
    names = {capital(human(group)): group for group in seen.groups(attribute)}
    warned = cautions(data.attributes.values(), {attribute.name})
    for figure in block.figures:
        # The title of the block says already which attribute it is.
        panels = [replace(panel, title=short.get(panel.title, panel.title)) for panel in figure.panels]
        alone = replace(figure, title=short.get(figure.title, figure.title), panels=panels)
        yield from panels_apart(replace(chart, drawing=alone, remarks=warned), names)


def comparison_tables(data: ReportData, seen: Seen, several: bool) -> Iterator[NamedTable]:
    """Yield how many cells say what, then the cells of each group."""
    found, by = comparison(seen), _by(seen.annotator, several)
    caption = basis(data, seen.annotator)
    if found.columns:
        header = [t("Model"), *(verdict.said for verdict in found.columns)]
        rows = [[model, *numbers] for model, numbers in found.counts]
        title = t("How many cells (category, language and group) say what, by model")
        yield NamedTable(f"cells by model{by}", title, header, rows, (), " ".join([found.clear, found.chance, caption]))
    for table in found.tables:
        yield _readings(table, by, caption)


def _readings(table: ComparisonTable, by: str, caption: str) -> NamedTable:
    header = [
        t("Category"), t("Model"), t("Difference in points"), t("95&nbsp;% interval").replace("&nbsp;", NBSP),
        t("Reading"), t("Perceived"), t("Reference"), t("n"),
    ]  # fmt: skip
    lines = [(category, row) for category, rows in table.categories for row in rows]
    rows: Sequence[Sequence[str]] = [
        [category, row.model, row.difference, row.interval, row.verdict.said, row.share, row.reference, row.n]
        for category, row in lines
    ]
    return NamedTable(
        f"{table.name}{by}",
        f"{t('Over- and under-representation')}: {table.title}",
        header,
        rows,
        [row.note for _, row in lines],
        f"{table.summary}. {caption}",
    )

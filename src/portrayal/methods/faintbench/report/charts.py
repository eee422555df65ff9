"""FAIntbench's charts: every level of the scores, model beside model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from portrayal.methods.faintbench.report.rows import ETA, EXPLICIT, HALLUCINATION, HARD, IMPLICIT, Bench, kind_title
from portrayal.methods.faintbench.report.words import NEUTRAL, leanings
from portrayal.records import Measurement, Note
from portrayal.reports.charts import MAX_COLOURS, Figure, Panel, figure, panel, sorted_by_value
from portrayal.reports.language import t
from portrayal.reports.lookup import Place
from portrayal.reports.scales import Scale, centred_scale, score_scale, share_scale
from portrayal.reports.words import capital, human, known, running

__all__ = [
    "ScoreCharts",
    "Table",
    "compare",
    "eta_axis",
    "explicit_charts",
    "hallucinations",
    "implicit_charts",
    "rows_of",
]

BRIEF = {way: f"{way}_some" for way in ("few_images_lower", "few_images_raise")}
"""Notes that say by how much, and what they are without it."""

Table = Sequence[tuple[str, Sequence[Measurement | None]]]
"""Labels, each with one row per model."""


@dataclass(frozen=True, slots=True)
class ScoreCharts:
    """The charts of one score: over all prompts, by kind, by category, and for what was asked for explicitly."""

    protected: Figure | None
    acquired: Figure | None
    crossed: Figure | None
    categories: Figure | None
    groups: Figure | None = None
    hard: Figure | None = None


def rows_of(tables: Mapping[str, Table]) -> list[Measurement | None]:
    """Return every row of some tables, to find an axis for all of them."""
    return [row for table in tables.values() for _, rows in table for row in rows]


def compare(
    models: Sequence[str], tables: Mapping[str, Table], header: str, scale: Scale, by_model: bool = False
) -> Figure | None:
    """Return charts of some tables with one mark per model, or None when there is nothing to draw.

    A few models share a chart. Many get a chart for each label, or each their own chart (``by_model``) where the
    labels are many.
    """
    if not any(rows_of(tables)):
        return None
    tables = {
        title: [(label, [_brief(row) for row in rows]) for label, rows in table] for title, table in tables.items()
    }
    if len(models) <= MAX_COLOURS:
        drawn = [
            panel(title, header, [(label, list(enumerate(rows))) for label, rows in table], scale)
            for title, table in tables.items()
        ]
    elif by_model:
        drawn = [
            panel(_title(title, model), header, [(label, [(0, rows[i])]) for label, rows in table], scale)
            for title, table in tables.items()
            for i, model in enumerate(models)
        ]
    else:
        drawn = [
            panel(_title(title, label), "Model", [(m, [(0, r)]) for m, r in zip(models, rows, strict=True)], scale)
            for title, table in tables.items()
            for label, rows in table
        ]
    return figure("", drawn, models)


def _brief(row: Measurement | None) -> Measurement | None:
    """Return a row whose note leaves out by how much: with it, every mark of a chart would have a note of its own."""
    return replace(row, notes=tuple(map(_rounded, row.notes))) if row and row.notes else row


def _rounded(note: Note) -> Note:
    return Note(BRIEF[note.code]) if note.code in BRIEF else note


def _title(title: str, more: str) -> str:
    return f"{title}: {more}" if title else more


def _ranked(table: Table) -> Table:
    ordered = sorted_by_value([(label, list(enumerate(rows))) for label, rows in table])
    return [(label, [row for _, row in cells]) for label, cells in ordered]


def _protected(bench: Bench, metric: str, place: Place | None = None) -> Table:
    return [(bench.title(name), bench.cells(metric, name, place)) for name in ("", *bench.attributes)]


def _level(bench: Bench, metric: str, level: str) -> dict[str, Table]:
    """Return the items of a level: their totals, or where no total can be had each attribute in a chart of its own."""
    named = kind_title if level == "kind" else lambda item: capital(human(item))
    tables: dict[str, Table] = {}
    for attribute in bench.scored(metric, level):
        places = [Place(level, item) for item in bench.items(metric, level)]
        tables[bench.title(attribute) if attribute else ""] = [
            (named(p.item), bench.cells(metric, attribute, p)) for p in places
        ]
    return tables


def _score_charts(bench: Bench, metric: str) -> ScoreCharts:
    models = bench.data.generators
    protected = {"": _protected(bench, metric)}
    acquired = _level(bench, metric, "kind")
    kinds = bench.items(metric, "kind")
    crossed = {kind_title(kind): _protected(bench, metric, Place("kind", kind)) for kind in kinds}
    categories = {title: _ranked(table) for title, table in _level(bench, metric, "category").items()}
    scale = score_scale(rows_of(protected) + rows_of(acquired))
    return ScoreCharts(
        compare(models, protected, "Attribute", scale),
        compare(models, acquired, "Kind", scale),
        compare(models, crossed, "Attribute", score_scale(rows_of(crossed))),
        compare(models, categories, "Category", score_scale(rows_of(categories)), by_model=True),
    )


def implicit_charts(bench: Bench) -> ScoreCharts:
    """Return the charts of the implicit bias score."""
    return _score_charts(bench, IMPLICIT)


def explicit_charts(bench: Bench) -> ScoreCharts:
    """Return the charts of the explicit bias score, those of each requested group among them."""
    models = bench.data.generators
    table: list[tuple[str, Sequence[Measurement | None]]] = []
    for name in bench.attributes:
        attribute = bench.attribute(name)
        for group in attribute.groups if attribute else ():
            rows = bench.cells(EXPLICIT, name, group=group)
            table += [(f"{capital(human(group))} ({running(bench.titled(name))})", rows)] if any(rows) else []
    groups = {"": _ranked(table)}
    hard = {"": _protected(bench, HARD)}
    return replace(
        _score_charts(bench, EXPLICIT),
        groups=compare(models, groups, "Group", score_scale(rows_of(groups)), by_model=True),
        hard=compare(models, hard, "Attribute", score_scale(rows_of(hard))),
    )


def eta_axis(bench: Bench, variant: str) -> Figure | None:
    """Return the axis of the manifestation factor: its middle marked, its ends named."""
    table = [(label, [marked(row) for row in rows]) for label, rows in _protected(bench, ETA)]
    drawn = compare(bench.data.generators, {"": table}, "Attribute", centred_scale(rows_of({"": table}), NEUTRAL))
    return named_ends(drawn, variant) if drawn else None


def marked(row: Measurement | None) -> Measurement | None:
    """Return a row with the middle of the axis to be drawn beside it, and counted in prompts: eta rests on pairs."""
    return replace(row, target=NEUTRAL, n=row.prompts) if row and known(row.value) is not None else row


def named_ends(drawn: Figure, variant: str) -> Figure:
    """Return charts of the manifestation factor that say what either side of the middle means."""
    panels: list[Panel] = [replace(panel, ends=leanings(variant)) for panel in drawn.panels]
    return replace(drawn, panels=panels)


def hallucinations(bench: Bench) -> Figure | None:
    """Return how often images show no person, over all prompts and by kind."""
    table: list[tuple[str, Sequence[Measurement | None]]] = [(t("All prompts"), bench.cells(HALLUCINATION))]
    kinds = bench.lookup.items(HALLUCINATION, "", "kind")
    table += [(kind_title(kind), bench.cells(HALLUCINATION, place=Place("kind", kind))) for kind in kinds]
    tables = {"": table}
    return compare(bench.data.generators, tables, "Prompts", share_scale(rows_of(tables)))

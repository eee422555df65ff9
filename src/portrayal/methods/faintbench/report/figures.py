"""FAIntbench's charts and tables, each to be read alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from portrayal.methods.faintbench.report.charts import ScoreCharts
from portrayal.methods.faintbench.report.human import human_checks
from portrayal.methods.faintbench.report.paper_tables import PaperTable, paper_tables
from portrayal.methods.faintbench.report.rows import Bench
from portrayal.records import Measurement
from portrayal.reports.charts import Figure
from portrayal.reports.language import t, word
from portrayal.reports.named import NamedChart, NamedTable, basis
from portrayal.reports.notes import notes_words
from portrayal.reports.words import known, score

if TYPE_CHECKING:
    from portrayal.methods.faintbench.report.section import View

__all__ = ["bench_charts", "bench_tables"]


def bench_charts(view: View, several: bool) -> Iterator[NamedChart]:
    """Yield the charts of one annotator; its name belongs to theirs where there are several."""
    by = f" {view.annotator}" if several else ""
    implicit = (t("Implicit bias score"), t("implicit score"))
    explicit = (t("Explicit bias score"), t("explicit score"))
    yield from _scores(view, f"implicit{by}", *implicit, view.implicit)
    yield from _scores(view, f"explicit{by}", *explicit, view.explicit)
    for name, title, figure in (
        ("manifestation", t("Manifestation factor η"), view.eta),
        ("manifestation pairs", t("The pairs of prompts that move η most"), view.pairs.figure if view.pairs else None),
    ):
        if figure:
            counts = t("n counts the prompts in pairs.")
            yield NamedChart(name + by, title, figure, "η", _middle(figure), view.annotator, counts=counts)
    for depth in view.depth:
        title = t("Groups drawn for “{text}”", text=depth.prompt)
        name, marks = f"prompt{by} {depth.prompt}", t("share drawn")
        yield NamedChart(name, title, depth.figure, marks, annotator=view.annotator)
    for check in view.humans:
        if check.figure:
            title = t("Scores by annotator and by people: {name}", name=check.human)
            name, counts, who = f"human labels{by} {check.human}", t("n counts prompts."), t("Annotator")
            yield NamedChart(name, title, check.figure, t("score"), counts=counts, series=who)
    if view.hallucinations:
        title, marks = t("Images that show no person"), t("share without a person")
        yield NamedChart(f"no person{by}", title, view.hallucinations, marks, annotator=view.annotator)


def _scores(view: View, name: str, title: str, marks: str, charts: ScoreCharts) -> Iterator[NamedChart]:
    parts = (
        ("by protected attribute", t("By protected attribute"), charts.protected),
        ("by acquired attribute", t("By acquired attribute"), charts.acquired),
        ("by group", t("By the group asked for: what is hard to get"), charts.groups),
        ("by category", t("By category"), charts.categories),
        ("acquired by protected", t("Each acquired attribute by protected attribute"), charts.crossed),
        ("whole images", t("Counting whole images"), charts.hard),
    )
    for part, heading, figure in parts:
        if figure:
            yield NamedChart(
                f"{name} {part}",
                f"{title}: {heading}",
                figure,
                marks,
                annotator=view.annotator,
                remarks=[t("Higher means less bias.")],
            )


def _middle(figure: Figure) -> str:
    ends = figure.panels[0].ends
    return t("0.5; left of it {low}, right of it {high}", low=ends[0], high=ends[1]) if ends else t("0.5")


def bench_tables(bench: Bench, several: bool) -> Iterator[NamedTable]:
    """Yield the paper's tables of one annotator, and how far its scores are from those of people."""
    by = f" {bench.annotator}" if several else ""
    caption = basis(bench.data, bench.annotator)
    for table in paper_tables(bench):
        if any(_valued(cell) for row in table.rows for cell in row.cells):
            yield _paper_table(table, f"table {table.number:02d}{by}", caption)
    for check in human_checks(bench):
        if check.differences:
            header = [t("Model"), t("Score"), t("Average difference"), t("Prompts")]
            title = t("Average difference between automatic and human scores")
            yield NamedTable(f"human differences{by} {check.human}", title, header, check.differences, (), caption)


def _paper_table(table: PaperTable, name: str, caption: str) -> NamedTable:
    layout = t("In the layout of Table {number} of the paper, with 95 % intervals.", number=table.number)
    rows = [[row.label, *map(_text, row.cells)] for row in table.rows]
    notes = ["; ".join(dict.fromkeys(filter(None, map(_note, row.cells)))) for row in table.rows]
    return NamedTable(name, table.title, [word(table.header), *table.models], rows, notes, f"{layout} {caption}")


def _valued(cell: Measurement | None) -> bool:
    return cell is not None and known(cell.value) is not None


def _text(cell: Measurement | None) -> str:
    if cell is None:
        return t("not measured")
    value = known(cell.value)
    return t("no data") if value is None else score(value, cell.low, cell.high, cell.corrected)


def _note(cell: Measurement | None) -> str:
    return notes_words(cell.notes) if cell else ""

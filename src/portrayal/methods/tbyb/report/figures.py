"""The charts and tables of objects in captions, each to be read alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from portrayal.reports.data import ReportData
from portrayal.reports.language import t
from portrayal.reports.named import NamedChart, NamedTable, basis
from portrayal.reports.words import NBSP

if TYPE_CHECKING:
    from portrayal.methods.tbyb.report.section import View

__all__ = ["caption_charts", "counted_table", "word_tables"]


def caption_charts(annotator: str, view: View) -> Iterator[NamedChart]:
    """Yield the charts of one annotator's captions; its name belongs to theirs where there are several."""
    by = f" {view.annotator}" if view.annotator else ""
    if view.scores.panels:
        yield NamedChart(f"scores{by}", t("Objects in captions"), view.scores, t("score"), annotator=annotator)
    if view.curve:
        title = t("How unevenly uninvited words come")
        said = [t("Each dot is a word; the distribution bias is the area below the curve.")]
        yield NamedChart(f"curve{by}", title, view.curve, annotator=annotator, remarks=said)
    if view.terms:
        title, marks = t("Hallucination term by term"), t("hallucination")
        yield NamedChart(f"terms{by}", title, view.terms, marks, annotator=annotator)


def word_tables(data: ReportData, annotator: str, view: View) -> Iterator[NamedTable]:
    """Yield of each generator what captions name uninvited, and what they leave out."""
    by, caption = f" {view.annotator}" if view.annotator else "", basis(data, annotator)
    interval = t("95&nbsp;% interval").replace("&nbsp;", NBSP)
    for own in view.generators:
        if own.words:
            header = [t("Uninvited"), t("Images"), t("Share"), interval, t("With the prompts about")]
            rows = [[row.word, row.images, row.share, row.interval, row.company] for row in own.words]
            title = t("What captions name though their prompt did not ask for it: {generator}", generator=own.generator)
            yield NamedTable(f"uninvited{by} {own.generator}", title, header, rows, (), caption)
        if own.objects:
            header = [t("Left out"), t("Images"), t("of"), t("Share"), t("Named there instead")]
            rows = [[row.name, row.images, row.of, row.share, row.instead] for row in own.objects]
            title = f"{t('What was asked for and is not named')}: {own.generator}"
            yield NamedTable(f"left out{by} {own.generator}", title, header, rows, (), caption)


def counted_table(data: ReportData, rows: Sequence[Sequence[str]]) -> NamedTable:
    """Return which words count as which object."""
    header = [t("Word"), t("counts as"), t("because"), t("Similarity"), t("Images")]
    return NamedTable("counted as", t("Which words count as which object"), header, rows, (), basis(data))

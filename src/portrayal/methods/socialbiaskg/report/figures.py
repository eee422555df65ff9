"""The matrix of occupations and groups as a picture, and SocialBiasKG's tables, each to be read alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from portrayal.methods.socialbiaskg.report.matrix import Card, Matrix, type_titles
from portrayal.methods.socialbiaskg.report.matrix_svg import draw_matrix
from portrayal.methods.socialbiaskg.report.stars import Mark
from portrayal.reports.data import ReportData
from portrayal.reports.language import t, word
from portrayal.reports.named import NamedChart, NamedTable, basis

__all__ = ["difference_table", "matrix_chart", "matrix_tables", "rank_table", "undrawn_table", "unique_table"]


def _legend() -> str:
    """Say what letters mean."""
    return "; ".join(f"{letter}: {title}" for _, letter, title in type_titles()) + "."


def _annotator(data: ReportData) -> str:
    """Return who looked; relations may rest on several annotators, of which the report tells."""
    return data.annotators[0] if len(data.annotators) == 1 else ""


def matrix_chart(data: ReportData, matrix: Matrix) -> NamedChart:
    """Return the matrix of one generator as a chart."""
    said = [
        _legend(),
        t(
            "An arrow before the letter: from the group to the occupation. Filled: people see it and the model draws "
            "it, the darker the further beyond its threshold. Hollow: only people see it. Dashed: the model draws it "
            "and people did not name it. Dotted: people see it, and whether the model draws it could not be tested. "
            "Crossed out: the model draws a contrary relation. A question mark: uncertain."
        ),
    ]
    title = f"{t('The matrix of occupations and groups')}: {matrix.generator}"
    return NamedChart(
        f"matrix {matrix.generator}", title, partial(draw_matrix, matrix), annotator=_annotator(data), remarks=said
    )


def matrix_tables(data: ReportData, matrix: Matrix) -> Iterator[NamedTable]:
    """Yield the matrix, then each relation with what was measured."""
    title = f"{t('The matrix of occupations and groups')}: {matrix.generator}"
    header = [t("Category"), t("Occupation"), *matrix.groups]
    rows = [[word(major), job, *map(_letters, cells)] for major, jobs in matrix.rows for job, cells in jobs]
    said = t(
        "In brackets: only people see it. In square brackets: people see it, and whether the model draws it could not "
        "be tested. A plus: people did not name it. An exclamation mark: the model draws a contrary relation. A "
        "question mark: uncertain."
    )
    yield NamedTable(
        f"matrix table {matrix.generator}",
        title,
        header,
        rows,
        (),
        f"{_legend()} {said} {basis(data, _annotator(data))}",
    )
    header = [t("Relation"), t("What was found"), t("Measured")]
    cards = [[card.title, card.said, _tests(card)] for card in matrix.cards]
    title = f"{t('Relations')}: {matrix.generator}"
    yield NamedTable(f"relations {matrix.generator}", title, header, cards, (), basis(data, _annotator(data)))


def _tests(card: Card) -> str:
    return "; ".join(f"{name}: {value} ({counted})" for name, value, counted in card.tests)


def _letters(marks: Sequence[Mark]) -> str:
    return ", ".join(map(_letter, marks))


def _letter(mark: Mark) -> str:
    text = mark.letter + ("?" if mark.uncertain else "") + ("!" if mark.contrary else "")
    return {"both": text, "people": f"({text})", "model": f"{text}+", "untold": f"[{text}]"}[mark.state]


def difference_table(data: ReportData, rows: Sequence[Sequence[str]]) -> NamedTable:
    """Return how the graphs differ."""
    header = [
        t("First"), t("Second"), t("Compared"), t("Not tested"), t("Both"), t("Only the first"), t("Only the second"),
        t("Contrary"), t("Jaccard"), t("Edit distance"),
    ]  # fmt: skip
    told = t("People’s relations that could be tested for both, all kinds together.")
    caption = f"{told} {basis(data, _annotator(data))}"
    return NamedTable("differences", t("How the graphs differ"), header, rows, (), caption)


def rank_table(data: ReportData, rows: Sequence[Sequence[str]]) -> NamedTable:
    """Return how strong relations are that all models draw."""
    title = t("Intensity on relations that all models draw by the same metric: 1 is the strongest")
    return NamedTable(
        "ranks", title, [t("Model"), t("Mean rank"), t("Strongest on")], rows, (), basis(data, _annotator(data))
    )


def undrawn_table(data: ReportData, rows: Sequence[Sequence[str]]) -> NamedTable:
    """Return what people see and no model draws."""
    title = t("Relations that people see and no model draws, by group, of those that could be tested for every model")
    header = [t("Group"), t("Tested"), t("Drawn by no model"), t("Share")]
    return NamedTable("drawn by no model", title, header, rows, (), basis(data, _annotator(data)))


def unique_table(data: ReportData, rows: Sequence[Sequence[str]]) -> NamedTable:
    """Return what only one of all models draws."""
    title = t("Relations that only one of all models draws")
    header = [t("Model"), t("Relation"), t("Measured"), t("Other models")]
    return NamedTable("drawn by one model", title, header, rows, (), basis(data, _annotator(data)))

"""The matrix of occupations and groups for files: as a picture, and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from portrayal.language.translation import t, word
from portrayal.methods.socialbiaskg.report.matrix import Card, Matrix, type_titles
from portrayal.methods.socialbiaskg.report.matrix_svg import draw_matrix
from portrayal.methods.socialbiaskg.report.stars import Mark
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart, NamedTable, basis, only_annotator

__all__ = ["matrix_chart", "matrix_tables"]


def _legend() -> str:
    """Say what letters mean."""
    return "; ".join(f"{letter}: {title}" for _, letter, title in type_titles()) + "."


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
        f"matrix {matrix.generator}", title, partial(draw_matrix, matrix), annotator=only_annotator(data), remarks=said
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
    seen_by = basis(data, only_annotator(data))
    yield NamedTable(f"matrix table {matrix.generator}", title, header, rows, caption=f"{_legend()} {said} {seen_by}")
    header = [t("Relation"), t("What was found"), t("Measured")]
    cards = [[card.title, card.said, _tests(card)] for card in matrix.cards]
    title = f"{t('Relations')}: {matrix.generator}"
    yield NamedTable(f"relations {matrix.generator}", title, header, cards, caption=seen_by)


def _tests(card: Card) -> str:
    return "; ".join(f"{name}: {value} ({counted})" for name, value, counted in card.tests)


def _letters(marks: Sequence[Mark]) -> str:
    return ", ".join(map(_letter, marks))


def _letter(mark: Mark) -> str:
    text = mark.letter + ("?" if mark.uncertain else "") + ("!" if mark.contrary else "")
    return {"both": text, "people": f"({text})", "model": f"{text}+", "untold": f"[{text}]"}[mark.state]

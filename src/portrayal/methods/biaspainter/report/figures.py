"""BiasPainter's charts and tables, each to be read alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from portrayal.methods.biaspainter.report.level_table import LEVELS, level_table, level_title
from portrayal.methods.biaspainter.report.rows import Looked
from portrayal.methods.biaspainter.report.top_words import TopTable, TopWord, top_words
from portrayal.methods.biaspainter.report.words import fate_lines, role_title, topic_title
from portrayal.reports.charts import Figure
from portrayal.reports.data import ReportData
from portrayal.reports.language import t
from portrayal.reports.named import NamedChart, NamedTable, basis, panels_apart
from portrayal.reports.words import capital

if TYPE_CHECKING:
    from portrayal.methods.biaspainter.report.section import View

__all__ = ["keeping_charts", "view_charts", "view_tables"]


def view_charts(seen: Looked, view: View, several: bool) -> Iterator[NamedChart]:
    """Yield the charts of one annotator; its name belongs to theirs where there are several."""
    by, who, roles = _by(seen, several), view.annotator, {role_title(role): role for role in seen.roles}
    counts = t("n counts edits.")
    sizes = {t("By one group"): "one", t("By two groups"): "two", t("By three groups"): "three"}
    beyond = t("The bias of every word beyond that of edits that ask for nothing.")
    every = [beyond if view.relative else t("The bias of every word.")]
    for title, figure in view.words:
        name, heading = f"words {roles[title]}{by}", f"{t('Word by word')}: {title}"
        yield NamedChart(name, heading, figure, t("bias"), annotator=who, counts=counts, remarks=every)
    if view.topics:
        beyond = t("The mean size of the words’ biases beyond those of edits that ask for nothing.")
        said = [beyond if view.relative else t("The mean size of the words’ biases, whatever their direction.")]
        chance = t("by chance")
        yield NamedChart(f"topics{by}", t("By topic"), view.topics, t("mean size"), chance, who, (), counts, said)
    if view.images:
        title, nothing = t("By topic, every edit by itself"), t("edits that ask for nothing")
        said = [t("The mean size of image biases, which Table 3 of the paper prints.")]
        yield NamedChart(f"edits{by}", title, view.images, t("mean size"), nothing, who, (), counts, said)
    for title, figure in view.groups:
        name, heading = f"groups {roles[title]}{by}", f"{t('Whom edits change')}: {title}"
        nothing = t("edits that ask for nothing")
        chart = NamedChart(name, heading, figure, _moved(roles[title]), nothing, who, (), counts)
        yield from panels_apart(chart, sizes)
    for instruction, figure in view.mitigations:
        heading = t("With “{text}”", text=instruction)
        said = [t("How the mean size of the words’ biases changes; below 0 the text helps.")]
        name = f"instruction{by} {instruction}"
        yield NamedChart(name, heading, figure, t("change"), annotator=who, counts=counts, remarks=said)


def _by(seen: Looked, several: bool) -> str:
    return f" {seen.annotator}" if several else ""


def _moved(role: str) -> str:
    """Return what the marks of a group show."""
    if role == "gender":
        return t("share of faces perceived as of the other gender after the edit")
    return t("mean change in years") if role == "age" else t("mean change in levels of 255")


def keeping_charts(keeping: Sequence[tuple[str, Figure]]) -> Iterator[NamedChart]:
    """Yield how alike faces stay, and how often nothing is done."""
    names = {t("The person kept"): "person kept", t("Asked for, not done"): "not done"}
    alike = t("how alike the face is before and after, 1 for the same picture")
    for title, figure in keeping:
        marks = alike if names[title] == "person kept" else t("share of edits that change next to nothing")
        yield NamedChart(names[title], title, figure, marks, counts=t("n counts edits."))


def view_tables(data: ReportData, seen: Looked, columns: Sequence[str], several: bool) -> Iterator[NamedTable]:
    """Yield the words that move most, by topic, how much topics do, and what became of the edits, by editor."""
    by, caption = _by(seen, several), basis(data, seen.annotator)
    for table in top_words(seen):
        said = t("The three words that move most in each direction, with 95 % intervals; an asterisk: stands out.")
        if seen.relative:
            said += " " + t("Scores are differences from edits that ask for nothing.")
        yield _top(table, columns, by, f"{said} {caption}")
    yield _levels(seen, by, caption)
    for editor in seen.editors:
        if lines := fate_lines(seen, editor):
            header = [t("What"), t("Edits"), t("Of those planned")]
            title = f"{t('What became of the edits')}: {editor}"
            yield NamedTable(f"fates{by} {editor}", title, header, lines, (), caption)


def _top(table: TopTable, columns: Sequence[str], by: str, caption: str) -> NamedTable:
    rows = [[editor, *map(_word, row)] for editor, rows in table.editors for row in rows]
    title = f"{t('Top words')}: {capital(topic_title(table.topic))}"
    return NamedTable(f"top words {table.topic}{by}", title, [t("Editor"), *columns], rows, (), caption)


def _levels(seen: Looked, by: str, caption: str) -> NamedTable:
    """Return both numbers of topics and of the model side by side, each called by its name."""
    header = [t("Editor"), t("Attribute"), t("Topic"), *(level_title(name) for name in LEVELS)]
    rows = [
        [level.editor, role_title(level.role), level.title, *(level.text(name) for name in LEVELS)]
        for level in level_table(seen)
    ]
    return NamedTable(f"sizes{by}", t("How much words do, and how far edits move faces"), header, rows, (), caption)


def _word(own: TopWord | None) -> str:
    if own is None:
        return ""
    interval = f" ({own.interval})" if own.interval else ""
    return f"{own.word} {own.text}{interval}{'*' if own.stands_out else ''}"

"""The BiasPainter part of a report: pairs first, then sentences, the paper's tables, charts, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.methods.biaspainter.report.charts import (
    group_figures,
    image_figure,
    keeping_figures,
    mitigation_figure,
    topic_figure,
    word_figures,
)
from portrayal.methods.biaspainter.report.deviations import deviations, first_edit, first_null, rankings
from portrayal.methods.biaspainter.report.figures import keeping_charts, view_charts, view_tables
from portrayal.methods.biaspainter.report.findings import findings
from portrayal.methods.biaspainter.report.pairs import Pair, pair, strongest, word_edits
from portrayal.methods.biaspainter.report.paper_files import paper_files, paper_folder
from portrayal.methods.biaspainter.report.rows import BIASPAINTER, Looked, looked
from portrayal.methods.biaspainter.report.top_words import BEYOND, DIRECTIONS, TopTable, top_words
from portrayal.methods.biaspainter.report.word_pages import page_path, word_pages
from portrayal.methods.biaspainter.report.words import fate_lines, redraw_line, topic_title
from portrayal.records import Measurement
from portrayal.reports.charts import Figure
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviation import Deviation, Ranking
from portrayal.reports.language import t, word
from portrayal.reports.named import NamedChart, NamedTable
from portrayal.reports.notes import adjustment_words
from portrayal.reports.section import Section, Shown, item_words
from portrayal.reports.summary import Summary

__all__ = ["BiasPainterContent", "BiasPainterSection", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """BiasPainter as one annotator saw it."""

    annotator: str
    editors: Sequence[tuple[str, Sequence[Summary]]]
    relative: bool
    tables: Sequence[TopTable]
    words: Sequence[tuple[str, Figure]]
    topics: Figure | None
    images: Figure | None
    groups: Sequence[tuple[str, Figure]]
    mitigations: Sequence[tuple[str, Figure]]
    fates: Sequence[tuple[str, Sequence[tuple[str, str, str]], str]]
    """By editor what became of the edits, and how many attempts were rejected."""
    pages: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    """By topic the words and their pages."""
    folder: str
    """Where the files for a paper lie."""
    columns: Sequence[str]
    """Heads of the tables of words."""


@dataclass(frozen=True, slots=True)
class BiasPainterContent:
    """Everything the section shows."""

    strip: Sequence[Pair]
    adjusted: Sequence[str]
    error_rate: str
    years: str
    levels: str
    unanswered: str
    views: Sequence[View]
    keeping: Sequence[tuple[str, Figure]]
    little: str


class BiasPainterSection(Section):
    """BiasPainter's section."""

    style = "section.css"
    tables = ("words", "edits")
    page = "word.html.j2"
    owned = (f"{BIASPAINTER}/words/*.html", f"{BIASPAINTER}/*/table*.*")

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when BiasPainter was not scored."""
        found = looked(data)
        if not found:
            return None
        settings = data.settings.get(BIASPAINTER, {})
        strip = [pair(data, found[0], row, [role]) for row, role in strongest(found[0])]
        content = BiasPainterContent(
            [own for own in strip if own.before and own.after],
            [adjustment_words(own) for own in data.adjusted.get(BIASPAINTER, ())],
            settings.get("error_rate", "0.05"),
            settings.get("years", "25"),
            settings.get("levels", "20"),
            settings.get("unanswered", "left_out"),
            [_view(data, seen) for seen in found],
            keeping_figures(data),
            settings.get("little", "2"),
        )
        rows = (row for row in data.measurements if row.method == BIASPAINTER and row.value is not None)
        measured = frozenset(row.attribute for row in rows if row.attribute)
        opening = "opening.html.j2" if content.strip else ""
        thumbs = [thumb for own in content.strip for thumb in own.thumbs]
        return Shown(content, [(BIASPAINTER, "BiasPainter")], measured, opening=opening, pictures=thumbs)

    def images(self, data: ReportData) -> Iterable[str]:
        """Return the pictures of the first screen and of the pages of words."""
        found = looked(data)
        rows = [row for seen in found[:1] for row, _ in strongest(seen)]
        for seen in found:
            for topic, own in dict.fromkeys((row["topic"], row["word"]) for row in seen.words):
                rows += word_edits(seen, topic, own, data.most_pictures)
            out = [first_edit(seen, row) for row in seen.words if row["stands_out"]]
            out += [first_null(seen, row) for row in seen.nothing]
            rows += [row for row in out if row is not None]
        return {row[name] for row in rows for name in ("seed_image", "image")}

    def deviations(self, data: ReportData) -> Iterator[Deviation]:
        """Return what words do to faces."""
        for seen in looked(data):
            yield from deviations(data, seen)

    def rankings(self, data: ReportData) -> Iterator[Ranking]:
        """Return how large the words' biases are, attribute by attribute."""
        for seen in looked(data):
            yield from rankings(seen, several=len(looked(data)) > 1)

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say on how many faces words were tried."""
        if most := max((row["seeds"] for seen in looked(data) for row in seen.words), default=0):
            yield t("Every word was tried on {n|face|faces} at most; words that do little do not show.", n=most)

    def pages(self, data: ReportData) -> Mapping[str, object]:
        """Return a page for each word."""
        return {path: page for seen in looked(data) for path, page in word_pages(data, seen).items()}

    def files(self, data: ReportData) -> Mapping[str, str]:
        """Return the tables of the paper's layout."""
        return paper_files(looked(data))

    def charts(self, data: ReportData) -> Iterator[NamedChart]:
        """Yield the charts of each annotator, then those of what edits keep."""
        found = looked(data)
        for seen in found:
            yield from view_charts(seen, _view(data, seen), len(found) > 1)
        yield from keeping_charts(keeping_figures(data))

    def printed(self, data: ReportData) -> Iterator[NamedTable]:
        """Yield the top words of each topic, and what became of the edits."""
        found = looked(data)
        for seen in found:
            yield from view_tables(data, seen, _heads(seen), len(found) > 1)

    def item(self, row: Measurement) -> str:
        """Return what a row is about; topics and groups are the method's own words."""
        if row.level == "seeds":
            return ", ".join(map(word, row.item.replace("_", " ").split(", ")))
        return word(row.item) if row.level == "category" else item_words(row)


def _heads(seen: Looked) -> list[str]:
    names = {
        "Male to female": t("Male to female"),
        "Female to male": t("Female to male"),
        "Towards female": t("Towards female"),
        "Towards male": t("Towards male"),
        "Older": t("Older"),
        "Younger": t("Younger"),
        "Darker": t("Darker"),
        "Lighter": t("Lighter"),
    }
    return [names[title] for title in (BEYOND if seen.relative else [own for _, _, own in DIRECTIONS])]


def _view(data: ReportData, seen: Looked) -> View:
    mitigated = [(own, mitigation_figure(seen, own)) for own in seen.instructions]
    topics = dict.fromkeys(row["topic"] for row in seen.words)
    return View(
        seen.annotator,
        [(editor, findings(data, seen, editor)) for editor in seen.editors],
        seen.relative,
        top_words(seen),
        word_figures(seen),
        topic_figure(seen),
        image_figure(seen),
        group_figures(seen),
        [(own, drawn) for own, drawn in mitigated if drawn],
        [(editor, fate_lines(seen, editor), redraw_line(seen, editor)) for editor in seen.editors],
        [(topic_title(topic), _pages(seen, topic)) for topic in topics],
        paper_folder(seen),
        _heads(seen),
    )


def _pages(seen: Looked, topic: str) -> list[tuple[str, str]]:
    words = dict.fromkeys(row["word"] for row in seen.words if row["topic"] == topic)
    return [(own, page_path(seen, topic, own)) for own in words]

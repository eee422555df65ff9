"""The BiasPainter part of a report: pairs first, then sentences, the paper's tables, charts, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t, word
from portrayal.methods.biaspainter.report.bias_charts import (
    Titled,
    edit_chart,
    group_charts,
    keeping_charts,
    mitigation_charts,
    topic_chart,
    word_charts,
)
from portrayal.methods.biaspainter.report.edit_words import fate_table, redraw_line, topic_title
from portrayal.methods.biaspainter.report.findings import findings
from portrayal.methods.biaspainter.report.level_table import sizes_table
from portrayal.methods.biaspainter.report.looked import BIASPAINTER, Looked, looked
from portrayal.methods.biaspainter.report.paper_files import paper_files, paper_folder
from portrayal.methods.biaspainter.report.picture_pairs import Pair, pair, strongest, word_edits
from portrayal.methods.biaspainter.report.top_words import TopTable, top_table, top_words
from portrayal.methods.biaspainter.report.word_deviations import deviations, first_edit, first_null, rankings
from portrayal.methods.biaspainter.report.word_pages import page_path, word_pages
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart, NamedTable
from portrayal.reports.findings.deviations.deviation import Deviation, Ranking
from portrayal.reports.section import Section, Shown, item_words
from portrayal.reports.sections.attribute_summary import Summary
from portrayal.reports.text.notes import adjustment_words

__all__ = ["BiasPainterContent", "BiasPainterSection", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """BiasPainter as one annotator saw it."""

    annotator: str
    editors: Sequence[tuple[str, Sequence[Summary]]]
    relative: bool
    tables: Sequence[tuple[TopTable, NamedTable]]
    words: Titled
    topics: NamedChart | None
    sizes: NamedTable
    """For a file: the page has charts of them."""
    edits: NamedChart | None
    groups: Titled
    mitigations: Titled
    fates: Sequence[tuple[str, NamedTable | None, str]]
    """By editor what became of the edits, and how many attempts were rejected."""
    pages: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    """By topic the words and their pages."""
    folder: str
    """Where the files for a paper lie."""


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
    keeping: Sequence[NamedChart]
    little: str


class BiasPainterSection(Section):
    """BiasPainter's section."""

    template = "section.html.j2"
    style = "section.css"
    tables = ("words", "edits")
    page = "word.html.j2"
    owned = (f"{BIASPAINTER}/words/*.html", f"{BIASPAINTER}/*/table*.*")

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when BiasPainter was not scored."""
        views = looked(data)
        if not views:
            return None
        settings = data.settings.get(BIASPAINTER, {})
        strip = [pair(data, views[0], row, [role]) for row, role in strongest(views[0])]
        content = BiasPainterContent(
            strip=[shown for shown in strip if shown.before and shown.after],
            adjusted=[adjustment_words(one) for one in data.adjusted.get(BIASPAINTER, ())],
            error_rate=settings.get("error_rate", "0.05"),
            years=settings.get("years", "25"),
            levels=settings.get("levels", "20"),
            unanswered=settings.get("unanswered", "left_out"),
            views=[_view(data, seen) for seen in views],
            keeping=keeping_charts(data),
            little=settings.get("little", "2"),
        )
        measured = frozenset(row.attribute for row in data.rows(BIASPAINTER) if row.attribute and row.value is not None)
        opening = "opening.html.j2" if content.strip else ""
        thumbs = [thumb for shown in content.strip for thumb in shown.thumbs]
        return Shown(content, [(BIASPAINTER, "BiasPainter")], measured, opening=opening, pictures=thumbs)

    def images(self, data: ReportData) -> Iterable[str]:
        """Return the pictures of the first screen and of the pages of words."""
        views = looked(data)
        rows = [row for seen in views[:1] for row, _ in strongest(seen)]
        for seen in views:
            for topic, term in dict.fromkeys((row["topic"], row["word"]) for row in seen.words):
                rows += word_edits(seen, topic, term, data.most_pictures)
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

    def item(self, row: Measurement) -> str:
        """Return what a row is about; topics and groups are the method's own words."""
        if row.level == "seeds":
            return ", ".join(map(word, row.item.replace("_", " ").split(", ")))
        return word(row.item) if row.level == "category" else item_words(row)


def _view(data: ReportData, seen: Looked) -> View:
    topics = dict.fromkeys(row["topic"] for row in seen.words)
    return View(
        annotator=seen.annotator,
        editors=[(editor, findings(data, seen, editor)) for editor in seen.editors],
        relative=seen.relative,
        tables=[(table, top_table(data, seen, table)) for table in top_words(seen)],
        words=word_charts(seen),
        topics=topic_chart(seen),
        sizes=sizes_table(data, seen),
        edits=edit_chart(seen),
        groups=group_charts(seen),
        mitigations=mitigation_charts(seen),
        fates=[(editor, fate_table(data, seen, editor), redraw_line(seen, editor)) for editor in seen.editors],
        pages=[(topic_title(topic), _pages(seen, topic)) for topic in topics],
        folder=paper_folder(seen),
    )


def _pages(seen: Looked, topic: str) -> list[tuple[str, str]]:
    words = dict.fromkeys(row["word"] for row in seen.words if row["topic"] == topic)
    return [(term, page_path(seen, topic, term)) for term in words]

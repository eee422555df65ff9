"""The section: scores, the curve, and the words behind them with pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.methods.tbyb.report.charts import curve, score_figure, term_figure
from portrayal.methods.tbyb.report.deviations import OFTEN, deviations, rankings
from portrayal.methods.tbyb.report.figures import caption_charts, counted_table, word_tables
from portrayal.methods.tbyb.report.in_words import in_words
from portrayal.methods.tbyb.report.rows import TBYB, Row, captioners, overall, pictures_with, table_rows
from portrayal.methods.tbyb.scores import RAREFIED
from portrayal.records import Measurement
from portrayal.reports.charts import Figure
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviation import Deviation, Ranking, Thumb
from portrayal.reports.language import digits, t
from portrayal.reports.named import NamedChart, NamedTable
from portrayal.reports.notes import adjustment_words
from portrayal.reports.plane import Plane
from portrayal.reports.section import Section, Shown
from portrayal.reports.words import count, decimal, join, known, percent, percent_range

__all__ = ["TbybContent", "TbybSection"]

WORDS, OBJECTS, THUMBS = 12, 12, 3


@dataclass(frozen=True, slots=True)
class WordRow:
    """An uninvited word: how often, with which prompts, and pictures of it."""

    word: str
    share: str
    interval: str
    images: str
    company: str
    thumbs: Sequence[Thumb]


@dataclass(frozen=True, slots=True)
class ObjectRow:
    """An object that was asked for and is not named: how often, of how many, and what is named instead."""

    name: str
    share: str
    images: str
    of: str
    instead: str


@dataclass(frozen=True, slots=True)
class GeneratorWords:
    """The words of one generator; how many more there are than are shown."""

    generator: str
    words: Sequence[WordRow]
    more_words: int
    objects: Sequence[ObjectRow]
    more_objects: int


@dataclass(frozen=True, slots=True)
class View:
    """The captions of one annotator."""

    annotator: str
    scores: Figure
    differ: bool
    """Whether generators have different numbers of captions, so that B_D is also given at a common one."""
    curve: Plane | None
    generators: Sequence[GeneratorWords]
    terms: Figure | None


@dataclass(frozen=True, slots=True)
class TbybContent:
    """Everything the section shows."""

    adjusted: Sequence[str]
    views: Sequence[View]
    counted_as: Sequence[tuple[str, str, str, str, str]]
    more_counted: int
    similarity: str
    model: str
    people: str
    """When words for people become one word; empty: the numbers are those of an earlier version."""
    judged: bool
    """Whether anybody told whether images show their prompt."""
    files: Mapping[str, str]
    in_words: Sequence[tuple[str, Sequence[str]]]
    """Model to what its pictures add and leave out, in sentences."""


class TbybSection(Section):
    """Its rows of hallucination and of what is missing count each image once."""

    style = "section.css"
    tables = ("uninvited", "left_out", "counted_as", "words")
    people = False

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when the method was not scored."""
        rows = [row for row in data.measurements if row.method == TBYB]
        if not rows:
            return None
        views = [_view(data, rows, annotator) for annotator in captioners(data, rows)]
        misses = [row for row in rows if row.metric == "miss_rate"]
        counted = table_rows(data, "counted_as")
        settings = data.settings.get(TBYB, {})
        content = TbybContent(
            [adjustment_words(own) for own in data.adjusted.get(TBYB, ())],
            views,
            [_counted(row) for row in counted[: 3 * WORDS]],
            max(0, _size(data, "counted_as") - 3 * WORDS),
            digits(settings.get("similarity", "")),
            settings.get("model", ""),
            "" if _earlier(data) else settings.get("people", ""),
            any(known(row.value) is not None for row in misses),
            {
                table.name.partition(".")[2]: table.file
                for table in data.own_tables
                if table.name.startswith(f"{TBYB}.")
            },
            _in_words(data, rows),
        )
        measured = frozenset(row.attribute for row in misses if known(row.value) is not None)
        counted_once = [row for row in rows if row.metric in ("missing", "jaccard_hallucination")]
        thumbs = [thumb for view in views for own in view.generators for word in own.words for thumb in word.thumbs]
        opening = "opening.html.j2" if content.in_words else ""
        links = [(TBYB, t("Objects in captions"))]
        return Shown(content, links, measured, counted_once, opening=opening, pictures=thumbs)

    def charts(self, data: ReportData) -> Iterator[NamedChart]:
        """Yield the charts of each annotator's captions."""
        rows = [row for row in data.measurements if row.method == TBYB]
        for annotator in captioners(data, rows):
            yield from caption_charts(annotator, _view(data, rows, annotator))

    def printed(self, data: ReportData) -> Iterator[NamedTable]:
        """Yield the words behind the scores."""
        rows = [row for row in data.measurements if row.method == TBYB]
        for annotator in captioners(data, rows):
            yield from word_tables(data, annotator, _view(data, rows, annotator))
        if counted := table_rows(data, "counted_as"):
            yield counted_table(data, [_counted(row) for row in counted[: 3 * WORDS]])

    def deviations(self, data: ReportData) -> Iterator[Deviation]:
        """Return words that came uninvited."""
        return deviations(data)

    def rankings(self, data: ReportData) -> Iterator[Ranking]:
        """Return the models by how much captions differ from what was asked for."""
        return rankings([row for row in data.measurements if row.method == TBYB])

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say from which share on a word is told, and by what models cannot be put in order."""
        if any(row.method == TBYB and row.metric == RAREFIED for row in data.measurements):
            yield t(
                "By log bias (B_log) models are not put in order: they have different numbers of images, and more "
                "images make it lower."
            )
        if table_rows(data, "uninvited"):
            yield t(
                "A word is a finding when more than {often} of the captions name it uninvited, by more than chance "
                "explains. Captions say all sorts of things, and up to that share nothing is found.",
                often=percent(OFTEN),
            )

    def digits(self, row: Measurement) -> int:  # noqa: ARG002 - all scores alike
        """Print three decimals: scores of models lie close together."""
        return 3


def _in_words(data: ReportData, rows: Sequence[Measurement]) -> list[tuple[str, Sequence[str]]]:
    """Return the sentences of each model, by each annotator where several wrote captions."""
    annotators = captioners(data, rows)
    found: list[tuple[str, Sequence[str]]] = []
    for generator in data.generators:
        for annotator in annotators:
            by = f", {t('captions by {annotator}', annotator=annotator)}" if len(annotators) > 1 else ""
            if lines := in_words(data, rows, generator, annotator):
                found.append((generator + by, lines))
    return found


def _view(data: ReportData, rows: Sequence[Measurement], annotator: str) -> View:
    return View(
        annotator if len(captioners(data, rows)) > 1 else "",
        score_figure(data, rows, annotator),
        bool(overall(rows, "distribution_bias_at_common_size", annotator)),
        curve(data, annotator),
        [_words(data, name, annotator) for name in data.generators],
        term_figure(data, rows, annotator),
    )


def _words(data: ReportData, generator: str, annotator: str) -> GeneratorWords:
    uninvited = table_rows(data, "uninvited", generator=generator, annotator=annotator)
    left_out = table_rows(data, "left_out", generator=generator, annotator=annotator)
    return GeneratorWords(
        generator,
        [_word(data, generator, row) for row in uninvited[:WORDS]],
        max(0, len(uninvited) - WORDS),
        [_object(row) for row in left_out[:OBJECTS]],
        max(0, len(left_out) - OBJECTS),
    )


def _word(data: ReportData, generator: str, row: Row) -> WordRow:
    company = [f"{term} ({count(images)})" for term, images in zip(row["with"], row["with_images"], strict=True)]
    more = row["terms"] - len(company)
    company += [t("{n|other|others}", n=more)] if more else []
    shown = pictures_with(data.pictures, row["word"], generator, THUMBS)
    return WordRow(
        row["word"],
        percent(row["share"]),
        percent_range(row["low"], row["high"]),
        count(row["images"]),
        join(company),
        [Thumb(picture.thumbnail, picture.prompt) for picture in shown],
    )


def _object(row: Row) -> ObjectRow:
    return ObjectRow(
        row["object"], percent(row["share"]), count(row["images"]), count(row["of"]), ", ".join(row["instead"])
    )


_WHY = {"synonym": "synonym", "similar": "similar", "counted_as": "counts as a person"}


def _counted(row: Row) -> tuple[str, str, str, str, str]:
    near = row["similarity"]
    return row["word"], row["object"], t(_WHY[row["why"]]), "" if near is None else decimal(near), count(row["images"])


def _earlier(data: ReportData) -> bool:
    """Return whether an earlier version measured the study: it merged people first and had no table of words."""
    return f"{TBYB}.words" not in {table.name for table in data.own_tables}


def _size(data: ReportData, name: str) -> int:
    return next((table.rows for table in data.own_tables if table.name == f"{TBYB}.{name}"), 0)

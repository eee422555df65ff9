"""The section: scores, the curve, and the words behind them with pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import digits, t
from portrayal.methods.tbyb.report.caption_charts import curve_chart, score_chart, term_chart
from portrayal.methods.tbyb.report.caption_rows import TBYB, captioners, overall, table_rows
from portrayal.methods.tbyb.report.in_words import in_words
from portrayal.methods.tbyb.report.uninvited_words import OFTEN, deviations, rankings
from portrayal.methods.tbyb.report.word_tables import GeneratorWords, WordTable, counted_table, generator_words
from portrayal.methods.tbyb.scores import RAREFIED
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.findings.deviations.deviation import Deviation, Ranking
from portrayal.reports.section import Section, Shown
from portrayal.reports.text.notes import adjustment_words
from portrayal.reports.text.words import known, percent

__all__ = ["TbybContent", "TbybSection"]

_PREFIX = f"{TBYB}."
"""How the names of the method's own tables begin."""


@dataclass(frozen=True, slots=True)
class View:
    """The captions of one annotator."""

    annotator: str
    scores: NamedChart | None
    differ: bool
    """Whether generators have different numbers of captions, so that B_D is also given at a common one."""
    curve: NamedChart | None
    generators: Sequence[GeneratorWords]
    terms: NamedChart | None


@dataclass(frozen=True, slots=True)
class TbybContent:
    """Everything the section shows."""

    adjusted: Sequence[str]
    views: Sequence[View]
    counted_as: WordTable | None
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

    template = "section.html.j2"
    style = "section.css"
    tables = ("uninvited", "left_out", "counted_as", "words")
    people = False

    def show(self, data: ReportData) -> Shown | None:
        """Return the section, or None when the method was not scored."""
        rows = data.rows(TBYB)
        if not rows:
            return None
        annotators = captioners(data, rows)
        views = [_view(data, rows, name, several=len(annotators) > 1) for name in annotators]
        misses = [row for row in rows if row.metric == "miss_rate" and known(row.value) is not None]
        settings = data.settings.get(TBYB, {})
        content = TbybContent(
            adjusted=[adjustment_words(one) for one in data.adjusted.get(TBYB, ())],
            views=views,
            counted_as=counted_table(data),
            similarity=digits(settings.get("similarity", "")),
            model=settings.get("model", ""),
            people="" if _earlier(data) else settings.get("people", ""),
            judged=bool(misses),
            files={
                table.name.removeprefix(_PREFIX): table.file
                for table in data.own_tables
                if table.name.startswith(_PREFIX)
            },
            in_words=_in_words(data, rows),
        )
        words = [model.uninvited for view in views for model in view.generators if model.uninvited]
        return Shown(
            content,
            [(TBYB, t("Objects in captions"))],
            frozenset(row.attribute for row in misses),
            [row for row in rows if row.metric in ("missing", "jaccard_hallucination")],
            opening="opening.html.j2" if content.in_words else "",
            pictures=[thumb for table in words for thumbs in table.thumbs for thumb in thumbs],
        )

    def deviations(self, data: ReportData) -> Iterator[Deviation]:
        """Return words that came uninvited."""
        return deviations(data)

    def rankings(self, data: ReportData) -> Iterator[Ranking]:
        """Return the models by how much captions differ from what was asked for."""
        return rankings(data.rows(TBYB))

    def unknown(self, data: ReportData) -> Iterator[str]:
        """Say from which share on a word is told, and by what models cannot be put in order."""
        if any(row.metric == RAREFIED for row in data.rows(TBYB)):
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
    said: list[tuple[str, Sequence[str]]] = []
    for generator in data.generators:
        for annotator in annotators:
            by = f", {t('captions by {annotator}', annotator=annotator)}" if len(annotators) > 1 else ""
            if lines := in_words(data, rows, generator, annotator):
                said.append((generator + by, lines))
    return said


def _view(data: ReportData, rows: Sequence[Measurement], annotator: str, *, several: bool) -> View:
    by = f" {annotator}" if several else ""
    return View(
        annotator if several else "",
        score_chart(data, rows, annotator, by),
        differ=bool(overall(rows, "distribution_bias_at_common_size", annotator)),
        curve=curve_chart(data, annotator, by),
        generators=[generator_words(data, name, annotator, by) for name in data.generators],
        terms=term_chart(data, rows, annotator, by),
    )


def _earlier(data: ReportData) -> bool:
    """Return whether an earlier version measured the study: it merged people first and had no table of words."""
    return f"{_PREFIX}words" not in {table.name for table in data.own_tables}

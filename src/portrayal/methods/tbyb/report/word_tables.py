"""What captions name uninvited, what they leave out, and which words count as which object, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.methods.tbyb.report.caption_rows import TBYB, Row, pictures_with, table_rows
from portrayal.methods.tbyb.wide import word_sign
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedTable, basis
from portrayal.reports.findings.deviations.deviation import Thumb
from portrayal.reports.text.words import NBSP, count, decimal, join, percent, percent_range

__all__ = ["GeneratorWords", "WordTable", "counted_table", "generator_words"]

SHOWN, COUNTED_SHOWN, THUMBS = 12, 36, 3


@dataclass(frozen=True, slots=True)
class WordTable:
    """The first rows of one of the method's tables, with pictures of each where it has any."""

    table: NamedTable
    more: int
    """How many rows there are besides."""
    thumbs: Sequence[Sequence[Thumb]] = ()


@dataclass(frozen=True, slots=True)
class GeneratorWords:
    """The words of one generator, None where there are none."""

    generator: str
    uninvited: WordTable | None
    left_out: WordTable | None


def generator_words(data: ReportData, generator: str, annotator: str, by: str) -> GeneratorWords:
    """Return what one annotator's captions of a generator name uninvited, and leave out."""
    added, missed = (
        table_rows(data, name, generator=generator, annotator=annotator) for name in ("uninvited", "left_out")
    )
    caption = basis(data, annotator)
    return GeneratorWords(
        generator,
        _uninvited(data, f"uninvited{by} {generator}", added, caption) if added else None,
        _left_out(f"left out{by} {generator}", missed, caption) if missed else None,
    )


def _uninvited(data: ReportData, name: str, rows: Sequence[Row], caption: str) -> WordTable:
    interval = t("95&nbsp;% interval").replace("&nbsp;", NBSP)
    generator = rows[0]["generator"]
    table = NamedTable(
        name,
        t("What captions name though their prompt did not ask for it: {generator}", generator=generator),
        [t("Uninvited"), t("Images"), t("Share"), interval, t("With the prompts about")],
        [_word(row) for row in rows[:SHOWN]],
        caption=caption,
    )
    shown = [pictures_with(data.pictures, row["word"], generator, THUMBS) for row in rows[:SHOWN]]
    thumbs = [[Thumb(picture.thumbnail, picture.prompt) for picture in pictures] for pictures in shown]
    return WordTable(table, max(0, len(rows) - SHOWN), thumbs)


def _word(row: Row) -> list[str]:
    company = [f"{term} ({count(images)})" for term, images in zip(row["with"], row["with_images"], strict=True)]
    more = row["terms"] - len(company)
    company += [t("{n|other|others}", n=more)] if more else []
    interval = percent_range(row["low"], row["high"]) + word_sign(row["share"], row["images"])
    return [row["word"], count(row["images"]), percent(row["share"]), interval, join(company)]


def _left_out(name: str, rows: Sequence[Row], caption: str) -> WordTable:
    title = f"{t('What was asked for and is not named')}: {rows[0]['generator']}"
    header = [t("Left out"), t("Images"), t("of"), t("Share"), t("Named there instead")]
    lines = [
        [row["object"], count(row["images"]), count(row["of"]), percent(row["share"]), ", ".join(row["instead"])]
        for row in rows[:SHOWN]
    ]
    return WordTable(NamedTable(name, title, header, lines, caption=caption), max(0, len(rows) - SHOWN))


def counted_table(data: ReportData) -> WordTable | None:
    """Return which words count as which object."""
    rows = table_rows(data, "counted_as")[:COUNTED_SHOWN]
    if not rows:
        return None
    header = [t("Word"), t("counts as"), t("because"), t("Similarity"), t("Images")]
    title = t("Which words count as which object")
    table = NamedTable("counted as", title, header, [_counted(row) for row in rows], caption=basis(data))
    every = next((table.rows for table in data.own_tables if table.name == f"{TBYB}.counted_as"), 0)
    return WordTable(table, max(0, every - COUNTED_SHOWN))


def _counted(row: Row) -> list[str]:
    why = {"synonym": t("synonym"), "similar": t("similar"), "counted_as": t("counts as a person")}
    near = row["similarity"]
    return [row["word"], row["object"], why[row["why"]], "" if near is None else decimal(near), count(row["images"])]

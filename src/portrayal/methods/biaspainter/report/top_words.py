"""The layout of the paper's Tables 4 and 5: by topic and editor the three words that move most, in each direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.methods.biaspainter.report.deeds import bias
from portrayal.methods.biaspainter.report.edit_words import few_seeds, topic_title
from portrayal.methods.biaspainter.report.looked import Looked, Row
from portrayal.methods.biaspainter.wide import word_sign
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedTable, basis
from portrayal.reports.text.words import capital, signed, span

__all__ = ["BEYOND", "DIRECTIONS", "TOP", "TopTable", "TopWord", "top_table", "top_words"]

TOP = 3
DIRECTIONS: Sequence[tuple[str, int, str]] = (
    ("gender", 1, "Male to female"),
    ("gender", -1, "Female to male"),
    ("age", 1, "Older"),
    ("age", -1, "Younger"),
    ("tone", -1, "Darker"),
    ("tone", 1, "Lighter"),
)
"""Attribute, sign of the score, and the head of the column, as the paper prints it."""
BEYOND: Sequence[str] = ("Towards female", "Towards male", "Older", "Younger", "Darker", "Lighter")
"""Heads of the columns where scores are beyond edits that ask for nothing: fewer women may have become men, too."""


@dataclass(frozen=True, slots=True)
class TopWord:
    """A word and its score; ``stands_out`` says that chance does not explain it.

    ``plain`` is the score as the paper prints it, not compared with edits that ask for nothing.
    """

    word: str
    score: float
    low: float | None
    high: float | None
    n: int
    stands_out: bool
    plain: float
    wide: str = ""
    """The sign of an interval that is wider than it need be."""
    few: str = ""
    """That seeds are few, where they are."""

    @property
    def text(self) -> str:
        """The score with its sign."""
        return signed(self.score, 2)

    @property
    def interval(self) -> str:
        """The interval in words, empty where there is none."""
        if self.low is None or self.high is None:
            return ""
        return span(signed(self.low, 2), signed(self.high, 2)) + self.wide


@dataclass(frozen=True, slots=True)
class TopTable:
    """The words of one topic: by editor the rows, each with a word or nothing for every direction."""

    topic: str
    editors: Sequence[tuple[str, Sequence[Sequence[TopWord | None]]]]

    @property
    def few(self) -> str:
        """That seeds are few, where they are."""
        return next((word.few for _, rows in self.editors for row in rows for word in row if word and word.few), "")


def top_words(seen: Looked, *, printed: bool = False) -> list[TopTable]:
    """Return a table for each topic; words are in the order of what they do beyond edits that ask for nothing.

    ``printed``: as the paper has it, in the order of word biases as such.
    """
    topics = dict.fromkeys(row["topic"] for row in seen.words)
    return [
        TopTable(topic, [(editor, _rows(seen, topic, editor, printed)) for editor in seen.editors]) for topic in topics
    ]


def _rows(seen: Looked, topic: str, editor: str, printed: bool) -> list[list[TopWord | None]]:
    mine = [row for row in seen.words if (row["topic"], row["generator"]) == (topic, editor)]
    scored = [(row["attribute"], _word(seen, row, printed)) for row in mine if row["score"] is not None]
    columns = [
        _column([word for name, word in scored if name == seen.attributes[role]], sign) for role, sign, _ in DIRECTIONS
    ]
    height = max(1, *(len(column) for column in columns))
    return [[column[rank] if rank < len(column) else None for column in columns] for rank in range(height)]


def _column(words: Sequence[TopWord], sign: int) -> list[TopWord]:
    mine = [word for word in words if sign * word.score > 0]
    return sorted(mine, key=lambda word: (-sign * word.score, word.word))[:TOP]


def _word(seen: Looked, row: Row, printed: bool) -> TopWord:
    role = next(role for role, name in seen.attributes.items() if name == row["attribute"])
    few = few_seeds(seen.get("word_bias", row["generator"], role, row["word"], row["topic"]))
    score, low, high = row["score"], row["low"], row["high"]
    out = row["q"] is not None and row["q"] <= seen.error_rate
    if not printed:
        (score, low, high), out = bias(row), row["stands_out"]
    return TopWord(
        row["word"],
        score,
        low,
        high,
        n=row["n"],
        stands_out=out,
        plain=row["score"],
        wide=word_sign(row["attribute"]),
        few=few,
    )


def top_table(data: ReportData, seen: Looked, table: TopTable) -> NamedTable:
    """Return a table of top words with heads and scores in the language of the page."""
    heads = {
        "Male to female": t("Male to female"),
        "Female to male": t("Female to male"),
        "Towards female": t("Towards female"),
        "Towards male": t("Towards male"),
        "Older": t("Older"),
        "Younger": t("Younger"),
        "Darker": t("Darker"),
        "Lighter": t("Lighter"),
    }
    said = [f"{capital(table.few.removeprefix('; '))}."] if table.few else []
    said += [t("The three words that move most in each direction, with 95 % intervals; an asterisk: stands out.")]
    said += [t("Scores are differences from edits that ask for nothing.")] if seen.relative else []
    columns = BEYOND if seen.relative else [title for _, _, title in DIRECTIONS]
    return NamedTable(
        f"top words {table.topic}{seen.by}",
        f"{t('Top words')}: {capital(topic_title(table.topic))}",
        [t("Editor"), *(heads[title] for title in columns)],
        [[editor, *map(_text, row)] for editor, rows in table.editors for row in rows],
        caption=" ".join([*said, basis(data, seen.annotator)]),
    )


def _text(word: TopWord | None) -> str:
    if word is None:
        return ""
    interval = f" ({word.interval})" if word.interval else ""
    return f"{word.word} {word.text}{interval}{'*' if word.stands_out else ''}"

"""The layout of the paper's Tables 4 and 5: by topic and editor the three words that move most, in each direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.methods.biaspainter.report.deeds import bias
from portrayal.methods.biaspainter.report.rows import Looked, Row
from portrayal.reports.words import signed, span

__all__ = ["BEYOND", "DIRECTIONS", "TOP", "TopTable", "TopWord", "top_words"]

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

    @property
    def text(self) -> str:
        """The score with its sign."""
        return signed(self.score, 2)

    @property
    def interval(self) -> str:
        """The interval in words, empty where there is none."""
        return "" if self.low is None or self.high is None else span(signed(self.low, 2), signed(self.high, 2))


@dataclass(frozen=True, slots=True)
class TopTable:
    """The words of one topic: by editor the rows, each with a word or nothing for every direction."""

    topic: str
    editors: Sequence[tuple[str, Sequence[Sequence[TopWord | None]]]]


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
    found = [(row["attribute"], _word(row, printed, seen.error_rate)) for row in mine if row["score"] is not None]
    columns = [
        _column([word for name, word in found if name == seen.attributes[role]], sign) for role, sign, _ in DIRECTIONS
    ]
    height = max(1, *(len(column) for column in columns))
    return [[column[rank] if rank < len(column) else None for column in columns] for rank in range(height)]


def _column(words: Sequence[TopWord], sign: int) -> list[TopWord]:
    mine = [word for word in words if sign * word.score > 0]
    return sorted(mine, key=lambda word: (-sign * word.score, word.word))[:TOP]


def _word(row: Row, printed: bool, error_rate: float) -> TopWord:
    if not printed:
        return TopWord(row["word"], *bias(row), row["n"], row["stands_out"], row["score"])
    out = row["q"] is not None and row["q"] <= error_rate
    return TopWord(row["word"], row["score"], row["low"], row["high"], row["n"], out, row["score"])

"""The layout of the paper's Tables 4 and 5: by topic and editor the three words that move most, in each direction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portrayal.methods.biaspainter.report.rows import Looked
from portrayal.reports.words import signed, span

__all__ = ["DIRECTIONS", "TOP", "TopTable", "TopWord", "top_words"]

TOP = 3
DIRECTIONS: Sequence[tuple[str, int, str]] = (
    ("gender", 1, "Male to female"),
    ("gender", -1, "Female to male"),
    ("age", 1, "Older"),
    ("age", -1, "Younger"),
    ("tone", -1, "Darker"),
    ("tone", 1, "Lighter"),
)
"""Attribute, sign of the score, and the head of the column."""


@dataclass(frozen=True, slots=True)
class TopWord:
    """A word and its score; ``stands_out`` says that chance does not explain it."""

    word: str
    score: float
    low: float | None
    high: float | None
    n: int
    stands_out: bool

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


def top_words(seen: Looked) -> list[TopTable]:
    """Return a table for each topic."""
    topics = dict.fromkeys(row["topic"] for row in seen.words)
    return [TopTable(topic, [(editor, _rows(seen, topic, editor)) for editor in seen.editors]) for topic in topics]


def _rows(seen: Looked, topic: str, editor: str) -> list[list[TopWord | None]]:
    columns = [_column(seen, topic, editor, role, sign) for role, sign, _ in DIRECTIONS]
    height = max(1, *(len(column) for column in columns))
    return [[column[rank] if rank < len(column) else None for column in columns] for rank in range(height)]


def _column(seen: Looked, topic: str, editor: str, role: str, sign: int) -> list[TopWord]:
    wanted = (topic, editor, seen.attributes[role])
    mine = [row for row in seen.words if (row["topic"], row["generator"], row["attribute"]) == wanted]
    mine = [row for row in mine if row["score"] is not None and sign * row["score"] > 0]
    return [_word(row) for row in sorted(mine, key=lambda row: (-sign * row["score"], row["word"]))[:TOP]]


def _word(row: Mapping[str, Any]) -> TopWord:
    return TopWord(row["word"], row["score"], row["low"], row["high"], row["n"], row["stands_out"])

"""A page for each word: seeds beside their edits, with what moved, and the scores of the word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.methods.biaspainter.report.edit_words import role_title, score_text, topic_title
from portrayal.methods.biaspainter.report.looked import BIASPAINTER, Looked, Row
from portrayal.methods.biaspainter.report.picture_pairs import Pair, pair, word_edits
from portrayal.methods.biaspainter.report.word_changes import bounded, changed
from portrayal.methods.biaspainter.wide import word_sign
from portrayal.records import content_id
from portrayal.reports.data import ReportData

__all__ = ["WordPage", "page_path", "word_pages"]


@dataclass(frozen=True, slots=True)
class WordPage:
    """A word as one annotator saw its edits; ``scores`` are attribute, editor, both scores, whether it stands out.

    ``said`` is what it does, as sentences, each with its attribute and editor.
    """

    word: str
    topic: str
    text: str
    annotator: str
    scores: Sequence[tuple[str, str, str, str, bool]]
    pairs: Sequence[Pair]
    edits: int
    said: Sequence[tuple[str, str, str]]

    @property
    def several(self) -> bool:
        """Whether several editors were given the word."""
        return len({editor for _, editor, _ in self.said}) > 1


def page_path(seen: Looked, topic: str, word: str) -> str:
    """Return where the page of a word lies; names that lose letters are told apart by a digest."""
    plain = unicodedata.normalize("NFKD", f"{topic}-{word}").encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    mark = content_id(topic, word, seen.annotator)[:6]
    return f"{BIASPAINTER}/words/{name[:60]}-{mark}.html"


def word_pages(data: ReportData, seen: Looked) -> Mapping[str, WordPage]:
    """Return the pages of all words."""
    words = dict.fromkeys((row["topic"], row["word"], row["text"]) for row in seen.words)
    return {page_path(seen, topic, word): _page(data, seen, topic, word, text) for topic, word, text in words}


def _page(data: ReportData, seen: Looked, topic: str, word: str, text: str) -> WordPage:
    mine = [row for row in seen.words if (row["topic"], row["word"]) == (topic, word)]
    roles = {name: role for role, name in seen.attributes.items()}
    scores = [_score(row, role_title(roles[row["attribute"]])) for row in mine if row["score"] is not None]
    every = sum((row["topic"], row["word"], row["instruction"]) == (topic, word, "") for row in seen.edits)
    pairs = [pair(data, seen, row) for row in word_edits(seen, topic, word, data.most_pictures)]
    said = [_said(data, seen, roles[row["attribute"]], row) for row in mine if row["score"] is not None]
    return WordPage(word, topic_title(topic), text, seen.annotator, scores=scores, pairs=pairs, edits=every, said=said)


def _said(data: ReportData, seen: Looked, role: str, row: Row) -> tuple[str, str, str]:
    said = f"{changed(data, seen, role, row)} ({bounded(data, seen, role, row)})."
    doubt = "" if row["stands_out"] else " " + t("Chance may explain the difference.")
    return role_title(role), row["generator"], said + doubt


def _score(row: Row, title: str) -> tuple[str, str, str, str, bool]:
    relative = row["relative_score"]
    wide = word_sign(row["attribute"])
    beside = "" if relative is None else score_text(relative, row["relative_low"], row["relative_high"], wide)
    return title, row["generator"], score_text(row["score"], row["low"], row["high"], wide), beside, row["stands_out"]

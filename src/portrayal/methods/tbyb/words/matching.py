"""Which words of a caption count as objects of its prompt, and why; and what the scores are made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from portrayal.methods.tbyb.words.reading import Token
from portrayal.methods.tbyb.words.similarity import Similarity

__all__ = ["Asked", "Match", "Matcher", "Objects", "Scored", "Why", "released_order"]

Objects = tuple[Token, ...]
"""The objects of a prompt: a lemma each, and how it is written there."""

Why = Literal["same", "counted_as", "synonym", "similar", ""]
"""Why a word counts as an object of the prompt; empty: it does not, it came uninvited."""
_LONGEST = 3
"""Words of a synonym at most, such as "cell phone"."""


@dataclass(frozen=True, slots=True)
class Match:
    """A word of a caption, the object it stands for, why that is one of the prompt's, and how similar it is."""

    word: str
    object: str
    why: Why = ""
    similarity: float | None = None


class Matcher:
    """Finds the objects of prompts in captions.

    ``counted_as`` maps words to what they always count as (man to person), ``synonyms`` objects to their synonyms. A
    word whose ``similarity`` with an object of the prompt reaches ``threshold`` counts as that object; both are taken
    as they are written there, since a model knows "sneakers" better than the lemma.
    """

    def __init__(
        self,
        counted_as: Mapping[str, str],
        synonyms: Callable[[str], Collection[str]],
        similarity: Similarity | None,
        threshold: float,
    ) -> None:
        self._counted_as, self._synonyms = counted_as, synonyms
        self._similarity, self._threshold = similarity, threshold
        self._known: dict[tuple[Token, Objects], Match] = {}

    def objects(self, words: Sequence[Token]) -> Objects:
        """Return the objects that the words of a prompt name, each once, in alphabetical order."""
        named = {self._counted_as.get(word.lemma, word.lemma): word.text for word in reversed(words)}
        return tuple(Token(named[name], name) for name in sorted(named))

    def match(self, objects: Objects, words: Sequence[Token]) -> list[Match]:
        """Return what each word of a caption stands for; words of a synonym that has several count together."""
        matches: list[Match] = []
        place = 0
        while place < len(words):
            phrase = self._phrase(objects, words[place : place + _LONGEST])
            matches.append(phrase or self._word(objects, words[place]))
            place += phrase.word.count(" ") + 1 if phrase else 1
        return matches

    def _phrase(self, objects: Objects, words: Sequence[Token]) -> Match | None:
        """Return the longest synonym of several words that begins here, unless it holds another object asked for."""
        asked = {item.lemma for item in objects}
        for length in range(len(words), 1, -1):
            lemmas = [word.lemma for word in words[:length]]
            for name in sorted(asked):
                if " ".join(lemmas) in self._synonyms(name) and asked & set(lemmas) <= {name}:
                    return Match(" ".join(lemmas), name, "synonym")
        return None

    def _word(self, objects: Objects, word: Token) -> Match:
        key = word, objects
        if key not in self._known:
            self._known[key] = self._find(objects, word)
        return self._known[key]

    def _find(self, objects: Objects, word: Token) -> Match:
        asked = [item.lemma for item in objects]
        meant = self._counted_as.get(word.lemma, word.lemma)
        if meant in asked:
            return Match(word.lemma, meant, "same" if meant == word.lemma else "counted_as")
        for name in asked:
            if word.lemma in self._synonyms(name):
                return Match(word.lemma, name, "synonym")
        if self._similarity and objects:
            near, name = max((self._similarity.of(word.text, item.text), item.lemma) for item in objects)
            same = near >= self._threshold
            return Match(word.lemma, name if same else meant, "similar" if same else "", near)
        return Match(word.lemma, meant)


@dataclass(frozen=True, slots=True)
class Asked:
    """The objects of a prompt: ``merged`` with people as one word, ``apart`` as they are written."""

    merged: Objects
    apart: Objects

    @property
    def names(self) -> frozenset[str]:
        """The objects with people as one word."""
        return frozenset(item.lemma for item in self.merged)


@dataclass(frozen=True, slots=True)
class Scored:
    """X and Y of the hallucination, and the words that the distribution bias counts."""

    asked: frozenset[str]
    seen: frozenset[str]
    counted: frozenset[str]


def released_order(objects: Objects, matches: Iterable[Match], counted_as: Mapping[str, str]) -> Scored:
    """Return what the authors' code makes of a caption, whose words were matched with people apart.

    The distribution bias counts words as they are; then words for people become one, in the caption alone. So "woman"
    counts as a word of its own even where a person was asked for, and a man who was asked for is never found.
    """
    listed = list(matches)
    return Scored(
        frozenset(item.lemma for item in objects),
        frozenset(counted_as.get(match.object, match.object) for match in listed),
        frozenset(match.object for match in listed if not match.why),
    )

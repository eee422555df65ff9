"""Synonyms from WordNet's own files, for whoever has it installed; the shipped table was made with the same code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from portrayal.errors import InputError

__all__ = ["FILES", "WordNet"]

FILES = ("index.noun", "data.noun")
_LICENCE = "  "
"""Lines of the licence begin with two blanks."""


class WordNet:
    """The nouns of WordNet, read from its folder ``dict``: ``/usr/share/wordnet`` on many systems."""

    def __init__(self, folder: Path) -> None:
        for name in FILES:
            if not (folder / name).is_file():
                raise InputError(
                    f"{folder}: no WordNet here, {name} is missing; name the folder with {' and '.join(FILES)}"
                )
        self._senses = dict(_senses(folder / "index.noun"))
        self._lemmas: Mapping[str, tuple[str, ...]] = dict(_synsets(folder / "data.noun"))

    def senses(self, word: str) -> tuple[str, ...]:
        """Return the synsets of a noun, the commonest first; none: it is not known."""
        return self._senses.get(word.replace(" ", "_"), ())

    def words(self, synset: str) -> tuple[str, ...]:
        """Return the words of a synset."""
        return self._lemmas[synset]

    def synonyms(self, word: str) -> list[str]:
        """Return the other words of all senses of a noun, the commonest sense first."""
        lemmas = dict.fromkeys(lemma for sense in self.senses(word) for lemma in self.words(sense))
        return [lemma for lemma in lemmas if lemma != word]


def _lines(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            if not line.startswith(_LICENCE):
                yield line.split()


def _senses(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each noun with the places of its synsets: the last numbers of its line, as many as its third field says."""
    for fields in _lines(path):
        yield fields[0], tuple(fields[-int(fields[2]) :])


def _synsets(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the place of each synset with its words: every second field from the fifth on; the fourth counts them."""
    for fields in _lines(path):
        words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
        yield fields[0], tuple(word.replace("_", " ").casefold() for word in words)

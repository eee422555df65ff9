"""Reads the content words of a text: tokens, their lemmas, and why some are left out."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv, read_shipped
from portrayal.errors import MissingExtraError

__all__ = ["Reader", "Token", "shipped_pairs"]

PACKAGE = "portrayal.methods.tbyb"
_TOKEN = re.compile(r"[^\W\d_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['\N{RIGHT SINGLE QUOTATION MARK}]s$")


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it stands in a text, its lemma, and as what kind of word it is left out; empty: it is not."""

    text: str
    lemma: str
    left_out: str = ""


class Reader:
    """Splits texts into tokens. What is left out, and which lemmas are set by hand, is data.

    ``left_out`` maps words to the kind of word they are, ``lemmas`` forms to their lemmas where the lemmatiser errs.
    """

    def __init__(self, left_out: Mapping[str, str], lemmas: Mapping[str, str]) -> None:
        self._left_out = left_out
        self._lemmas: dict[str, str] = dict(lemmas)

    @classmethod
    def of(cls, left_out: Path | None = None) -> Reader:
        """Return a reader with the shipped lists, or with a user's own list of words to leave out."""
        columns = ("word", "kind")
        rows = read_shipped(PACKAGE, "left_out.csv", columns) if left_out is None else read_csv(left_out, columns)
        return cls(_pairs(rows, *columns), shipped_pairs("lemmas.csv", "form", "lemma"))

    def read(self, text: str) -> tuple[Token, ...]:
        """Return the tokens of a text in their order."""
        tokens = (_POSSESSIVE.sub("", match.group()) for match in _TOKEN.finditer(text.casefold()))
        return tuple(self._token(token) for token in tokens)

    @functools.cache  # noqa: B019 - a reader lives as long as the command, and captions repeat their words
    def _token(self, text: str) -> Token:
        if kind := self._left_out.get(text):
            return Token(text, text, kind)
        lemma = self._lemma(text)
        return Token(text, lemma, self._left_out.get(lemma, ""))

    def _lemma(self, text: str) -> str:
        if text not in self._lemmas:
            self._lemmas[text] = _lemmatiser()(text).casefold()
        return self._lemmas[text]


def shipped_pairs(name: str, key: str, value: str) -> dict[str, str]:
    """Return a shipped table of two columns as a mapping."""
    return _pairs(read_shipped(PACKAGE, name, (key, value)), key, value)


def _pairs(rows: list[CsvRow], key: str, value: str) -> dict[str, str]:
    return {row[key].casefold(): row[value] for row in rows}


@functools.cache
def _lemmatiser() -> Callable[[str], str]:
    try:
        from simplemma import lemmatize
    except ImportError:
        raise MissingExtraError(
            'captions are read with simplemma, which is not installed: run pip install "portrayal[words]"'
        ) from None
    return functools.partial(lemmatize, lang="en")

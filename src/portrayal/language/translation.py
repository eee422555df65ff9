"""The language a page is written in: English is what the code says, every other one is looked up by it.

A text in the code is its own key. Within it, ``{name}`` is a value and ``{name|image|images}`` a number with the noun
that goes with it, so that a translation can decline the noun as its sentence needs. A catalogue is the TOML files of
reports and of sites, and those of each method and application, read as one, with two tables: ``[texts]`` for what the
code says, and ``[words]`` for names that come with the data: groups, reasons, metrics.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from portrayal.bundles import text_folders
from portrayal.errors import InputError, PortrayalError, did_you_mean
from portrayal.language.direction import apart

__all__ = [
    "LANGUAGES",
    "NBSP",
    "PLACE",
    "Catalogue",
    "catalogue",
    "digits",
    "known_language",
    "speaking",
    "spoken",
    "t",
    "word",
]

NBSP = "\N{NO-BREAK SPACE}"
PLACE = re.compile(r"\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}")
MARKS = {"en": (",", "."), "de": (".", ",")}
LANGUAGES = tuple(MARKS)
"""The first is what the code says."""
_SHARED = ("portrayal.reports", "portrayal.web", "portrayal.methods.bias_scores", "portrayal.methods.by_language")
"""Whose texts several methods and applications use: they come first."""

_language: ContextVar[str] = ContextVar("language", default="en")
_pages: ContextVar[bool] = ContextVar("pages", default=False)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What one language says."""

    texts: Mapping[str, str]
    words: Mapping[str, str]


@contextmanager
def speaking(language: str, *, page: bool = False) -> Iterator[None]:
    """Have everything within written in ``language``: ``en`` or ``de``.

    On a ``page`` values from right to left are set apart; a terminal and data have no use for such marks.
    It is a context's own: tasks and threads that are begun within speak it too, and those beside it never do.
    """
    token, pages = _language.set(language), _pages.set(page)
    try:
        yield
    finally:
        _pages.reset(pages)
        _language.reset(token)


def known_language(name: str) -> str:
    """Return the name of a language that words are written in; an error where they are not.

    >>> known_language("de")
    'de'
    """
    if name not in LANGUAGES:
        raise InputError(f"language: {' or '.join(LANGUAGES)}, not {name!r}{did_you_mean(name, LANGUAGES)}")
    return name


def spoken() -> str:
    """Return the language that is being written."""
    return _language.get()


@cache
def catalogue(language: str) -> Catalogue:
    """Return every text of a language; English has none and needs none."""
    tables: dict[str, dict[str, str]] = {"texts": {}, "words": {}}
    for file in _files(language):
        for name, table in _read(file).items():
            # What was said before stays: a method translates its own texts, not those of the page or of others.
            tables[name] = table | tables[name]
    return Catalogue(**tables)


def _read(file: Traversable) -> Mapping[str, dict[str, str]]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise PortrayalError(f"{file}: not valid TOML: {error}") from None


def _files(language: str) -> Iterator[Traversable]:
    """Yield the files of a language, in each folder of texts one, such as ``de.toml``, or a folder of them."""
    for package, texts in (*((package, "texts") for package in _SHARED), *text_folders()):
        folder = resources.files(package).joinpath(texts)
        if (file := folder.joinpath(f"{language}.toml")).is_file():
            yield file
        elif (several := folder.joinpath(language)).is_dir():
            yield from sorted(several.iterdir(), key=lambda file: file.name)


def t(text: str, /, **values: str | int) -> str:
    """Return a text in the language spoken, or as it stands where there is no translation.

    >>> t("{n|image|images} of {who}", n=1200, who="facegan").replace(NBSP, " ")
    '1,200 images of facegan'
    """
    translated = catalogue(spoken()).texts.get(text, text)
    return PLACE.sub(lambda place: _filled(place, values), translated) if values else translated


def _filled(place: re.Match[str], values: Mapping[str, str | int]) -> str:
    name, one, many = place.groups()
    value = values[name]
    if one is None:
        return apart(str(value)) if _pages.get() else str(value)
    return f"{digits(f'{value:,}')}{NBSP}{one if value == 1 else many}"


def word(text: str) -> str:
    """Return a name that came with the data in the language spoken; one that is not known stays as it is."""
    return catalogue(spoken()).words.get(text, text)


def digits(text: str) -> str:
    """Return a number, written as in English, with the marks of the language spoken.

    >>> with speaking("de"):
    ...     digits("1,234.5")
    '1.234,5'
    """
    thousands, point = MARKS[spoken()]
    return text.translate({ord(","): thousands, ord("."): point})

"""What the pages say, in every language they speak."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

__all__ = ["LANGUAGES", "Texts", "load_texts", "preferred_language"]

_SHARED = "portrayal.web"

LANGUAGES = ("en", "de")
"""The first is spoken to browsers that want none of them."""


class Texts:
    """All texts of one language by dotted key, with gaps filled in: ``t("site.page_title", page=…, title=…)``."""

    def __init__(self, language: str, entries: Mapping[str, str]) -> None:
        self.language = language
        self.other_language = next(name for name in LANGUAGES if name != language)
        self.entries = entries

    def __call__(self, key: str, **gaps: object) -> str:
        """Return a text with its gaps filled in."""
        text = self.entries[key]
        return text.format(**gaps) if gaps else text

    def number(self, value: float, digits: int = 0) -> str:
        """Return a number as the language writes it."""
        text = f"{round(value, digits) + 0.0:.{digits}f}"  # adding 0 takes the sign from -0
        return text.replace(".", ",") if self.language == "de" else text

    def percent(self, share: float) -> str:
        """Return a share in percent as the language writes it."""
        return f"{share * 100:.0f}\u202f%" if self.language == "de" else f"{share * 100:.0f}%"


@cache
def load_texts(package: str, language: str) -> Texts:
    """Return what the site of a package says in one of the languages: its own texts, and those that all sites share."""
    found: dict[str, str] = {}
    for own in (_SHARED, package):
        text = resources.files(own).joinpath("texts", f"{language}.toml").read_text(encoding="utf-8")
        found |= _flat(tomllib.loads(text))
    return Texts(language, found)


def preferred_language(accepts: str) -> str:
    """Return the language that a browser's ``Accept-Language`` wants most among ours.

    >>> preferred_language("fr, de-CH;q=0.9, en;q=0.8")
    'de'
    >>> preferred_language("")
    'en'
    """
    wanted = [_weighted(part) for part in accepts[:200].split(",")]
    known = [(weight, name) for weight, name in wanted if name in LANGUAGES and weight > 0]
    return max(known, key=lambda pair: pair[0], default=(0.0, LANGUAGES[0]))[1]


def _weighted(part: str) -> tuple[float, str]:
    name, _, weight = part.partition(";q=")
    try:
        return float(weight or 1), name.strip().lower().partition("-")[0]
    except ValueError:
        return 0.0, ""


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value

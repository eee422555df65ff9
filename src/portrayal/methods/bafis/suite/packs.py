"""A user's language pack: a CSV of whole prompts, one line an occupation and one column a way of asking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError
from portrayal.methods.bafis.suite.occupations import occupations
from portrayal.methods.bafis.suite.options import NAME, VARIANTS
from portrayal.suites.suite import near_names

__all__ = ["Pack", "read_pack"]


@dataclass(frozen=True, slots=True)
class Pack:
    """The prompts of a language: the variants it has, and by occupation and variant where a text stands, and the text.

    An occupation without a text in a variant of the pack is not asked about in that way.
    """

    path: Path
    variants: tuple[str, ...]
    texts: Mapping[tuple[str, str], tuple[str, str]]


def read_pack(path: Path) -> Pack:
    """Return a pack, or say which line is wrong: no such occupation, or an occupation or a text that stands twice."""
    rows = read_csv(path, ["occupation"], VARIANTS)
    variants = tuple(variant for variant in VARIANTS if variant in rows[0].values)
    if not variants:
        raise InputError(f"{path}: there are no prompts; give one of the columns {', '.join(VARIANTS)}")
    names = {occupation.name.casefold(): occupation.name for occupation in occupations()}
    lines: dict[str, str] = {}
    seen: dict[str, str] = {}
    texts: dict[tuple[str, str], tuple[str, str]] = {}
    for row in rows:
        name = _occupation(row, names)
        if name in lines:
            raise InputError(f"{row.where}: occupation {name!r} stands already at {lines[name]}; keep one row")
        lines[name] = row.where
        for variant in variants:
            if text := row[variant]:
                _check_once(row.where, text, seen)
                texts[name, variant] = row.where, text
    return Pack(path, variants, texts)


def _occupation(row: CsvRow, names: Mapping[str, str]) -> str:
    given = row["occupation"]
    if given.casefold() in names:
        return names[given.casefold()]
    hint = near_names(NAME, given, names.values())
    raise InputError(f"{row.where}: suite {NAME!r} has no occupation {given!r}{hint}")


def _check_once(where: str, text: str, seen: dict[str, str]) -> None:
    if text in seen:
        raise InputError(f"{where}: prompt {text!r} stands already at {seen[text]}; every prompt needs its own words")
    seen[text] = where

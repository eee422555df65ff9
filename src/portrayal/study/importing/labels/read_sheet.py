"""A sheet of labels as people fill it in: which image, who is meant, who judged, and what they saw."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError, did_you_mean
from portrayal.inputfile import read_text
from portrayal.records import PERSON, SIDES, Attribute

__all__ = ["PROBABILITY", "Answer", "columns", "read_sheet"]

PROBABILITY = "probability"
"""How likely an image of its prompt and model is labelled; for whoever works with the sheet, as counts say it, too."""
NAMING = ("image", "path", "model", PROBABILITY, "prompt", "index", "side", "rater")
_ALIASES = {"race": "race5", "age": "age3"}
_CANNOT_TELL = ("", "?")
_YES_NO = {"yes": True, "no": False, **dict.fromkeys(_CANNOT_TELL)}


@dataclass(frozen=True, slots=True)
class Answer:
    """A row of the sheet. ``groups`` has every attribute that was asked about; None where the rater could not tell."""

    row: CsvRow
    groups: Mapping[str, str | None]
    person: bool | None
    filled: bool

    @property
    def rater(self) -> str:
        """Who judged; may be empty."""
        return self.row["rater"]

    def subject(self, people: int) -> int:
        """Return which of the image's people is meant, or say that the side does not fit."""
        side = self.row["side"].casefold()
        if people < len(SIDES) and side:
            asked = "one person" if people else "a group"
            raise InputError(f"{self.row.where}: column 'side' must be empty, the prompt asks for {asked}")
        if people > 1 and side not in SIDES:
            raise InputError(f"{self.row.where}: column 'side' must be {' or '.join(SIDES)}, got {side!r}")
        return SIDES.index(side) if side else 0


def columns(attributes: Sequence[Attribute]) -> Mapping[str, Attribute]:
    """Return the columns in which groups may be named, by name; ``race`` and ``age`` are short for race5 and age3."""
    asked = {attribute.name: attribute for attribute in attributes if attribute.groups and attribute.name != PERSON}
    names = {attribute.name for attribute in attributes}
    short = {alias: asked[name] for alias, name in _ALIASES.items() if name in asked and alias not in names}
    return {**asked, **short}


def read_sheet(path: Path, attributes: Sequence[Attribute]) -> list[Answer]:
    """Return the rows, each group checked."""
    known = columns(attributes)
    if not read_text(path).strip():
        raise InputError(f"{path}: the file is empty; its first line must name the columns image, {', '.join(known)}")
    rows = read_csv(path, (), (*NAMING, PERSON, *known))
    header = list(rows[0].values)
    if "image" not in header and not {"model", "prompt", "index"}.issubset(header):
        raise InputError(f"{path}: column 'image' is missing, or the columns model, prompt and index instead of it")
    asked = {name: known[name] for name in header if name in known}
    if not asked and PERSON not in header:
        raise InputError(f"{path}: no column of labels; name one of {', '.join((*known, PERSON))}")
    if len({attribute.name for attribute in asked.values()}) < len(asked):
        raise InputError(f"{path}: two columns for one attribute among {', '.join(asked)}; keep one")
    return [_answer(row, asked) for row in rows]


def _answer(row: CsvRow, asked: Mapping[str, Attribute]) -> Answer:
    groups = {attribute.name: _group(row, column, attribute) for column, attribute in asked.items()}
    person = row[PERSON].casefold()
    if person not in _YES_NO:
        raise InputError(f"{row.where}: column {PERSON!r} must be yes or no, got {row[PERSON]!r}")
    return Answer(row, groups, _YES_NO[person], any(row[column] for column in (*asked, PERSON)))


def _group(row: CsvRow, column: str, attribute: Attribute) -> str | None:
    if row[column] in _CANNOT_TELL:
        return None
    groups = {_plain(group): group for group in attribute.groups}
    word = _plain(row[column])
    if word not in groups:
        raise InputError(f"{row.where}: column {column!r} has no group {row[column]!r}{did_you_mean(word, groups)}")
    return groups[word]


def _plain(word: str) -> str:
    return re.sub(r"[\s_-]+", "_", word.strip().casefold())

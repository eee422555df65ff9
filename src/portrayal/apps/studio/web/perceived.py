"""What annotators perceived in a picture, in words: the likeliest group with its probability, numbers, texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portrayal.language.numbers import decimal, percent
from portrayal.records import Attribute
from portrayal.reports.text.words import aspect_title, capital, human

__all__ = ["SeenPerson", "group_words", "people_in", "title_of"]


@dataclass(frozen=True, slots=True)
class SeenPerson:
    """What one annotator said of one person, or why it said nothing."""

    annotator: str
    number: int
    reason: str
    lines: Sequence[tuple[str, str, str]]
    """Attribute, what was perceived, and its probability where there is one."""


def people_in(rows: Sequence[Mapping[str, Any]], attributes: Mapping[str, Attribute]) -> list[SeenPerson]:
    """Return what was perceived, from the rows about one picture; one that nobody has looked at has none."""
    return [
        SeenPerson(
            row["annotator"], (row["subject"] or 0) + 1, human(row["reason"] or ""), list(_lines(row, attributes))
        )
        for row in rows
        if row["annotator"]
    ]


def title_of(name: str, attributes: Mapping[str, Attribute]) -> str:
    """Return what an attribute is called, as a heading."""
    return capital(aspect_title(name, attributes))


def group_words(value: Any) -> str:
    """Return a perceived group as words."""
    return human(str(value))


def _lines(row: Mapping[str, Any], attributes: Mapping[str, Attribute]) -> list[tuple[str, str, str]]:
    return [
        (title_of(name, attributes), *_said(row, name, attribute))
        for name, attribute in attributes.items()
        if row.get(name) is not None
    ]


def _said(row: Mapping[str, Any], name: str, attribute: Attribute) -> tuple[str, str]:
    value = row[name]
    if attribute.is_text:
        return str(value), ""
    if attribute.is_numeric:
        return decimal(value, 1), ""
    probability = row.get(f"{name}_{value}")
    return group_words(value), "" if probability is None else percent(probability)

"""What annotators perceived in a picture, in words: the likeliest group with its probability, numbers, texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portrayal.language.numbers import decimal, percent
from portrayal.records import Attribute
from portrayal.reports.text.words import aspect_title, capital, human

__all__ = ["SeenPerson", "group_words", "people_in", "title_of"]

MOST_OTHERS = 3
"""Groups that are named beside the likeliest one."""


@dataclass(frozen=True, slots=True)
class SeenPerson:
    """What one annotator said of one person, or why it said nothing."""

    annotator: str
    number: int
    reason: str
    lines: Sequence[tuple[str, str, str]]
    """Attribute, what was perceived, and its probability where there is one; with those of the other groups."""
    box: Sequence[int] = ()
    """Where the person is in the picture, in its pixels: left, top, right, bottom."""


def people_in(rows: Sequence[Mapping[str, Any]], attributes: Mapping[str, Attribute]) -> list[SeenPerson]:
    """Return what was perceived, from the rows about one picture; one that nobody has looked at has none."""
    return [
        SeenPerson(
            row["annotator"],
            (row["subject"] or 0) + 1,
            human(row["reason"] or ""),
            list(_lines(row, attributes)),
            row.get("box") or (),
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
    if probability is None:
        return group_words(value), ""
    others = [(share, group) for group in attribute.groups if group != value and (share := row.get(f"{name}_{group}"))]
    said = [f"{group_words(group)} {percent(share)}" for share, group in sorted(others, reverse=True)[:MOST_OTHERS]]
    return group_words(value), ", ".join([percent(probability), *said])

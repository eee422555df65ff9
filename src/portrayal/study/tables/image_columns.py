"""The columns of the table of images: those that every study has, and those of its attributes."""

from __future__ import annotations

from collections.abc import Iterable

from portrayal.errors import ConfigError
from portrayal.records import Attribute

__all__ = ["check_columns"]

_FIXED = ("file", "prompt", "term", "category", "model", "seed", "annotator", "subject", "box", "reason")


def check_columns(attributes: Iterable[Attribute], where: str) -> None:
    """Refuse attributes of which two columns would have one name, or one that every study has."""
    taken = set(_FIXED)
    for attribute in {attribute.name: attribute for attribute in attributes}.values():
        for column in (attribute.name, *(f"{attribute.name}_{group}" for group in attribute.groups)):
            if column in taken:
                raise ConfigError(
                    f"{where}: attribute {attribute.name!r}: images have a column {column!r} already; give the "
                    "attribute or its group another name"
                )
            taken.add(column)

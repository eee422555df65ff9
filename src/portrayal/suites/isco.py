"""Where occupations stand in the International Standard Classification of Occupations, ISCO-08."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from portrayal.csvfile import read_shipped
from portrayal.suites.known import OCCUPATIONS

__all__ = ["isco_of", "isco_parents", "isco_title"]


def isco_of(term: str, occupations: str) -> str:
    """Return the unit group (four digits) of a term in a registered list of occupations; empty where it has none.

    The same word need not be the same occupation in two lists: a painter may be an artist or a tradesperson.
    """
    return _codes(occupations).get(term.casefold(), "")


def isco_title(code: str) -> str:
    """Return what a group of one to four digits is, in a few words; empty where the table has no such group.

    >>> isco_title("2221"), isco_title("22")
    ('Nurses', 'Health professionals')
    """
    return _titles().get(code, "")


def isco_parents(code: str) -> tuple[str, ...]:
    """Return the wider groups of a code, the nearest first.

    >>> isco_parents("2221")
    ('222', '22', '2')
    """
    return tuple(code[:digits] for digits in range(len(code) - 1, 0, -1))


@cache
def _codes(occupations: str) -> Mapping[str, str]:
    return {occupation.name.casefold(): occupation.isco for occupation in OCCUPATIONS.load(occupations)()}


@cache
def _titles() -> Mapping[str, str]:
    rows = read_shipped("portrayal.suites", "isco_groups.csv", ["code", "title"])
    return {row["code"]: row["title"] for row in rows}

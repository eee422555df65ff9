"""Where occupations stand in the International Standard Classification of Occupations, ISCO-08; our own mapping."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from portrayal.errors import InputError, did_you_mean
from portrayal.suites.bafis.occupations import occupations, read_shipped

__all__ = ["isco_of", "isco_parents", "isco_title"]


def isco_of(term: str, suite: str = "bafis") -> str:
    """Return the unit group (four digits) of a term of ``bafis`` or ``faintbench``; empty where it has none.

    The same word need not be the same occupation: FAIntbench's painter is an artist.

    >>> isco_of("painter"), isco_of("Painter", "faintbench"), isco_of("astronaut")
    ('7131', '2651', '')
    """
    tables = _codes()
    if suite not in tables:
        raise InputError(f"no ISCO codes for the terms of suite {suite!r}{did_you_mean(suite, tables)}")
    return tables[suite].get(term.casefold(), "")


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
def _codes() -> Mapping[str, Mapping[str, str]]:
    faintbench = read_shipped("isco_faintbench.csv", "term", "isco")
    return {
        "bafis": {occupation.name.casefold(): occupation.isco for occupation in occupations()},
        "faintbench": {row["term"].casefold(): row["isco"] for row in faintbench},
    }


@cache
def _titles() -> Mapping[str, str]:
    return {row["code"]: row["title"] for row in read_shipped("isco_groups.csv", "code", "title")}

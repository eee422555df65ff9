"""A table of terms: occupations, characteristics and relations with demographic proportions.

A CSV has the columns ``kind``, ``category``, ``term`` and ``weight``, ``side`` where it has relations, and one for each
group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError, did_you_mean
from portrayal.records import SIDES, attribute_table
from portrayal.suites.suite import check_weight

__all__ = ["KINDS", "TERM_ATTRIBUTES", "Term", "read_terms"]

TERM_ATTRIBUTES = ("gender", "race5", "age3")
"""Attributes whose groups a table may have though nobody asks for them."""
KINDS = ("occupation", "characteristic", "relation")

_TOLERANCE = 0.005
_FIRST_COLUMNS = ("kind", "category", "term", "weight")


@dataclass(frozen=True, slots=True)
class Term:
    """A row of the table. ``shares`` maps attribute to group to proportion. A relation has a row for each side."""

    kind: str
    category: str
    name: str
    side: str
    weight: float
    shares: Mapping[str, Mapping[str, float]]


def read_terms(path: Path, groups: Mapping[str, Sequence[str]], *, check: bool = True) -> tuple[Term, ...]:
    """Return a table's terms with the proportions of ``groups`` by attribute, or say which line is wrong.

    Without ``check`` its facts are taken as they are, for tables that others released, errors included.
    """
    columns = _columns(groups)
    if len(set(columns)) != len(columns):
        double = next(name for name in columns if columns.count(name) > 1)
        raise InputError(f"{path}: group {double!r} belongs to two attributes, but a table has one column for it")
    optional = ["side", *(name for name in _columns(_usual_groups()) if name not in columns)]
    rows = read_csv(path, [*_FIRST_COLUMNS, *columns], optional)
    terms = tuple(_term(row, groups) for row in rows)
    if check:
        _check(path, rows, terms)
    return terms


def _check(path: Path, rows: Sequence[CsvRow], terms: Sequence[Term]) -> None:
    seen: dict[tuple[str, str], Term] = {}
    for row, term in zip(rows, terms, strict=True):
        _check_row(row, term)
        if (term.name.casefold(), term.side) in seen:
            raise InputError(f"{row.where}: term {term.name!r} stands already above; keep one row")
        seen[term.name.casefold(), term.side] = term
    _check_sides(path, seen)


def _usual_groups() -> dict[str, tuple[str, ...]]:
    known = attribute_table()
    return {name: known[name].groups for name in TERM_ATTRIBUTES}


def _columns(groups: Mapping[str, Iterable[str]]) -> list[str]:
    return [group for names in groups.values() for group in names]


def _term(row: CsvRow, groups: Mapping[str, Sequence[str]]) -> Term:
    shares = {
        attribute: {group: row.number(group) or 0.0 for group in names}  # a released -0.0 is none
        for attribute, names in groups.items()
        if any(row[group] for group in names)
    }
    return Term(row["kind"], row["category"], row["term"], side=row["side"], weight=row.number("weight"), shares=shares)


def _check_row(row: CsvRow, term: Term) -> None:
    if term.kind not in KINDS:
        raise InputError(f"{row.where}: no kind {term.kind!r}{did_you_mean(term.kind, KINDS)}")
    if not term.name or not term.category:
        raise InputError(f"{row.where}: every row needs a term and a category")
    check_weight(row.where, term.weight)
    if term.kind != "relation" and term.side:
        raise InputError(f"{row.where}: only a relation has sides; leave 'side' empty")
    if term.kind == "relation" and (term.side not in SIDES or len(term.name.split(" / ")) != len(SIDES)):
        raise InputError(f"{row.where}: a relation is written 'Employer / Employee', with side left or right")
    for attribute, shares in term.shares.items():
        if not all(0 <= share <= 1 for share in shares.values()):
            raise InputError(f"{row.where}: {attribute}: shares must lie between 0 and 1")
        if abs(sum(shares.values()) - 1) > _TOLERANCE:
            total = sum(shares.values())
            raise InputError(f"{row.where}: {attribute}: shares add up to {total:.3f}, they must add up to 1")


def _check_sides(path: Path, seen: Mapping[tuple[str, str], Term]) -> None:
    for (name, side), term in seen.items():
        if not side:
            if any((name, other) in seen for other in SIDES):
                raise InputError(f"{path}: term {term.name!r} is both a relation and something else; rename one")
            continue
        other = seen.get((name, SIDES[1 - SIDES.index(side)]))
        if other is None:
            raise InputError(f"{path}: relation {term.name!r} has a row for the {side} side only; add the other")
        if (term.category, term.weight) != (other.category, other.weight):
            raise InputError(f"{path}: relation {term.name!r}: both sides need the same category and weight")

"""Tables of shares by occupation: official statistics, or one's own.

A CSV has the columns ``group`` and ``share`` and any of ``occupation`` (or ``term``), ``isco``, ``category``,
``attribute``, ``region``, ``year`` and ``source``. A row is about the first of these that it names: an ISCO code, which
stands for everything below it; an occupation; a category; else every occupation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import ConfigError, InputError, did_you_mean
from portrayal.records import Attribute, Reference
from portrayal.settings import Settings
from portrayal.suites.known import Known, known_occupations

__all__ = ["TableChoice", "TableReference", "read_table"]

_REQUIRED = ("group", "share")
_OPTIONAL = ("occupation", "term", "isco", "category", "attribute", "region", "year", "source")
_TOLERANCE = 0.005
_EVERYONE = ("*", "")
_DEFAULT = "gender"
Item = tuple[str, str]
"""What a row is about: ``isco``, ``occupation``, ``category`` or ``*``, and which."""


class TableChoice(Settings):
    """A reference by name, and which of a table's regions and years to take where it has several."""

    table: str
    region: str = ""
    year: int | str = ""


@dataclass(frozen=True, slots=True)
class TableReference(Reference):
    """A reference from a table. ``by_occupation`` has the shares of those that no row names, by code or category."""

    by_occupation: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def shares(self, term: str) -> Mapping[str, float] | None:
        """Return the target shares for ``term``, or None when the table does not cover it."""
        name = term.casefold()
        return self.by_term.get(name) or self.by_occupation.get(name, self.default)


def read_table(path: Path, attribute: Attribute, choice: TableChoice) -> TableReference:
    """Return one attribute's shares from the table at ``path``, or say which line is wrong."""
    rows = read_csv(path, _REQUIRED, _OPTIONAL)
    if rows[0].values.keys() >= {"occupation", "term"}:
        raise InputError(f"{path}: 'occupation' and 'term' are two names for one column; keep one")
    rows = [row for row in rows if (row["attribute"] or _DEFAULT) == attribute.name]
    if not rows:
        raise InputError(f"{path}: no row for attribute {attribute.name!r}; add some or choose another reference")
    for column, wanted in (("region", choice.region), ("year", str(choice.year))):
        rows = _chosen(path, rows, column, wanted)
    items: dict[Item, list[CsvRow]] = {}
    for row in rows:
        items.setdefault(_item(row), []).append(row)
    shares = {item: _shares(item, rows_of_item, attribute) for item, rows_of_item in items.items()}
    of = ", ".join(filter(None, (rows[0]["region"], rows[0]["year"])))
    return TableReference(
        f"{path.name} ({of})" if of else path.name,
        attribute.name,
        {name: shares_of_item for (kind, name), shares_of_item in shares.items() if kind == "occupation"},
        default=shares.get(_EVERYONE),
        source="; ".join(sorted({row["source"] for row in rows if row["source"]})),
        by_occupation=_by_occupation(shares, known_occupations()),
    )


def _chosen(path: Path, rows: Sequence[CsvRow], column: str, wanted: str) -> list[CsvRow]:
    """Return the rows of the region or year that was chosen, or of the only one there is."""
    there = list(dict.fromkeys(row[column] for row in rows))
    names = ", ".join(name or "(empty)" for name in there)
    if wanted:
        kept = [row for row in rows if row[column].casefold() == wanted.casefold()]
        if not kept:
            raise InputError(f"{path}: no {column} {wanted!r}; there is {names}")
        return kept
    if len(there) > 1:
        raise InputError(f"{path}: several {column}s ({names}); choose one: {{ table = …, {column} = … }}")
    return list(rows)


def _item(row: CsvRow) -> Item:
    if code := row["isco"]:
        if not re.fullmatch(r"[0-9]{1,4}", code):
            raise InputError(f"{row.where}: an ISCO code has one to four digits, got {code!r}")
        return "isco", code
    name = (row["occupation"] or row["term"]).casefold()
    if name and name != "*":
        return "occupation", name
    category = row["category"]
    if not category or category == "*":
        return _EVERYONE
    known = {name.casefold(): name for occupation in known_occupations().values() for name in occupation.categories}
    if category.casefold() not in known:
        raise InputError(f"{row.where}: no category {category!r}{did_you_mean(category, known.values())}")
    return "category", category.casefold()


def _shares(item: Item, rows: Sequence[CsvRow], attribute: Attribute) -> dict[str, float]:
    """Return the shares of all groups; of two, one may be left out, as it is what the other leaves."""
    shares: dict[str, float] = {}
    name = item[1] or "*"
    for row in rows:
        group, share = row["group"], row.number("share")
        try:
            attribute.index(group)
        except ConfigError as error:
            raise InputError(f"{row.where}: {error}") from None
        if not 0 <= share <= 1:
            raise InputError(f"{row.where}: share must lie between 0 and 1, got {share:g}")
        if group in shares:
            raise InputError(f"{row.where}: {name!r} has group {group!r} already; keep one row")
        shares[group] = share
    missing = [group for group in attribute.groups if group not in shares]
    where = f"{rows[-1].where}: {name!r}, {attribute.name}"
    if len(missing) == 1 and len(attribute.groups) == 2:
        shares[missing[0]] = 1 - sum(shares.values())
    elif missing:
        raise InputError(f"{where}: no share for {', '.join(missing)}; add it, 0 if none")
    total = sum(shares.values())
    if abs(total - 1) > _TOLERANCE:
        raise InputError(f"{where}: shares add up to {total:.3f}, they must add up to 1")
    return shares


def _by_occupation(
    shares: Mapping[Item, Mapping[str, float]], known: Mapping[str, Known]
) -> dict[str, Mapping[str, float]]:
    """Return the shares of the occupations known, each from the most particular row that speaks of it."""
    items = {
        name: next((item for item in _items(occupation) if item in shares), None) for name, occupation in known.items()
    }
    return {name: shares[item] for name, item in items.items() if item is not None}


def _items(occupation: Known) -> Iterable[Item]:
    """Yield what may speak of an occupation but its English name, the most particular first."""
    yield "occupation", occupation.german
    yield from (("isco", occupation.isco[:digits]) for digits in range(len(occupation.isco), 0, -1))
    yield from (("category", category.casefold()) for category in occupation.categories)

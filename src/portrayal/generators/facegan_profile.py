"""Planted answers: for each term, how often each perceived group is drawn. Read from a CSV that people can write.

::

    term,attribute,group,share
    Nurse,gender,male,0.04
    Nurse,gender,female,0.96
    *,gender,male,0.5

``*`` stands for every term and attribute without rows of its own. Shares of a term and attribute add up to 1.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from portrayal.errors import ConfigError, InputError, did_you_mean
from portrayal.generators.facegan_bank import CELLS

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["DEFAULT_TERM", "SHIPPED", "Profile", "load_profile", "load_table"]

DEFAULT_TERM = "*"
SHIPPED = ("demo",)
_COLUMNS = ("term", "attribute", "group", "share")

Shares = Mapping[str, float]
Row = tuple[int, Mapping[str, str]]
"""The line in the file, and its cells by column."""


@dataclass(frozen=True)
class Profile:
    """Shares by term (casefolded), attribute and group."""

    name: str
    terms: Mapping[str, Mapping[str, Shares]]

    def shares(self, term: str) -> Mapping[str, Shares]:
        """Return the planted shares of every attribute for ``term``."""
        default = self.terms[DEFAULT_TERM]
        own = self.terms.get(term.strip().casefold(), {})
        return {attribute: own.get(attribute, default[attribute]) for attribute in CELLS}


def load_profile(name: str) -> Profile:
    """Return a shipped profile by name, or the one in the CSV file at that path."""
    if name in SHIPPED:
        source: Traversable = files("portrayal.generators") / "data" / f"facegan_profile_{name}.csv"
    else:
        source = Path(name)
        if not source.is_file():
            hint = did_you_mean(name, SHIPPED)
            raise ConfigError(f"facegan profile {name!r} is neither a shipped profile nor a CSV file{hint}")
    return _profile(name, load_table(source, _COLUMNS))


def load_table(source: Traversable, columns: tuple[str, ...]) -> list[Row]:
    """Return the rows of a CSV file with their lines; blank lines are passed over."""
    try:
        text = source.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{source}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: is not UTF-8 (byte {error.start})") from None
    reader = csv.reader(io.StringIO(text, newline=""))
    rows: list[Row] = []
    try:
        header = [cell.strip() for cell in next(reader, [])]
        if sorted(header) != sorted(columns):
            raise InputError(f"{source}, line 1: the columns must be {', '.join(columns)}; got {', '.join(header)}")
        for cells in reader:
            if len(cells) == len(header):
                rows.append((reader.line_num, dict(zip(header, (cell.strip() for cell in cells), strict=True))))
            elif cells:
                raise InputError(f"{source}, line {reader.line_num}: expected {len(header)} cells, got {len(cells)}")
    except csv.Error as error:
        raise InputError(f"{source}, line {reader.line_num}: {error}") from None
    return rows


def _profile(name: str, rows: Iterable[Row]) -> Profile:
    terms: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    lines: dict[tuple[str, str], int] = {}
    for line, row in rows:
        where = f"facegan profile {name}, line {line}"
        term, attribute, group = row["term"].casefold(), row["attribute"], row["group"]
        if not term:
            raise InputError(f"{where}: the term is empty; use * for every term without rows of its own")
        if attribute not in CELLS:
            raise InputError(f"{where}: no attribute {attribute!r}{did_you_mean(attribute, CELLS)}")
        if group not in CELLS[attribute]:
            raise InputError(f"{where}: {attribute!r} has no group {group!r}{did_you_mean(group, CELLS[attribute])}")
        shares = terms[term].setdefault(attribute, {})
        if group in shares:
            raise InputError(f"{where}: {row['term']}, {attribute}, {group} is given twice")
        shares[group] = _share(row["share"], where)
        lines[term, attribute] = line
    for (term, attribute), line in lines.items():
        _complete(terms[term][attribute], attribute, f"facegan profile {name}, line {line}: {term}")
    missing = [attribute for attribute in CELLS if attribute not in terms[DEFAULT_TERM]]
    if missing:
        raise InputError(f"facegan profile {name}: no rows for term * and {', '.join(missing)}, the default is needed")
    return Profile(name, {term: dict(by_attribute) for term, by_attribute in terms.items()})


def _share(text: str, where: str) -> float:
    try:
        share = float(text)
    except ValueError:
        raise InputError(f"{where}: the share {text!r} is not a number") from None
    if not 0.0 <= share <= 1.0:
        raise InputError(f"{where}: the share {text} is not between 0 and 1")
    return share


def _complete(shares: dict[str, float], attribute: str, where: str) -> None:
    total = sum(shares.values())
    if abs(total - 1.0) > 1e-6:
        raise InputError(f"{where}, {attribute}: the shares add up to {total:.6g}, not 1")
    ordered = {group: shares.get(group, 0.0) for group in CELLS[attribute]}
    shares.clear()
    shares.update(ordered)

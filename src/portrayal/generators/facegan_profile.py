"""Planted answers: for each term, how often each perceived group is drawn. Read from a CSV that people can write.

::

    term,attribute,group,share
    Nurse,gender,male,0.04
    Nurse,gender,female,0.96
    *,gender,male,0.5

``*`` stands for every term and attribute without rows of its own. Shares of a term and attribute add up to 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError, did_you_mean
from portrayal.generators.facegan_bank import CELLS

__all__ = ["DEFAULT_TERM", "Profile", "load_profile", "read_shipped"]

DEFAULT_TERM = "*"

Shares = Mapping[str, float]


@dataclass(frozen=True)
class Profile:
    """Shares by term (casefolded), attribute and group."""

    terms: Mapping[str, Mapping[str, Shares]]

    def shares(self, term: str) -> Mapping[str, Shares]:
        """Return the planted shares of every attribute for ``term``."""
        default = self.terms[DEFAULT_TERM]
        own = self.terms.get(term.strip().casefold(), {})
        return {attribute: own.get(attribute, default[attribute]) for attribute in CELLS}


def load_profile(path: Path | None = None) -> Profile:
    """Return the profile in the CSV file at ``path``, or the demo's."""
    columns = ("term", "attribute", "group", "share")
    if path is None:
        return _profile("the demo's profile", read_shipped("facegan_profile_demo.csv", columns))
    return _profile(str(path), read_csv(path, columns))


def read_shipped(name: str, columns: Sequence[str]) -> list[CsvRow]:
    """Return the rows of a CSV file that is shipped with the generators."""
    with as_file(files("portrayal.generators") / "data" / name) as path:
        return read_csv(Path(path), columns)


def _profile(name: str, rows: Sequence[CsvRow]) -> Profile:
    terms: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    last: dict[tuple[str, str], str] = {}
    for row in rows:
        term, attribute = row["term"].casefold(), row["attribute"]
        if not term:
            raise InputError(f"{row.where}: the term is empty; use * for every term without rows of its own")
        if attribute not in CELLS:
            raise InputError(f"{row.where}: no attribute {attribute!r}{did_you_mean(attribute, CELLS)}")
        _add(terms[term].setdefault(attribute, {}), row, CELLS[attribute])
        last[term, attribute] = row.where
    for (term, attribute), where in last.items():
        _complete(terms[term][attribute], attribute, f"{where}: {term}")
    missing = [attribute for attribute in CELLS if attribute not in terms[DEFAULT_TERM]]
    if missing:
        raise InputError(f"{name}: no rows for term * and {', '.join(missing)}, the default is needed")
    return Profile({term: dict(by_attribute) for term, by_attribute in terms.items()})


def _add(shares: dict[str, float], row: CsvRow, groups: Sequence[str]) -> None:
    group, share = row["group"], row.number("share")
    if group not in groups:
        raise InputError(f"{row.where}: {row['attribute']!r} has no group {group!r}{did_you_mean(group, groups)}")
    if group in shares:
        raise InputError(f"{row.where}: {row['term']}, {row['attribute']}, {group} is given twice")
    if not 0.0 <= share <= 1.0:
        raise InputError(f"{row.where}: the share {share:g} is not between 0 and 1")
    shares[group] = share


def _complete(shares: dict[str, float], attribute: str, where: str) -> None:
    total = sum(shares.values())
    if abs(total - 1.0) > 1e-6:
        raise InputError(f"{where}, {attribute}: the shares add up to {total:.6g}, not 1")
    ordered = {group: shares.get(group, 0.0) for group in CELLS[attribute]}
    shares.clear()
    shares.update(ordered)

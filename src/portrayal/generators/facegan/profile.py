"""Planted answers: for each term, how often each perceived group is drawn. Read from a CSV that people can write.

::

    term,attribute,group,share
    Nurse,gender,male,0.04
    Nurse,gender,female,0.96
    *,gender,male,0.5

``*`` stands for every term and attribute without rows of its own. Shares of a term and attribute add up to 1. For one
of the two people of a prompt the attribute is ``left.gender`` or ``right.gender``; such rows win over ``gender``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError, did_you_mean
from portrayal.generators.facegan.bank import CELLS
from portrayal.generators.planted_shares import Shares, of_side, split_aspect

__all__ = ["DEFAULT_TERM", "PlantedProfile", "load_profile", "read_shipped"]

DEFAULT_TERM = "*"


@dataclass(frozen=True)
class PlantedProfile:
    """Shares by term (casefolded), attribute or aspect, and group."""

    terms: Mapping[str, Mapping[str, Shares]]

    def shares(self, term: str, side: str = "") -> dict[str, Shares]:
        """Return the planted shares of every attribute for ``term``: of one person, or of the one at that side."""
        default = of_side(self.terms[DEFAULT_TERM], side)
        planted = of_side(self.terms.get(term.strip().casefold(), {}), side)
        return {attribute: planted.get(attribute, default[attribute]) for attribute in CELLS}


def load_profile(path: Path | None = None) -> PlantedProfile:
    """Return the profile in the CSV file at ``path``, or the demo's."""
    columns = ("term", "attribute", "group", "share")
    if path is None:
        return _profile("the demo's profile", read_shipped("profile_demo.csv", columns))
    return _profile(str(path), read_csv(path, columns))


def read_shipped(name: str, columns: Sequence[str]) -> list[CsvRow]:
    """Return the rows of a CSV file that is shipped with the generator."""
    with as_file(files("portrayal.generators.facegan") / "data" / name) as path:
        return read_csv(Path(path), columns)


def _profile(where: str, rows: Sequence[CsvRow]) -> PlantedProfile:
    terms: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    last: dict[tuple[str, str], str] = {}
    for row in rows:
        term, aspect = row["term"].casefold(), row["attribute"]
        attribute = split_aspect(aspect)[1]
        if not term:
            raise InputError(f"{row.where}: the term is empty; use * for every term without rows of its own")
        if attribute not in CELLS:
            raise InputError(f"{row.where}: no attribute {aspect!r}{did_you_mean(attribute, CELLS)}")
        _add(terms[term].setdefault(aspect, {}), row, CELLS[attribute])
        last[term, aspect] = row.where
    for (term, aspect), line in last.items():
        _complete(terms[term][aspect], aspect, f"{line}: {term}")
    missing = [attribute for attribute in CELLS if attribute not in terms[DEFAULT_TERM]]
    if missing:
        raise InputError(f"{where}: no rows for term * and {', '.join(missing)}, the default is needed")
    return PlantedProfile({term: dict(by_attribute) for term, by_attribute in terms.items()})


def _add(shares: dict[str, float], row: CsvRow, groups: Sequence[str]) -> None:
    group, share = row["group"], row.number("share")
    if group not in groups:
        raise InputError(f"{row.where}: {row['attribute']!r} has no group {group!r}{did_you_mean(group, groups)}")
    if group in shares:
        raise InputError(f"{row.where}: {row['term']}, {row['attribute']}, {group} is given twice")
    if not 0.0 <= share <= 1.0:
        raise InputError(f"{row.where}: the share {share:g} is not between 0 and 1")
    shares[group] = share


def _complete(shares: dict[str, float], aspect: str, where: str) -> None:
    total = sum(shares.values())
    if abs(total - 1.0) > 1e-6:
        raise InputError(f"{where}, {aspect}: the shares add up to {total:.6g}, not 1")
    ordered = {group: shares.get(group, 0.0) for group in CELLS[split_aspect(aspect)[1]]}
    shares.clear()
    shares.update(ordered)

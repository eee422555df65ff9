"""What shares are compared with: uniform, the shipped proportions, a user's CSV, or nothing.

A CSV has the columns ``attribute, group, share`` and optionally ``term`` (empty or ``*``: every term) and ``source``.
The shares of one term and attribute must add up to 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import ConfigError, InputError
from portrayal.records import Attribute, Reference
from portrayal.suites.terms import FAINTBENCH, shipped_terms

__all__ = ["load_reference"]

_TOLERANCE = 0.005
_EVERY_TERM = "*"


def load_reference(name: str, attribute: Attribute, folder: Path) -> Reference:
    """Return the reference ``name`` (``uniform``, ``faintbench``, ``none`` or a CSV path) for one attribute."""
    if name == "uniform":
        share = 1 / len(attribute.groups)
        return Reference("uniform", attribute.name, {}, dict.fromkeys(attribute.groups, share), "equal shares")
    if name == "none":
        return Reference("none", attribute.name, {}, source="no comparison")
    if name == "faintbench":
        return _shipped(attribute)
    if name.endswith(".csv"):
        return _from_csv(folder / name, attribute)
    raise ConfigError(f"no reference named {name!r}; give 'uniform', 'faintbench', 'none' or the path of a .csv file")


def _shipped(attribute: Attribute) -> Reference:
    terms = [term for term in shipped_terms() if attribute.name in term.shares and term.kind == "occupation"]
    if not terms:
        raise ConfigError(f"reference 'faintbench' has no {attribute.name!r}; use 'uniform' or your own .csv")
    if set(terms[0].shares[attribute.name]) != set(attribute.groups):
        raise ConfigError(
            f"reference 'faintbench' has other groups of {attribute.name!r} than {', '.join(attribute.groups)}; "
            "use 'uniform' or your own .csv"
        )
    # A few released rows hold a negative share, which is no proportion: those terms stay without a reference.
    shares = {term.name.casefold(): term.shares[attribute.name] for term in terms}
    usable = {name: row for name, row in shares.items() if min(row.values()) >= 0}
    return Reference("faintbench", attribute.name, usable, source=FAINTBENCH)


def _from_csv(path: Path, attribute: Attribute) -> Reference:
    rows = read_csv(path, ["attribute", "group", "share"], ["term", "source"])
    by_term: dict[str, dict[str, float]] = {}
    sources = {row["source"] for row in rows if row["source"]}
    for row in rows:
        if row["attribute"] == attribute.name:
            _add(by_term.setdefault((row["term"] or _EVERY_TERM).casefold(), {}), row, attribute)
    if not by_term:
        raise InputError(f"{path}: no row for attribute {attribute.name!r}; add some or choose another reference")
    for term, shares in by_term.items():
        _check_sum(path, term, attribute, shares)
    default = by_term.pop(_EVERY_TERM, None)
    return Reference(path.name, attribute.name, by_term, default, "; ".join(sorted(sources)))


def _add(shares: dict[str, float], row: CsvRow, attribute: Attribute) -> None:
    group, share = row["group"], row.number("share")
    try:
        attribute.index(group)
    except ConfigError as error:
        raise InputError(f"{row.where}: {error}") from None
    if not 0 <= share <= 1 or math.isnan(share):
        raise InputError(f"{row.where}: share must lie between 0 and 1, got {share:g}")
    if group in shares:
        raise InputError(f"{row.where}: group {group!r} stands twice for the same term")
    shares[group] = share


def _check_sum(path: Path, term: str, attribute: Attribute, shares: Mapping[str, float]) -> None:
    missing = [group for group in attribute.groups if group not in shares]
    if missing:
        raise InputError(
            f"{path}: term {term!r}, {attribute.name}: no share for {', '.join(missing)}; add it, 0 if none"
        )
    total = sum(shares.values())
    if abs(total - 1) > _TOLERANCE:
        raise InputError(
            f"{path}: term {term!r}, {attribute.name}: shares add up to {total:.3f}, they must add up to 1"
        )

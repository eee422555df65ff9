"""What shares are compared with: uniform, the shipped proportions and tables, a user's CSV, or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

from portrayal.errors import ConfigError
from portrayal.records import Attribute, Reference
from portrayal.suites.reference_tables import TableChoice, read_table
from portrayal.suites.terms import FAINTBENCH, shipped_terms

__all__ = ["US", "TableChoice", "load_reference"]

US = (
    "US shares by occupation as released with FAIntbench (Luo, Deng, Chen, Liu 2024). Its authors name the US Bureau "
    "of Labor Statistics and Census and do not say of which year. An occupation that they do not have gets the mean of "
    "theirs with the same ISCO-08 code."
)
_US_GROUPS: Mapping[str, Sequence[str]] = {"gender": ("male", "female"), "age3": ("young", "middle_aged", "elderly")}


def load_reference(chosen: str | TableChoice, attribute: Attribute, folder: Path) -> Reference:
    """Return a reference for one attribute: ``uniform``, ``faintbench``, ``us``, ``none`` or a CSV path.

    A :class:`TableChoice` says also which region and year of a table to take.
    """
    choice = chosen if isinstance(chosen, TableChoice) else TableChoice(table=chosen)
    name = choice.table
    if name == "us":
        return _us(attribute, choice)
    if name.endswith(".csv"):
        return read_table(folder / name, attribute, choice)
    if name not in ("uniform", "none", "faintbench"):
        raise ConfigError(
            f"no reference named {name!r}; give 'uniform', 'faintbench', 'us', 'none' or the path of a .csv file"
        )
    if choice.region or choice.year:
        raise ConfigError(f"reference {name!r} has no regions and years to choose from; leave them out")
    if name == "faintbench":
        return _shipped(attribute)
    if name == "none":
        return Reference("none", attribute.name, {}, source="no comparison")
    share = 1 / len(attribute.groups)
    return Reference("uniform", attribute.name, {}, dict.fromkeys(attribute.groups, share), "equal shares")


def _us(attribute: Attribute, choice: TableChoice) -> Reference:
    _check_groups("us", attribute, _US_GROUPS.get(attribute.name, ()))
    with resources.as_file(resources.files("portrayal.suites") / "data" / "reference_us.csv") as path:
        return replace(read_table(Path(path), attribute, choice), name="us", source=US)


def _shipped(attribute: Attribute) -> Reference:
    terms = [term for term in shipped_terms() if attribute.name in term.shares and term.kind == "occupation"]
    _check_groups("faintbench", attribute, tuple(terms[0].shares[attribute.name]) if terms else ())
    # A few released rows hold a negative share, which is no proportion: those terms stay without a reference.
    shares = {term.name.casefold(): term.shares[attribute.name] for term in terms}
    usable = {name: row for name, row in shares.items() if min(row.values()) >= 0}
    return Reference("faintbench", attribute.name, usable, source=FAINTBENCH)


def _check_groups(name: str, attribute: Attribute, groups: Sequence[str]) -> None:
    """Refuse an attribute that a shipped reference does not have, or has with other groups."""
    if not groups:
        raise ConfigError(f"reference {name!r} has no {attribute.name!r}; use 'uniform' or your own .csv")
    if set(groups) != set(attribute.groups):
        raise ConfigError(
            f"reference {name!r} has other groups of {attribute.name!r} than {', '.join(attribute.groups)}; "
            "use 'uniform' or your own .csv"
        )

"""What shares are compared with: equal shares, a registered reference, a user's CSV, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from portrayal.bundles import BundleRegistry
from portrayal.errors import ConfigError
from portrayal.records import Attribute, Reference
from portrayal.registry import Entry
from portrayal.suites.reference_tables import TableChoice, read_table

__all__ = [
    "REFERENCES",
    "ReferenceFactory",
    "TableChoice",
    "check_groups",
    "load_reference",
    "none",
    "refuse_choice",
    "uniform",
]

ReferenceFactory = Callable[[Attribute, TableChoice], Reference]
"""What a registry entry points to: from an attribute to its reference, or an error that says that there is none."""

REFERENCES: BundleRegistry[ReferenceFactory] = BundleRegistry(
    "reference",
    "references",
    {
        "uniform": Entry(
            "portrayal.suites.named_references:uniform", "equal shares", words="Equal shares of women and men"
        ),
        "none": Entry(
            "portrayal.suites.named_references:none",
            "no comparison",
            words="Nothing: show shares without comparing them",
        ),
    },
)


def load_reference(chosen: str | TableChoice, attribute: Attribute, folder: Path) -> Reference:
    """Return a reference for one attribute: the registered one of that name, or that of a CSV path.

    A :class:`TableChoice` says also which region and year of a table to take.
    """
    choice = chosen if isinstance(chosen, TableChoice) else TableChoice(table=chosen)
    name = choice.table
    if name.endswith(".csv"):
        return read_table(folder / name, attribute, choice)
    if name not in (known := REFERENCES.entries()):
        names = ", ".join(map(repr, known))
        raise ConfigError(f"no reference named {name!r}; give {names} or the path of a .csv file")
    return REFERENCES.load(name)(attribute, choice)


def uniform(attribute: Attribute, choice: TableChoice) -> Reference:
    """Return equal shares of all groups."""
    refuse_choice(choice)
    share = 1 / len(attribute.groups)
    return Reference("uniform", attribute.name, {}, dict.fromkeys(attribute.groups, share), "equal shares")


def none(attribute: Attribute, choice: TableChoice) -> Reference:
    """Return a reference that covers nothing."""
    refuse_choice(choice)
    return Reference("none", attribute.name, {}, source="no comparison")


def refuse_choice(choice: TableChoice) -> None:
    """Refuse a region or a year, for references that have none to choose from."""
    if choice.region or choice.year:
        raise ConfigError(f"reference {choice.table!r} has no regions and years to choose from; leave them out")


def check_groups(name: str, attribute: Attribute, groups: Sequence[str]) -> None:
    """Refuse an attribute that a reference does not have, or has with other groups."""
    if not groups:
        raise ConfigError(f"reference {name!r} has no {attribute.name!r}; use 'uniform' or your own .csv")
    if set(groups) != set(attribute.groups):
        raise ConfigError(
            f"reference {name!r} has other groups of {attribute.name!r} than {', '.join(attribute.groups)}; "
            "use 'uniform' or your own .csv"
        )

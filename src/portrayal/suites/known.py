"""The occupations that are known by name: their ISCO codes, other names and categories, from registered lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from portrayal.bundles import BundleRegistry

__all__ = ["OCCUPATIONS", "Known", "OccupationList", "known_occupations"]


@dataclass(frozen=True, slots=True)
class Known:
    """An occupation: its English name, its ISCO-08 code ("": none), its German name, and its categories in suites."""

    name: str
    isco: str
    german: str = ""
    categories: tuple[str, ...] = ()


OccupationList = Callable[[], Iterable[Known]]
"""What a registry entry points to."""

OCCUPATIONS: BundleRegistry[OccupationList] = BundleRegistry("occupation list", "occupations")


@cache
def known_occupations() -> Mapping[str, Known]:
    """Return the occupations of all lists by casefolded English name.

    Where two lists mean different occupations by one name, that of the later of Portrayal's methods counts. The lists
    of other packages come last, so that what is installed does not change what a name means.
    """
    builtin = OCCUPATIONS.builtin()
    found: dict[str, Known] = {}
    for listed in (*reversed(list(builtin)), *(name for name in OCCUPATIONS.entries() if name not in builtin)):
        for own in OCCUPATIONS.load(listed)():
            name = own.name.casefold()
            first = found.setdefault(name, own)
            if first is not own and first.isco == own.isco:
                found[name] = replace(
                    first, german=first.german or own.german, categories=(*first.categories, *own.categories)
                )
    return found

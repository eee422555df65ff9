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
    by_name: dict[str, Known] = {}
    for listed in (*reversed(list(builtin)), *(name for name in OCCUPATIONS.entries() if name not in builtin)):
        for occupation in OCCUPATIONS.load(listed)():
            name = occupation.name.casefold()
            first = by_name.setdefault(name, occupation)
            if first is not occupation and first.isco == occupation.isco:
                by_name[name] = replace(
                    first,
                    german=first.german or occupation.german,
                    categories=(*first.categories, *occupation.categories),
                )
    return by_name

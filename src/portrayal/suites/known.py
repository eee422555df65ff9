"""The occupations that the shipped suites ask about: their ISCO codes, other names and categories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from portrayal.suites.terms import shipped_terms

__all__ = ["Known", "known_occupations"]


@dataclass(frozen=True, slots=True)
class Known:
    """An occupation: its ISCO-08 code ("": none), its German name, and its categories in the suites it stands in."""

    isco: str
    german: str = ""
    categories: tuple[str, ...] = ()


@cache
def known_occupations() -> Mapping[str, Known]:
    """Return the occupations by casefolded English name. Where two suites mean different ones, it is BAFIS's."""
    # Here, since the suite need not be loaded where no table is read.
    from portrayal.suites.bafis.isco import isco_of
    from portrayal.suites.bafis.occupations import occupations

    found = {own.name.casefold(): Known(own.isco, own.german.casefold(), (own.category,)) for own in occupations()}
    for term in shipped_terms():
        name = term.name.casefold()
        if term.kind == "occupation":
            code = isco_of(name, "faintbench")
            own = found.setdefault(name, Known(code))
            if own.isco == code:
                found[name] = Known(code, own.german, (*own.categories, term.category))
    return found

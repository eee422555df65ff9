"""The table of BAFIS' occupations: their forms in English and German, category, ISCO code and description."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from portrayal.csvfile import read_shipped
from portrayal.suites.known import Known

__all__ = ["CATEGORIES", "Occupation", "coded_occupations", "occupations"]

CATEGORIES = (
    "Business & Management",
    "Technical & Engineering",
    "Service & Hospitality",
    "Healthcare & Social Services",
    "Administration & Office",
    "Construction & Maintenance",
)


@dataclass(frozen=True, slots=True)
class Occupation:
    """An occupation and the words for it.

    ``name`` is BAFIS' own and what results are reported by; ``english`` is how it is written in a sentence ("CEO") and
    ``german`` the name by itself. ``masculine``, ``feminine`` and ``star`` are German genitives with their article,
    ``dative_plural`` is one without. ``indirect_en`` and ``indirect_de`` describe the work: what the person does.
    """

    name: str
    english: str
    plural: str
    category: str
    isco: str
    german: str
    masculine: str
    feminine: str
    dative_plural: str
    star: str
    indirect_en: str
    indirect_de: str


_COLUMNS = (
    "occupation", "english", "plural", "category", "isco", "german", "de_masculine", "de_feminine", "de_plural",
    "de_star", "indirect_en", "indirect_de",
)  # fmt: skip


@cache
def occupations() -> tuple[Occupation, ...]:
    """Return the 151 occupations, in BAFIS' order."""
    rows = read_shipped("portrayal.methods.bafis", "occupations.csv", _COLUMNS)
    return tuple(Occupation(*(row[column] for column in _COLUMNS)) for row in rows)


def coded_occupations() -> Iterator[Known]:
    """Yield the occupations with their ISCO-08 codes; the mapping is our own."""
    for own in occupations():
        yield Known(own.name, own.isco, own.german.casefold(), (own.category,))

"""The table of BAFIS' occupations: their forms in English and German, category, ISCO code and description."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from portrayal.csvfile import read_shipped
from portrayal.suites.known import Known

__all__ = [
    "CATEGORIES",
    "Occupation",
    "ReleasedStar",
    "coded_occupations",
    "occupations",
    "released_stars",
    "with_released_stars",
]

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


@dataclass(frozen=True, slots=True)
class ReleasedStar:
    """The noun with the gender star as released, where it is not ours, and why it is not."""

    occupation: str
    released: str
    kind: str


@cache
def released_stars() -> tuple[ReleasedStar, ...]:
    """Return the 24 nouns with the gender star that the authors released otherwise than they stand here."""
    columns = ("occupation", "released", "kind")
    rows = read_shipped("portrayal.methods.bafis", "star.csv", columns)
    return tuple(ReleasedStar(*(row[column] for column in columns)) for row in rows)


@cache
def with_released_stars() -> tuple[Occupation, ...]:
    """Return the occupations with the gender star as released.

    Two occupations share their released noun with another one. A prompt is about one occupation, so these keep ours.
    """
    released = {star.occupation: star.released for star in released_stars() if star.kind != "collision"}
    return tuple(replace(each, star=released.get(each.name, each.star)) for each in occupations())


def coded_occupations() -> Iterator[Known]:
    """Yield the occupations with their ISCO-08 codes; the mapping is our own."""
    for occupation in occupations():
        yield Known(occupation.name, occupation.isco, occupation.german.casefold(), (occupation.category,))

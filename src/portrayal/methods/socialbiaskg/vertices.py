"""The vertices: occupations with their situations, and the groups of people they are seen with; shipped or a user's.

They are also the domain of ``portrayal graph``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import ConfigError, InputError
from portrayal.graph import Edge, Key, Schema, Vertex
from portrayal.graph.domain import Domain
from portrayal.graph.graph_csv import read_edges
from portrayal.graph.guidelines import read_guidelines
from portrayal.suites.isco import isco_title
from portrayal.suites.known import Known

__all__ = [
    "OCCUPATION",
    "RACE",
    "Group",
    "Occupation",
    "Vertices",
    "coded_occupations",
    "read_domain",
    "read_vertices",
    "schema",
]

OCCUPATION = "occupation"
RACE = "race"
SITUATIONS = ("context_1", "context_2", "context_3")
GERMAN = "title_de"
_KIND = re.compile("[a-z][a-z0-9]*")
_DATA = resources.files(__package__).joinpath("data")


@dataclass(frozen=True, slots=True)
class Occupation:
    """An occupation; ``major`` is the ISCO-08 major group, or what a user's table calls the wider group.

    ``title_de`` is what annotators who read German see; empty: the name.
    """

    name: str
    isco: str
    major: str
    situations: tuple[str, ...]
    title_de: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A group of people, by default a race, and the words for it; the first is the usual one."""

    name: str
    title: str
    terms: tuple[str, ...]
    title_de: str = ""


@dataclass(frozen=True)
class Vertices:
    """All vertices; ``kind`` is what the groups are groups of."""

    occupations: Sequence[Occupation]
    groups: Sequence[Group]
    kind: str = RACE

    @cached_property
    def by_key(self) -> Mapping[Key, Vertex]:
        """The vertices of a graph."""
        jobs = [Vertex(OCCUPATION, job.name, job.name, job.major, job.isco) for job in self.occupations]
        people = [Vertex(self.kind, group.name, group.title) for group in self.groups]
        return {vertex.key: vertex for vertex in (*jobs, *people)}

    @cached_property
    def german(self) -> Mapping[Key, str]:
        """What vertices are called in German, where the tables say it."""
        jobs = {Key(OCCUPATION, job.name): job.title_de for job in self.occupations if job.title_de}
        return jobs | {Key(self.kind, group.name): group.title_de for group in self.groups if group.title_de}

    @cached_property
    def other_names(self) -> Mapping[str, str]:
        """Other names of occupations in small letters, each with the occupation; none of them is a vertex itself."""
        known = {job.name.casefold(): job.name for job in self.occupations}
        with resources.as_file(_DATA / "other_names.csv") as shipped:
            rows = read_csv(shipped, ["name", "other", "source"])
        names = {row["other"].casefold(): row["name"].casefold() for row in rows}
        return {other: known[name] for other, name in names.items() if name in known and other not in known}

    def edges(self, path: Path | None) -> list[Edge]:
        """Return people's edges: those of a user's table or, for races, those that the paper prints."""
        if path is None and self.kind != RACE:
            raise InputError(f"no edges between occupations and {self.kind} are known; give a table of them as 'edges'")
        if path is not None:
            listed = read_edges(path, self.by_key)
        else:
            with resources.as_file(_DATA / "printed_edges.csv") as shipped:
                printed = read_edges(shipped, read_vertices().by_key)
            # A user's own list of occupations need not have them all.
            listed = [row for row in printed if {row[1].source, row[1].target} <= self.by_key.keys()]
        for where, edge in listed:
            schema(self.kind).check(where, [edge])
        return [edge for _, edge in listed]


def schema(kind: str = RACE) -> Schema:
    """Return which edges there can be (Table 2): two types lead both ways, two only from occupations."""
    there, back = f"{OCCUPATION}_to_{kind}", f"{kind}_to_{OCCUPATION}"
    types = {
        "stereotyped_as": [there],
        "associated_with": [there],
        "dominant_in": [there, back],
        "underrepresented_in": [there, back],
    }
    return Schema(types, [("dominant_in", "underrepresented_in")], (OCCUPATION, kind))


def read_vertices(occupations: Path | None = None, groups: Path | None = None, kind: str = RACE) -> Vertices:
    """Return the vertices: shipped ones where no table is given."""
    if kind == OCCUPATION:
        raise ConfigError(f"kind {kind!r}: groups are no occupations; call them otherwise")
    if not _KIND.fullmatch(kind):
        raise ConfigError(f"kind {kind!r}: groups are of a kind that is called by small letters and digits")
    if kind != RACE and groups is None:
        raise ConfigError(f"kind {kind!r}: no groups of {kind} are known; give a table of them (groups.csv)")
    with resources.as_file(_DATA) as shipped:
        jobs = read_csv(occupations or shipped / "occupations.csv", ["name"], ["isco", "group", GERMAN, *SITUATIONS])
        people = read_csv(groups or shipped / "races.csv", ["name", "title", "terms"], [GERMAN])
    return Vertices([_occupation(row) for row in _once(jobs)], [_group(row) for row in _once(people)], kind)


def coded_occupations() -> Iterator[Known]:
    """Yield the occupations with their ISCO-08 codes; the mapping is our own."""
    for job in read_vertices().occupations:
        yield Known(job.name, job.isco)


def _occupation(row: CsvRow) -> Occupation:
    major = row["group"] or isco_title(row["isco"][:1])
    if not major:
        raise InputError(f"{row.where}: no wider group; give an ISCO-08 code in 'isco' or any name in 'group'")
    situations = tuple(filter(None, (row[name] for name in SITUATIONS)))
    return Occupation(row["name"], row["isco"], major, situations, row[GERMAN])


def _group(row: CsvRow) -> Group:
    terms = tuple(filter(None, (term.strip() for term in row["terms"].split(";"))))
    if not terms:
        raise InputError(f"{row.where}: column 'terms' needs a word for the group, several with ; between them")
    return Group(row["name"], row["title"] or row["name"], terms, row[GERMAN])


def _once(rows: Sequence[CsvRow]) -> Iterator[CsvRow]:
    seen: dict[str, str] = {}
    for row in rows:
        name = row["name"].casefold()
        if not name or ":" in name:
            raise InputError(f"{row.where}: column 'name' needs a name without a colon, got {row['name']!r}")
        if name in seen:
            raise InputError(f"{row.where}: {row['name']!r} stands already at {seen[name]}; keep one row")
        seen[name] = row.where
        yield row


LANGUAGES = ("en", "de")


def read_domain(tables: Path | None = None, kind: str = "") -> Domain:
    """Return the domain; a folder of one's own holds ``occupations.csv``, ``groups.csv`` or both."""
    kind = kind or RACE
    vertices, relations = _vertices(tables, kind), schema(kind)
    folder = resources.files(__package__).joinpath("data", "guidelines")
    guidelines = {
        language: read_guidelines(folder.joinpath(f"{language}.toml"), relations.directions) for language in LANGUAGES
    }
    return Domain(list(vertices.by_key.values()), relations, guidelines, {"de": vertices.german})


def _vertices(tables: Path | None, kind: str) -> Vertices:
    if tables is None:
        return read_vertices(kind=kind)
    files = [file if (file := tables / name).is_file() else None for name in ("occupations.csv", "groups.csv")]
    if not any(files):
        raise InputError(f"{tables}: holds neither occupations.csv nor groups.csv; check the folder")
    return read_vertices(files[0], files[1], kind)

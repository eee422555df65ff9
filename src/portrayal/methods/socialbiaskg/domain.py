"""Occupations and groups of people as ``portrayal graph`` knows them: shipped tables or a user's own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from portrayal.errors import InputError
from portrayal.graph.domain import Domain
from portrayal.graph.guidelines import read_guidelines
from portrayal.methods.socialbiaskg.vertices import RACE, Vertices, read_vertices, schema

__all__ = ["read_domain"]

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
    own = [file if (file := tables / name).is_file() else None for name in ("occupations.csv", "groups.csv")]
    if not any(own):
        raise InputError(f"{tables}: holds neither occupations.csv nor groups.csv; check the folder")
    return read_vertices(own[0], own[1], kind)

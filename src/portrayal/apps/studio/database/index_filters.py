"""What the index of pictures can be filtered by, and the table ``fitting`` of the pictures that a filter leaves."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from portrayal.apps.studio.database.index_columns import DISAGREED, LEFT_OUT, SURE

__all__ = ["Facet", "Known", "find_pictures", "look_through"]

_FIXED = (
    "file",
    "prompt",
    "picture",
    "term",
    "category",
    "model",
    "seed",
    "annotator",
    "subject",
    "box",
    "reason",
    LEFT_OUT,
)
_FACETS = ("model", "term", "category", "annotator", "reason", LEFT_OUT)
UNSURE = "unsure"
"""A filter: the likeliest group of some attribute is less probable than this."""
WORDS = "words"
"""A filter: the prompt holds these words, in capitals or not."""
_PROMPT = "prompt"
MOST_VALUES = 300
"""Values of a filter that a page offers."""


@dataclass(frozen=True, slots=True)
class Facet:
    """A filter: the column, and the values it can have."""

    name: str
    values: Sequence[str]


@dataclass(frozen=True, slots=True)
class Known:
    """What is looked up once for each state of the tables."""

    path: Path
    attributes: Sequence[str]
    captions: Sequence[str]
    facets: Sequence[Facet]
    one_row_each: bool
    several: bool


def look_through(database: duckdb.DuckDBPyConnection, path: Path, written: Collection[str]) -> Known:
    """Return what can be filtered by; ``written`` are columns of free text."""
    columns = database.execute("DESCRIBE pictures").fetchall()
    # Groups are texts of few values; numbers and probabilities are nothing to choose from, and captions are read.
    texts = [str(name) for name, kind, *_ in columns if name not in _FIXED and kind == "VARCHAR"]
    captions = [name for name in texts if name in written]
    attributes = [facet for facet in (_facet(database, name) for name in texts if name not in written) if facet.values]
    query = "SELECT count(*), count(DISTINCT picture) FROM pictures"
    ((rows, pictures),) = database.execute(query).fetchall()
    facets = [*(_facet(database, name) for name in _FACETS), *attributes]
    several = len(next(facet.values for facet in facets if facet.name == "annotator")) > 1
    return Known(path, [facet.name for facet in attributes], captions, facets, rows == pictures, several)


def find_pictures(database: duckdb.DuckDBPyConnection, known: Known, wanted: Mapping[str, str]) -> None:
    """Put the places of the pictures that a filter leaves into the table ``fitting``."""
    names = (*_FACETS, _PROMPT, *known.attributes)
    chosen = {name: value for name, value in wanted.items() if name in names and value}
    tests = [f'CAST("{name}" AS VARCHAR) = ?' for name in chosen]
    values: list[Any] = [*chosen.values()]
    with contextlib.suppress(ValueError):
        if wanted.get(UNSURE):
            values.append(float(wanted[UNSURE]) / 100)
            tests.append(f"{SURE} < ?")
    if wanted.get(WORDS):
        values.append(wanted[WORDS])
        tests.append(f"contains(lower(CAST({_PROMPT} AS VARCHAR)), lower(?))")
    if wanted.get(DISAGREED):
        tests.append(DISAGREED)
    # Of several rows about a picture the first that fits stands for it.
    grouped = "min(place) AS place FROM pictures WHERE {} GROUP BY picture"
    query = grouped if tests and not known.one_row_each else "place FROM pictures WHERE {}"
    where = " AND ".join(tests) or "place = picture"
    database.execute(f"CREATE TEMP TABLE fitting AS SELECT {query.format(where)}", values)


def _facet(database: duckdb.DuckDBPyConnection, name: str) -> Facet:
    query = f'SELECT DISTINCT CAST("{name}" AS VARCHAR) AS value FROM pictures WHERE "{name}" IS NOT NULL'
    values = database.execute(f"{query} ORDER BY value LIMIT {MOST_VALUES + 1}").fetchall()
    # Captions have too many values to choose from.
    return Facet(name, [value for (value,) in values] if len(values) <= MOST_VALUES else [])

"""Collections of stereotypes that others published: rows of a CSV become edges, by a mapping of columns and names."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError, did_you_mean
from portrayal.graph.typed_graph import Edge, Key, Schema, Vertex
from portrayal.inputfile import read_text

__all__ = ["Collected", "Columns", "read_collection", "read_names"]


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns hold the two ends of an edge, by kind, and its type; a type that is the same for all is ``type``.

    ``source`` names a column whose text says who says so, such as an annotator or a region.
    """

    ends: Mapping[str, str]
    type_column: str = ""
    type: str = ""
    source: str = ""


@dataclass(frozen=True)
class Collected:
    """The edges, and how often each name that is no vertex stood in a row that was left out."""

    edges: Sequence[Edge]
    unknown: Mapping[tuple[str, str], int] = field(default_factory=dict)


def read_names(path: Path, vertices: Sequence[Vertex]) -> dict[str, str]:
    """Return what names of a collection mean, from a CSV with the columns ``name`` and ``vertex``."""
    known = {vertex.name.casefold() for vertex in vertices}
    meant: dict[str, str] = {}
    for row in read_csv(path, ["name", "vertex"]):
        if row["vertex"].casefold() not in known:
            hint = did_you_mean(row["vertex"], [vertex.name for vertex in vertices]).partition("; known:")[0]
            raise InputError(f"{row.where}: column 'vertex' names no vertex: {row['vertex']!r}{hint}")
        meant[row["name"].casefold()] = row["vertex"]
    return meant


def read_collection(
    path: Path, columns: Columns, vertices: Sequence[Vertex], schema: Schema, names: Mapping[str, str] | None = None
) -> Collected:
    """Return the edges of a file; rows about what is no vertex are counted and left out.

    A name is that of a vertex, its title, or one that ``names`` maps to a vertex. Rows that say the same become one
    edge with all its sources. Edges lead from the first kind to the second.
    """
    header, rows = _rows(path)
    for name in filter(None, (*columns.ends.values(), columns.type_column, columns.source)):
        if name not in header:
            raise InputError(f"{path}: no column {name!r}{did_you_mean(name, header)}")
    known = _known(vertices, names or {})
    unknown = Counter[tuple[str, str]]()
    sources: dict[tuple[Key, str, Key], list[str]] = {}
    for row in rows:
        ends = {kind: known.get((kind, row[column].casefold())) for kind, column in columns.ends.items()}
        if missing := [kind for kind, key in ends.items() if key is None]:
            unknown.update((kind, row[columns.ends[kind]]) for kind in missing)
            continue
        first, second = (end for end in ends.values() if end is not None)
        name = row[columns.type_column] if columns.type_column else columns.type
        schema.check(row.where, [Edge(first, name, second)])
        said = row[columns.source] if columns.source else path.name
        sources.setdefault((first, name, second), []).append(" ".join(said.split()) or path.name)
    edges = [Edge(*triple, sources=tuple(dict.fromkeys(said))) for triple, said in sources.items()]
    return Collected(edges, dict(unknown.most_common()))


def _rows(path: Path) -> tuple[list[str], list[CsvRow]]:
    """Return the columns and rows of a file, which may have any columns and lines of any length."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        lines = [(reader.line_num, line) for line in reader if line]
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not a CSV file: {error}") from None
    cells = ((number, {name: cell.strip() for name, cell in zip(header, line, strict=False)}) for number, line in lines)
    return header, [CsvRow(f"{path}:{number}", row) for number, row in cells]


def _known(vertices: Sequence[Vertex], names: Mapping[str, str]) -> dict[tuple[str, str], Key]:
    keys: dict[tuple[str, str], Key] = {}
    by_name = {(vertex.kind, vertex.name.casefold()): vertex.key for vertex in vertices}
    for known in vertices:
        keys[known.kind, known.title.casefold()] = known.key
    keys |= by_name
    for kind in dict.fromkeys(known.kind for known in vertices):
        for name, vertex in names.items():
            if (kind, vertex.casefold()) in by_name:
                keys[kind, name] = by_name[kind, vertex.casefold()]
    return keys

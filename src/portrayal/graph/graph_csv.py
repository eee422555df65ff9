"""Graphs as two CSV tables, as graph databases load them: vertices with an id each, and edges between ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from portrayal.csvfile import CsvRow, csv_text, read_csv
from portrayal.errors import InputError, did_you_mean
from portrayal.graph.typed_graph import Edge, Key, Vertex

__all__ = [
    "EDGE_COLUMNS",
    "VERTEX_COLUMNS",
    "edge_csv",
    "edge_values",
    "id_of",
    "key_of",
    "read_edges",
    "read_vertices",
    "vertex_csv",
]

VERTEX_COLUMNS = ("id", "kind", "name", "title", "group", "code")
EDGE_COLUMNS = ("source", "type", "target")
NUMBERS = ("value", "low", "high", "intensity")
_MORE = ("metric", *NUMBERS, "n", "uncertain", "sources")
_YES = {"true": True, "false": False, "": False}


def id_of(key: Key) -> str:
    """Return the id of a vertex.

    >>> id_of(Key("occupation", "sushi chef"))
    'occupation:sushi chef'
    """
    return f"{key.kind}:{key.name}"


def key_of(text: str) -> Key:
    """Return the vertex of an id; a kind has no colon."""
    kind, _, name = text.partition(":")
    return Key(kind, name)


def edge_values(edge: Edge) -> dict[str, str]:
    """Return what speaks for an edge as texts, what is not known being empty; numbers keep all their digits."""
    numbers = {name: "" if (value := getattr(edge, name)) is None else repr(float(value)) for name in NUMBERS}
    count = "" if edge.n is None else str(edge.n)
    told = {"uncertain": "true" if edge.uncertain else "false", "sources": "\n".join(edge.sources)}
    return {"metric": edge.metric, **numbers, "n": count, **told}


def vertex_csv(vertices: Iterable[Vertex]) -> str:
    """Return the table of vertices."""
    rows = ([id_of(one.key), one.kind, one.name, one.title, one.group, one.code] for one in vertices)
    return csv_text(VERTEX_COLUMNS, rows)


def edge_csv(edges: Iterable[Edge]) -> str:
    """Return the table of edges."""
    rows = ([id_of(edge.source), edge.type, id_of(edge.target), *edge_values(edge).values()] for edge in edges)
    return csv_text((*EDGE_COLUMNS, *_MORE), rows)


def read_vertices(path: Path) -> list[Vertex]:
    """Return the vertices of a table."""
    return [Vertex(*(row[column] for column in VERTEX_COLUMNS[1:])) for row in read_csv(path, VERTEX_COLUMNS)]


def read_edges(path: Path, vertices: Mapping[Key, Vertex]) -> list[tuple[str, Edge]]:
    """Return the edges of a table with where each stands, or say which line names no vertex."""
    return [(row.where, _edge(row, vertices)) for row in read_csv(path, EDGE_COLUMNS, _MORE)]


def _edge(row: CsvRow, vertices: Mapping[Key, Vertex]) -> Edge:
    if row["uncertain"] not in _YES:
        raise InputError(f"{row.where}: column 'uncertain' is true or false, got {row['uncertain']!r}")
    numbers = {name: row.number(name) if row[name] else None for name in NUMBERS}
    return Edge(
        _end(row, "source", vertices),
        row["type"],
        _end(row, "target", vertices),
        row["metric"],
        **numbers,
        n=int(row.number("n")) if row["n"] else None,
        uncertain=_YES[row["uncertain"]],
        sources=tuple(row["sources"].splitlines()),
    )


def _end(row: CsvRow, column: str, vertices: Mapping[Key, Vertex]) -> Key:
    key = key_of(row[column])
    if key not in vertices:
        hint = did_you_mean(row[column], map(id_of, vertices)).partition("; known:")[0]
        raise InputError(f"{row.where}: column '{column}' names no vertex: {row[column]!r}{hint}")
    return key

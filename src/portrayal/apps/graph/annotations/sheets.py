"""Sheets that people fill in: one row for each pair of vertices and direction, with the relations they see.

A sheet is a CSV. An empty cell says that there is no relation; a row that is left out says nothing about its pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.csvfile import CsvRow, csv_text, read_csv
from portrayal.errors import InputError, did_you_mean
from portrayal.graph.typed_graph import Key, Schema, Vertex

__all__ = ["Pair", "Sheet", "pairs", "read_sheet", "sheet_csv"]

_RELATION, _DIRECTION, _COMMENT = "relation", "direction", "comment"
Pair = tuple[Key, Key]
"""Where a relation begins, and where it ends."""


@dataclass(frozen=True)
class Sheet:
    """What one annotator says: of each pair they judged, the types of relation they see, perhaps none."""

    annotator: str
    judged: Mapping[Pair, frozenset[str]]


def pairs(vertices: Sequence[Vertex], schema: Schema) -> Iterator[Pair]:
    """Yield every pair of vertices that can have a relation, direction by direction."""
    by_kind: dict[str, list[Key]] = {}
    for vertex in vertices:
        by_kind.setdefault(vertex.kind, []).append(vertex.key)
    for direction in schema.directions:
        start, _, end = direction.partition("_to_")
        yield from ((source, target) for source in by_kind.get(start, ()) for target in by_kind.get(end, ()))


def sheet_csv(vertices: Sequence[Vertex], schema: Schema, sheet: Sheet | None = None) -> str:
    """Return a sheet to fill in, or one that is filled in: the relations of a cell stand with ; between them."""
    rows = []
    for pair in pairs(vertices, schema):
        if sheet is None or pair in sheet.judged:
            names = {end.kind: end.name for end in pair}
            seen = sheet.judged[pair] if sheet else frozenset[str]()
            cells = [names[kind] for kind in schema.kinds]
            rows.append([_direction(pair), *cells, "; ".join(sorted(seen)), ""])
    return csv_text([_DIRECTION, *schema.kinds, _RELATION, _COMMENT], rows)


def read_sheet(path: Path, annotator: str, vertices: Sequence[Vertex], schema: Schema) -> Sheet:
    """Return a sheet, or name the row and the column that cannot be understood."""
    rows = read_csv(path, [_DIRECTION, *schema.kinds, _RELATION], [_COMMENT])
    known = {
        kind: {vertex.name.casefold(): vertex.name for vertex in vertices if vertex.kind == kind}
        for kind in schema.kinds
    }
    judged: dict[Pair, frozenset[str]] = {}
    lines: dict[Pair, str] = {}
    for row in rows:
        pair = _pair(row, known, schema)
        if pair in lines:
            raise InputError(f"{row.where}: this pair stands already at {lines[pair]}; keep one row")
        lines[pair] = row.where
        judged[pair] = _relations(row, pair, schema)
    return Sheet(annotator, judged)


def _pair(row: CsvRow, known: Mapping[str, Mapping[str, str]], schema: Schema) -> Pair:
    if row[_DIRECTION] not in schema.directions:
        hint = did_you_mean(row[_DIRECTION], schema.directions)
        raise InputError(f"{row.where}: column '{_DIRECTION}': no direction {row[_DIRECTION]!r}{hint}")
    ends: dict[str, Key] = {}
    for kind in schema.kinds:
        name = known[kind].get(row[kind].casefold())
        if name is None:
            hint = did_you_mean(row[kind], known[kind].values()).partition("; known:")[0]
            raise InputError(f"{row.where}: column '{kind}': no {kind} {row[kind]!r}{hint}")
        ends[kind] = Key(kind, name)
    start, _, end = row[_DIRECTION].partition("_to_")
    return ends[start], ends[end]


def _relations(row: CsvRow, pair: Pair, schema: Schema) -> frozenset[str]:
    seen = [name.strip() for name in row[_RELATION].split(";") if name.strip()]
    possible = [name for name, ways in schema.types.items() if _direction(pair) in ways]
    for name in seen:
        if name not in possible:
            why = f"no relation {name!r}{did_you_mean(name, possible)}"
            if name in schema.types:
                why = f"{name} does not lead from {pair[0].kind} to {pair[1].kind}; possible: {', '.join(possible)}"
            raise InputError(f"{row.where}: column '{_RELATION}': {why}")
        if seen.count(name) > 1:
            raise InputError(f"{row.where}: column '{_RELATION}': {name} stands there twice")
    for one, other in schema.opposed(seen):
        raise InputError(f"{row.where}: column '{_RELATION}': {one} and {other} contradict one another; keep one")
    return frozenset(seen)


def _direction(pair: Pair) -> str:
    return f"{pair[0].kind}_to_{pair[1].kind}"

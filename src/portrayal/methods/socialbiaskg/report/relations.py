"""The method's own tables as the section reads them: edges by graph, with what was tested for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from portrayal.graph import Edge, Graph, Key, Triple, Vertex
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.reports.data import ReportData

__all__ = ["NAME", "EdgeRow", "Relations", "Row", "read_relations", "row_triple"]

NAME = "socialbiaskg"
Row = Mapping[str, Any]


@dataclass(frozen=True)
class EdgeRow:
    """An edge of one generator: all metrics that were tested, the one that decides first."""

    triple: Triple
    generator: str
    major: str
    annotated: bool
    found: bool | None
    tests: Sequence[Row]

    @property
    def decides(self) -> Row | None:
        """The metric that decides; None: none is known."""
        return self.tests[0] if self.tests[0]["decides"] else None

    @property
    def uncertain(self) -> bool:
        """Whether other images might have said the contrary, or nobody knows whether they might."""
        return bool(self.decides and self.decides["uncertain"])

    @property
    def intensity(self) -> float:
        """How far beyond its threshold the deciding metric lies; 0 where there is no edge."""
        return float(self.decides["intensity"] or 0.0) if self.decides and self.found else 0.0

    @property
    def share(self) -> float | None:
        """How often the group is seen at the occupation, for relations whose rule is not about the group at all."""
        return self.tests[0]["group_share"] if self.triple.type in ("stereotyped_as", "associated_with") else None

    @property
    def ends(self) -> tuple[str, str]:
        """The occupation and the group."""
        names = {end.kind == OCCUPATION: end.name for end in self.triple.ends}
        return names[True], names[False]


@dataclass(frozen=True)
class Relations:
    """All that the tables hold."""

    vertices: Sequence[Vertex]
    german: Mapping[Key, str]
    """What vertices are called in German, where the tables of vertices say it."""
    people: Mapping[Triple, Sequence[str]]
    """People's edges, and who sees each."""
    edges: Mapping[str, Sequence[EdgeRow]]
    """Generator to its edges."""
    differences: Sequence[Row]
    contradictions: Sequence[Row]
    ranks: Sequence[Row]
    unique: Sequence[Row] = ()

    @cached_property
    def contrary(self) -> Mapping[tuple[str, Triple], Sequence[Triple]]:
        """Generator and edge of people to the contrary edges that the model has."""
        contrary: dict[tuple[str, Triple], list[Triple]] = {}
        for row in self.contradictions:
            people = row_triple(row)
            same_way = row["model_direction"] == people.direction
            ends = (people.source, people.target) if same_way else (people.target, people.source)
            contrary.setdefault((row["generator"], people), []).append(Triple(ends[0], row["model_type"], ends[1]))
        return contrary

    def graph(self, generator: str) -> Graph:
        """Return what a model has of people's edges, and what it has besides."""
        return Graph(generator, self.vertices, [_edge(row) for row in self.edges[generator] if row.found])

    def people_graph(self) -> Graph:
        """Return people's graph."""
        edges = [Edge(*triple, sources=tuple(sources)) for triple, sources in self.people.items()]
        return Graph("people", self.vertices, edges)


def row_triple(row: Row) -> Triple:
    """Return the edge that a row of any table is about."""
    return Triple(Key(row["source_kind"], row["source"]), row["type"], Key(row["target_kind"], row["target"]))


def read_relations(data: ReportData) -> Relations | None:
    """Return what the tables hold, or None when there are none."""
    tables = {name: data.own_rows.get(f"{NAME}.{name}", ()) for name in TABLES}
    if not tables["tests"]:
        return None
    edges: dict[str, dict[Triple, list[Row]]] = {}
    for row in tables["tests"]:
        edges.setdefault(row["generator"], {}).setdefault(row_triple(row), []).append(row)
    return Relations(
        [Vertex(**{name: row[name] for name in _VERTEX}) for row in tables["vertices"]],
        {Key(row["kind"], row["name"]): row["title_de"] for row in tables["vertices"] if row["title_de"]},
        people={row_triple(row): row["sources"] or () for row in tables["people"]},
        edges={who: [_edge_row(who, triple, rows) for triple, rows in tested.items()] for who, tested in edges.items()},
        differences=tables["differences"],
        contradictions=tables["contradictions"],
        ranks=tables["ranks"],
        unique=tables["unique"],
    )


_VERTEX = ("kind", "name", "title", "group", "code")
TABLES = ("tests", "people", "vertices", "differences", "contradictions", "ranks", "unique")


def _edge_row(generator: str, triple: Triple, rows: Sequence[Row]) -> EdgeRow:
    first = rows[0]
    ordered = sorted(rows, key=lambda row: not row["decides"])
    return EdgeRow(
        triple, generator, major=first["major"], annotated=first["annotated"], found=first["found"], tests=ordered
    )


def _edge(edge: EdgeRow) -> Edge:
    row = edge.decides
    assert row is not None
    source, name, target = edge.triple
    bounds = (row["value"], row["low"], row["high"], row["n"], row["intensity"], row["uncertain"])
    return Edge(source, name, target, row["metric"], *bounds)

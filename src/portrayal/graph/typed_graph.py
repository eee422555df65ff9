"""The nouns: vertices of several kinds, edges with what speaks for them, and which edges are possible at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from portrayal.errors import InputError, did_you_mean

__all__ = ["Edge", "Graph", "Key", "Schema", "Triple", "Vertex"]


class Key(NamedTuple):
    """What a vertex is known by: its kind, and its name among those of the kind."""

    kind: str
    name: str


class Triple(NamedTuple):
    """What makes two edges the same: where they begin, their type, and where they end."""

    source: Key
    type: str
    target: Key

    @property
    def direction(self) -> str:
        """From which kind to which.

        >>> Triple(Key("occupation", "judge"), "dominant_in", Key("race", "white")).direction
        'occupation_to_race'
        """
        return f"{self.source.kind}_to_{self.target.kind}"

    @property
    def ends(self) -> frozenset[Key]:
        """The two vertices, whichever way the edge leads."""
        return frozenset((self.source, self.target))


@dataclass(frozen=True, slots=True)
class Vertex:
    """A vertex; ``title`` is what people read, ``group`` a wider class it belongs to, ``code`` one of a standard."""

    kind: str
    name: str
    title: str = ""
    group: str = ""
    code: str = ""

    @property
    def key(self) -> Key:
        """What it is known by."""
        return Key(self.kind, self.name)


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge and what speaks for it.

    ``value``, ``low`` and ``high`` are of ``metric``, seen in ``n`` images; ``intensity`` says how far the value lies
    beyond its threshold, from 0 at the threshold to 1 at the end of the scale. ``uncertain``: the interval holds the
    threshold, or a metric has none. ``sources`` are those who say so: annotators, or where it is printed.
    """

    source: Key
    type: str
    target: Key
    metric: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    intensity: float | None = None
    uncertain: bool = False
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(source.splitlines()) != 1 for source in self.sources):
            raise InputError(f"a source of an edge is one line, not one of {list(self.sources)}")

    @property
    def triple(self) -> Triple:
        """What makes it the same edge as one of another graph."""
        return Triple(self.source, self.type, self.target)


@dataclass(frozen=True)
class Graph:
    """Vertices and edges, each vertex and each triple once, and every edge between vertices that are there."""

    name: str
    vertices: Sequence[Vertex]
    edges: Sequence[Edge]

    def __post_init__(self) -> None:
        known = set[Key]()
        for vertex in self.vertices:
            if vertex.key in known:
                raise InputError(f"graph {self.name!r}: {vertex.kind} {vertex.name!r} stands there twice; keep one")
            known.add(vertex.key)
        seen = set[Triple]()
        for edge in self.edges:
            for end in (edge.source, edge.target):
                if end not in known:
                    raise InputError(f"graph {self.name!r}: an edge needs {end.kind} {end.name!r}, which is not there")
            if edge.triple in seen:
                raise InputError(f"graph {self.name!r}: {words(edge.triple)} stands there twice; keep one")
            seen.add(edge.triple)

    def ordered(self) -> Graph:
        """Return the same graph with vertices, edges and the sources of each in alphabetical order."""
        edges = [replace(edge, sources=tuple(sorted(edge.sources))) for edge in self.edges]
        return Graph(
            self.name, sorted(self.vertices, key=lambda item: item.key), sorted(edges, key=lambda item: item.triple)
        )

    @cached_property
    def by_triple(self) -> Mapping[Triple, Edge]:
        """The edges by what makes them the same."""
        return {edge.triple: edge for edge in self.edges}

    @cached_property
    def by_key(self) -> Mapping[Key, Vertex]:
        """The vertices by what they are known by."""
        return {vertex.key: vertex for vertex in self.vertices}


def words(triple: Triple) -> str:
    """Return a triple for a message."""
    return f"{triple.source.name} {triple.type} {triple.target.name}"


@dataclass(frozen=True)
class Schema:
    """Which edges are possible: the types, each with its directions, and types that contradict one another."""

    types: Mapping[str, Sequence[str]]
    opposites: Sequence[tuple[str, str]] = ()
    kinds: Sequence[str] = field(default=("occupation", "race"))

    @property
    def directions(self) -> list[str]:
        """All directions, in the order in which types name them."""
        return list(dict.fromkeys(direction for ways in self.types.values() for direction in ways))

    @property
    def parts(self) -> list[tuple[str, str]]:
        """All edges, ``("", "")``, then every type in each of its directions."""
        return [("", ""), *((name, way) for name, ways in self.types.items() for way in ways)]

    def opposed(self, types: Iterable[str]) -> list[tuple[str, str]]:
        """Return which of these types contradict one another."""
        return [pair for pair in self.opposites if set(pair) <= set(types)]

    def check(self, where: str, edges: Iterable[Edge]) -> None:
        """Refuse an edge whose type is not known or does not lead that way, or whose numbers contradict one another."""
        for edge in edges:
            if edge.type not in self.types:
                raise InputError(f"{where}: no relation {edge.type!r}{did_you_mean(edge.type, self.types)}")
            if edge.triple.direction not in self.types[edge.type]:
                ways = " or ".join(way.replace("_", " ") for way in self.types[edge.type])
                raise InputError(f"{where}: {words(edge.triple)}: {edge.type} leads only from {ways}")
            if why := _wrong_numbers(edge):
                raise InputError(f"{where}: {words(edge.triple)}: {why}")


def _wrong_numbers(edge: Edge) -> str:
    known = [(name, value) for name in ("low", "value", "high") if (value := getattr(edge, name)) is not None]
    for (less, first), (more, second) in pairwise(known):
        if first > second:
            return f"{less} {first:g} is more than {more} {second:g}"
    if edge.intensity is not None and not 0 <= edge.intensity <= 1:
        return f"intensity {edge.intensity:g} does not lie from 0 to 1"
    return f"n {edge.n} is less than 0" if edge.n is not None and edge.n < 0 else ""

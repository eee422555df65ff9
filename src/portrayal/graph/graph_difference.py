"""How graphs differ. Vertices have names, so nothing has to be matched: two graphs differ by edges that one has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from portrayal.graph.typed_graph import Edge, Graph, Triple

__all__ = ["Difference", "compare", "edge_shares", "intensity_ranks", "shared_by_all", "unique_to_one"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two sets of edges: those of both, and those of one. ``contradictory`` are pairs of opposite edges, first's first.

    Edges are opposite when they join the same two vertices, whichever way, and their types contradict one another.
    """

    shared: Sequence[Triple]
    first_only: Sequence[Triple]
    second_only: Sequence[Triple]
    contradictory: Sequence[tuple[Triple, Triple]] = ()

    @property
    def distance(self) -> int:
        """The fewest edges to add or to remove until both are the same."""
        return len(self.first_only) + len(self.second_only)

    @property
    def jaccard(self) -> float | None:
        """The share of all edges that both have; None where neither has any."""
        total = len(self.shared) + self.distance
        return len(self.shared) / total if total else None

    def of(self, keep: Callable[[Triple], bool]) -> Difference:
        """Return the same for some of the edges, such as those of one type; a contradiction counts by its first."""
        shared, mine, theirs = (
            tuple(filter(keep, triples)) for triples in (self.shared, self.first_only, self.second_only)
        )
        return Difference(shared, mine, theirs, tuple(pair for pair in self.contradictory if keep(pair[0])))

    def of_type(self, name: str, direction: str) -> Difference:
        """Return the same for the edges of a type in a direction; of all where both are empty."""
        return self.of(lambda triple: not name or (triple.type, triple.direction) == (name, direction))


def compare(first: Graph, second: Graph, opposites: Iterable[tuple[str, str]] = ()) -> Difference:
    """Return how two graphs differ; edges stand in the order of their graph."""
    mine, theirs = first.by_triple, second.by_triple
    return Difference(
        tuple(triple for triple in mine if triple in theirs),
        tuple(triple for triple in mine if triple not in theirs),
        tuple(triple for triple in theirs if triple not in mine),
        tuple(_contradictions(mine, theirs, opposites)),
    )


def _contradictions(
    mine: Iterable[Triple], theirs: Iterable[Triple], opposites: Iterable[tuple[str, str]]
) -> Iterable[tuple[Triple, Triple]]:
    against: dict[str, set[str]] = {}
    for one, other in opposites:
        against.setdefault(one, set()).add(other)
        against.setdefault(other, set()).add(one)
    joined: dict[tuple[object, str], list[Triple]] = {}
    for triple in theirs:
        joined.setdefault((triple.ends, triple.type), []).append(triple)
    for triple in mine:
        for opposite in sorted(against.get(triple.type, ())):
            yield from ((triple, other) for other in joined.get((triple.ends, opposite), ()))


def shared_by_all(graphs: Sequence[Graph]) -> list[Triple]:
    """Return the edges that every graph has, in the order of the first."""
    if not graphs:
        return []
    return [triple for triple in graphs[0].by_triple if all(triple in graph.by_triple for graph in graphs[1:])]


def unique_to_one(graphs: Sequence[Graph]) -> dict[str, list[Triple]]:
    """Return for each graph, by name, the edges that no other has."""
    owners = Counter(triple for graph in graphs for triple in graph.by_triple)
    return {graph.name: [triple for triple in graph.by_triple if owners[triple] == 1] for graph in graphs}


def intensity_ranks(graphs: Sequence[Graph]) -> dict[Triple, dict[str, float]]:
    """Return the rank of each graph on every edge that all share and whose intensity all know: 1 is the strongest.

    Intensities of different metrics say different things, so an edge counts only where one metric decides in all
    graphs. Graphs that are equally strong share the mean of their ranks.
    """
    from scipy.stats import rankdata  # takes a moment to load, and much memory

    by_triple: dict[Triple, dict[str, float]] = {}
    for triple in shared_by_all(graphs):
        known = {graph.name: graph.by_triple[triple].intensity for graph in graphs}
        values = [value for value in known.values() if value is not None]
        if len(values) == len(known) and len({graph.by_triple[triple].metric for graph in graphs}) == 1:
            ranks = rankdata([-value for value in values], method="average")
            by_triple[triple] = dict(zip(known, map(float, ranks), strict=True))
    return by_triple


def edge_shares(edges: Sequence[Edge], part: Callable[[Edge], str]) -> Mapping[str, float]:
    """Return which share of the edges belongs to each part, such as a vertex or a group of them; the largest first.

    >>> from portrayal.graph.typed_graph import Key
    >>> ceo, judge, white = Key("occupation", "CEO"), Key("occupation", "judge"), Key("race", "white")
    >>> edges = [Edge(ceo, "dominant_in", white), Edge(judge, "dominant_in", white), Edge(white, "dominant_in", ceo)]
    >>> edge_shares(edges, lambda edge: edge.source.kind)
    {'occupation': 0.6666666666666666, 'race': 0.3333333333333333}
    """
    counts = Counter(map(part, edges))
    return {name: count / len(edges) for name, count in counts.most_common()}

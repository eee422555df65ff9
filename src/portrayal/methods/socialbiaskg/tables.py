"""The method's own tables: what was tested for every edge, people's edges, how graphs differ, and ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace

import pyarrow as pa

from portrayal.graph import Difference, Edge, Graph, Key, Schema, Triple, Vertex, compare, intensity_ranks
from portrayal.methods.base import OwnTable
from portrayal.methods.socialbiaskg.certainty import p_value
from portrayal.methods.socialbiaskg.edges import Tested
from portrayal.methods.socialbiaskg.rules import Judged
from portrayal.methods.socialbiaskg.vertices import OCCUPATION

__all__ = ["PEOPLE", "TRIPLE", "Row", "own_tables", "triple_row"]

TOGETHER = 0.05
"""How likely any of people's edges may be said to be there, or not to be, that lies at its threshold."""
PEOPLE = "people"
"""What people's graph is called beside those of generators."""
TRIPLE = [(name, pa.string()) for name in ("source_kind", "source", "type", "target_kind", "target")]
_TESTS = pa.schema(
    [
        ("generator", pa.string()),
        *TRIPLE,
        ("major", pa.string()),
        ("annotated", pa.bool_()),
        ("found", pa.bool_()),
        ("metric", pa.string()),
        ("decides", pa.bool_()),
        ("value", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("n", pa.int64()),
        ("missing", pa.int64()),
        ("threshold", pa.float64()),
        ("holds", pa.bool_()),
        ("untold", pa.string()),
        ("lacks", pa.string()),
        ("p", pa.float64()),
        ("sure", pa.bool_()),
        ("times", pa.float64()),
        ("even", pa.float64()),
        ("rarer", pa.bool_()),
        ("uncertain", pa.bool_()),
        ("intensity", pa.float64()),
        ("found_lower", pa.bool_()),
        ("found_higher", pa.bool_()),
        ("group_share", pa.float64()),
        ("occupation_told", pa.bool_()),
        ("images", pa.list_(pa.string())),
    ]
)
_VERTICES = pa.schema([(name, pa.string()) for name in ("kind", "name", "title", "group", "code", "title_de")])
_PEOPLE = pa.schema([*TRIPLE, ("major", pa.string()), ("sources", pa.list_(pa.string()))])
_DIFFERENCES = pa.schema(
    [
        ("first", pa.string()),
        ("second", pa.string()),
        ("type", pa.string()),
        ("direction", pa.string()),
        ("compared", pa.int64()),
        ("untested", pa.int64()),
        ("shared", pa.int64()),
        ("first_only", pa.int64()),
        ("second_only", pa.int64()),
        ("contradictory", pa.int64()),
        ("jaccard", pa.float64()),
        ("distance", pa.int64()),
    ]
)
_CONTRADICTIONS = pa.schema(
    [("generator", pa.string()), *TRIPLE, ("model_type", pa.string()), ("model_direction", pa.string())]
)
_RANKS = pa.schema(
    [
        *TRIPLE,
        ("metric", pa.string()),
        ("generator", pa.string()),
        ("intensity", pa.float64()),
        ("rank", pa.float64()),
    ]
)
Row = dict[str, object]
Triples = frozenset[Triple]


def own_tables(
    tested: Mapping[str, Sequence[Tested]],
    people: Graph,
    graphs: Mapping[str, Graph],
    whole: Mapping[str, Graph],
    schema: Schema,
    german: Mapping[Key, str],
) -> Iterator[OwnTable]:
    """Yield the tables; ``graphs`` are of edges that people see too, ``whole`` of all that models have;
    ``german`` is what vertices are called in German.

    Graphs are compared on people's edges of which it could be told of both whether they have them: what could not be
    tested is not absent.
    """
    level = _sure_from(one for own in tested.values() for one in own)
    tests = [row for name, own in tested.items() for one in own for row in _test_rows(name, one, people.by_key, level)]
    yield OwnTable("tests", pa.Table.from_pylist(tests, _TESTS))
    vertices = [{**asdict(own), "title_de": german.get(own.key, "")} for own in people.vertices]
    yield OwnTable("vertices", pa.Table.from_pylist(vertices, _VERTICES))
    yield OwnTable("people", pa.Table.from_pylist([_person_row(own, people) for own in people.edges], _PEOPLE))
    told = {
        name: frozenset(one.triple for one in own if one.annotated and one.found is not None)
        for name, own in tested.items()
    }
    differences = list(_difference_rows(people, graphs, whole, told, schema))
    yield OwnTable("differences", pa.Table.from_pylist(differences, _DIFFERENCES))
    contradictions = [
        {"generator": name, **triple_row(one), "model_type": other.type, "model_direction": other.direction}
        for name, own in whole.items()
        for one, other in compare(people, own, schema.opposites).contradictory
    ]
    yield OwnTable("contradictions", pa.Table.from_pylist(contradictions, _CONTRADICTIONS))
    yield OwnTable("ranks", pa.Table.from_pylist(list(_rank_rows(graphs)), _RANKS))


def triple_row(triple: Triple) -> Row:
    """Return the columns that say which edge a row is about."""
    source, name, target = triple
    return {
        "source_kind": source.kind,
        "source": source.name,
        "type": name,
        "target_kind": target.kind,
        "target": target.name,
    }


def _major(triple: Triple, vertices: Mapping[Key, Vertex]) -> str:
    return next(vertices[end].group for end in triple.ends if end.kind == OCCUPATION)


def _sure_from(tested: Iterable[Tested]) -> float:
    """Return the p-value from which on it is sure what people's edges are, all of them and all models together."""
    told = sum(not one.untold() for own in tested if own.annotated for one in own.metrics)
    return TOGETHER / max(told, 1)


def _test_rows(generator: str, own: Tested, vertices: Mapping[Key, Vertex], level: float) -> Iterator[Row]:
    moved = own.moved
    for one in own.metrics:
        p, even = one.p, own.even(one.rule.metric)
        sure = p <= level if own.annotated and p is not None else None
        yield {
            "generator": generator,
            **triple_row(own.triple),
            "major": _major(own.triple, vertices),
            "annotated": own.annotated,
            "found": own.found,
            "metric": one.rule.metric,
            "decides": one is own.decides,
            "value": one.value,
            "low": one.low,
            "high": one.high,
            "n": one.n,
            "missing": own.missing[one.rule.metric],
            "threshold": one.threshold,
            "holds": one.holds,
            "untold": one.untold(),
            "lacks": own.lacks[one.rule.metric],
            "p": p,
            "sure": sure,
            "times": one.times(1 - level) if sure is False else None,
            "even": even,
            "rarer": _rarer(one, even, level),
            "uncertain": one.uncertain,
            "intensity": one.intensity,
            "found_lower": moved["lower"],
            "found_higher": moved["higher"],
            "group_share": own.share,
            "occupation_told": own.occupation_told,
            "images": [f"{key:016x}" for key in own.images[one.rule.metric].tolist()],
        }


def _rarer(own: Judged, even: float | None, level: float) -> bool | None:
    """Return whether a group is surely rarer than in an even model; None: such a model has no such edge."""
    if even is None or own.value is None or own.certainty is None:
        return None
    return own.value < even and p_value(own.certainty, even) <= level


def _person_row(edge: Edge, people: Graph) -> Row:
    return {**triple_row(edge.triple), "major": _major(edge.triple, people.by_key), "sources": list(edge.sources)}


def _within(graph: Graph, scope: Triples) -> Graph:
    return Graph(graph.name, graph.vertices, [edge for edge in graph.edges if edge.triple in scope])


def _difference_rows(
    people: Graph, graphs: Mapping[str, Graph], whole: Mapping[str, Graph], told: Mapping[str, Triples], schema: Schema
) -> Iterator[Row]:
    """Yield how people and each generator, and each two generators, differ: in all edges, and type by type."""
    known = {PEOPLE: frozenset(people.by_triple), **told}
    sides = {PEOPLE: people, **graphs}
    names = list(sides)
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            scope = known[first] & known[second]
            mine, theirs = _within(sides[first], scope), _within(sides[second], scope)
            found = replace(
                compare(mine, theirs), contradictory=compare(mine, whole[second], schema.opposites).contradictory
            )
            for name, way in schema.parts:
                of = [own for own in people.by_triple if not name or (own.type, own.direction) == (name, way)]
                compared = sum(own in scope for own in of)
                about = {"first": first, "second": second, "type": name, "direction": way, "compared": compared}
                # Where nothing could be compared nothing is known, not even that nothing differs.
                counts = _counts(found.of_type(name, way)) if compared else {}
                yield {**about, "untested": len(of) - compared, **counts}


def _counts(part: Difference) -> Row:
    return {
        "shared": len(part.shared),
        "first_only": len(part.first_only),
        "second_only": len(part.second_only),
        # An edge may have two opposite ones, one in each direction: it is counted once.
        "contradictory": len({one for one, _ in part.contradictory}),
        "jaccard": part.jaccard,
        "distance": part.distance,
    }


def _rank_rows(graphs: Mapping[str, Graph]) -> Iterator[Row]:
    for triple, ranks in intensity_ranks(list(graphs.values())).items():
        for name, rank in ranks.items():
            edge = graphs[name].by_triple[triple]
            about = {**triple_row(triple), "metric": edge.metric, "generator": name}
            yield {**about, "intensity": edge.intensity, "rank": rank}

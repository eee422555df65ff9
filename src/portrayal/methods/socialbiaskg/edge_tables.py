"""The method's own tables: tests of every edge, people's edges, how graphs differ, ranks, edges of one model alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace

import pyarrow as pa

from portrayal.graph import (
    Difference,
    Edge,
    Graph,
    Key,
    Schema,
    Triple,
    Vertex,
    compare,
    intensity_ranks,
    unique_to_one,
)
from portrayal.methods.base import OwnTable
from portrayal.methods.socialbiaskg.certainty import p_value
from portrayal.methods.socialbiaskg.edges import ModelEdges, Tested
from portrayal.methods.socialbiaskg.rules import Judged
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.records import schema_of

__all__ = ["PEOPLE", "own_tables", "unique_table"]

TOGETHER = 0.05
"""How likely any of people's edges may be said to be there, or not to be, that lies at its threshold."""
PEOPLE = "people"
"""What people's graph is called beside those of generators."""
_TRIPLE = "source_kind:text source:text type:text target_kind:text target:text"
_TESTS = schema_of(
    f"generator:text {_TRIPLE} major:text annotated:bool found:bool metric:text decides:bool value:float low:float "
    "high:float n:int missing:int threshold:float holds:bool untold:text lacks:text p:float sure:bool times:float "
    "even:float rarer:bool uncertain:bool intensity:float found_lower:bool found_higher:bool group_share:float "
    "occupation_told:bool images:texts"
)
_VERTICES = schema_of("kind:text name:text title:text group:text code:text title_de:text")
_PEOPLE = schema_of(f"{_TRIPLE} major:text sources:texts")
_DIFFERENCES = schema_of(
    "first:text second:text type:text direction:text compared:int untested:int shared:int first_only:int "
    "second_only:int contradictory:int jaccard:float distance:int"
)
_CONTRADICTIONS = schema_of(f"generator:text {_TRIPLE} model_type:text model_direction:text")
_RANKS = schema_of(f"{_TRIPLE} metric:text generator:text intensity:float rank:float")
_UNIQUE = schema_of(
    f"generator:text {_TRIPLE} annotated:bool metric:text value:float low:float high:float n:int threshold:float "
    "others:int untested:int certain:bool"
)
_BOUNDS = ("value", "low", "high", "n", "threshold")
Row = dict[str, object]
Triples = frozenset[Triple]


def own_tables(
    tested: Mapping[str, Sequence[Tested]],
    people: Graph,
    graphs: Mapping[str, Graph],
    whole: Mapping[str, Graph],
    *,
    schema: Schema,
    german: Mapping[Key, str],
) -> Iterator[OwnTable]:
    """Yield the tables; ``graphs`` are of edges that people see too, ``whole`` of all that models have;
    ``german`` is what vertices are called in German.

    Graphs are compared on people's edges of which it could be told of both whether they have them: what could not be
    tested is not absent.
    """
    level = _sure_from(one for edges in tested.values() for one in edges)
    tests = [
        row for name, edges in tested.items() for one in edges for row in _test_rows(name, one, people.by_key, level)
    ]
    yield OwnTable("tests", pa.Table.from_pylist(tests, _TESTS))
    vertices = [{**asdict(vertex), "title_de": german.get(vertex.key, "")} for vertex in people.vertices]
    yield OwnTable("vertices", pa.Table.from_pylist(vertices, _VERTICES))
    yield OwnTable("people", pa.Table.from_pylist([_person_row(edge, people) for edge in people.edges], _PEOPLE))
    told = {
        name: frozenset(one.triple for one in edges if one.annotated and one.found is not None)
        for name, edges in tested.items()
    }
    differences = list(_difference_rows(people, graphs, whole, told, schema))
    yield OwnTable("differences", pa.Table.from_pylist(differences, _DIFFERENCES))
    contradictions = [
        {"generator": name, **_triple_row(one), "model_type": other.type, "model_direction": other.direction}
        for name, graph in whole.items()
        for one, other in compare(people, graph, schema.opposites).contradictory
    ]
    yield OwnTable("contradictions", pa.Table.from_pylist(contradictions, _CONTRADICTIONS))
    yield OwnTable("ranks", pa.Table.from_pylist(list(_rank_rows(graphs)), _RANKS))


def _triple_row(triple: Triple) -> Row:
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
    told = sum(not one.untold() for edge in tested if edge.annotated for one in edge.metrics)
    return TOGETHER / max(told, 1)


def _test_rows(generator: str, edge: Tested, vertices: Mapping[Key, Vertex], level: float) -> Iterator[Row]:
    moved = edge.moved
    for one in edge.metrics:
        p, even = one.p, edge.even(one.rule.metric)
        sure = p <= level if edge.annotated and p is not None else None
        yield {
            "generator": generator,
            **_triple_row(edge.triple),
            "major": _major(edge.triple, vertices),
            "annotated": edge.annotated,
            "found": edge.found,
            "metric": one.rule.metric,
            "decides": one is edge.decides,
            **{name: getattr(one, name) for name in (*_BOUNDS, "holds", "uncertain", "intensity")},
            "missing": edge.missing[one.rule.metric],
            "untold": one.untold(),
            "lacks": edge.lacks[one.rule.metric],
            "p": p,
            "sure": sure,
            "times": one.times(1 - level) if sure is False else None,
            "even": even,
            "rarer": _rarer(one, even, level),
            "found_lower": moved["lower"],
            "found_higher": moved["higher"],
            "group_share": edge.share,
            "occupation_told": edge.occupation_told,
            "images": [f"{key:016x}" for key in edge.images[one.rule.metric].tolist()],
        }


def _rarer(judged: Judged, even: float | None, level: float) -> bool | None:
    """Return whether a group is surely rarer than in an even model; None: such a model has no such edge."""
    if even is None or judged.value is None or judged.certainty is None:
        return None
    return judged.value < even and p_value(judged.certainty, even) <= level


def _person_row(edge: Edge, people: Graph) -> Row:
    return {**_triple_row(edge.triple), "major": _major(edge.triple, people.by_key), "sources": list(edge.sources)}


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
            difference = replace(
                compare(mine, theirs), contradictory=compare(mine, whole[second], schema.opposites).contradictory
            )
            for name, way in schema.parts:
                of = [
                    triple for triple in people.by_triple if not name or (triple.type, triple.direction) == (name, way)
                ]
                compared = sum(triple in scope for triple in of)
                about = {"first": first, "second": second, "type": name, "direction": way, "compared": compared}
                # Where nothing could be compared nothing is known, not even that nothing differs.
                counts = _counts(difference.of_type(name, way)) if compared else {}
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
            about = {**_triple_row(triple), "metric": edge.metric, "generator": name}
            yield {**about, "intensity": edge.intensity, "rank": rank}


def unique_table(models: Mapping[str, ModelEdges], whole: Mapping[str, Graph]) -> OwnTable:
    """Return the edges that one model has and no other: ``others`` could be tested and do not have it.

    Of ``untested`` others it cannot be told. ``certain``: neither its own interval nor that of any other holds the
    threshold. Of a single model nothing is unique.
    """
    rows = list(_unique_rows(models, unique_to_one(list(whole.values())))) if len(models) > 1 else []
    return OwnTable("unique", pa.Table.from_pylist(rows, _UNIQUE))


def _unique_rows(models: Mapping[str, ModelEdges], unique: Mapping[str, list[Triple]]) -> Iterator[Row]:
    for name, triples in unique.items():
        for triple in triples:
            mine = models[name].of(triple)
            others = [model.of(triple) for other, model in models.items() if other != name]
            told = [edge for edge in others if edge.found is not None]
            judged = mine.decides
            assert judged is not None
            yield {
                "generator": name,
                **_triple_row(triple),
                "annotated": mine.annotated,
                "metric": judged.rule.metric,
                **{name: getattr(judged, name) for name in _BOUNDS},
                "others": len(told),
                "untested": len(others) - len(told),
                "certain": len(told) == len(others) and not any(map(_uncertain, (mine, *told))),
            }


def _uncertain(edge: Tested) -> bool:
    return edge.decides is None or edge.decides.uncertain

"""Graphs are compared on what could be told of both, and what could not be tested is not absent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from portrayal.graph import Edge, Graph, Key, Vertex
from portrayal.methods.socialbiaskg import edges
from portrayal.methods.socialbiaskg.certainty import Share
from portrayal.methods.socialbiaskg.edge_tables import own_tables
from portrayal.methods.socialbiaskg.rules import Judged, rules
from portrayal.methods.socialbiaskg.vertices import schema

CEO, WHITE = Key("occupation", "CEO"), Key("race", "white")
VERTICES = [Vertex(*CEO), Vertex(*WHITE)]
DOMINANT, RARE, BACK = (
    Edge(CEO, "dominant_in", WHITE),
    Edge(CEO, "underrepresented_in", WHITE),
    Edge(WHITE, "underrepresented_in", CEO),
)
Values = dict[Edge, float | None]


def judged(edge: Edge, value: float | None, annotated: bool) -> edges.Tested:
    metrics = [Judged(rule, 0.3, value, 0.0, 1.0, 10) for rule in rules(edge.type, there=edge.source == CEO)]
    empty = dict.fromkeys((own.rule.metric for own in metrics), 0)
    return edges.Tested(
        edge.triple,
        annotated,
        metrics,
        {name: np.zeros(0, dtype=np.uint64) for name in empty},
        None,
        empty,
        dict.fromkeys(empty, ""),
        11,
    )


def tables(people: list[Edge], **models: Values) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of models with these values."""
    made = {name: [judged(edge, value, edge in people) for edge, value in own.items()] for name, own in models.items()}
    whole = {name: edges.graph_of(name, VERTICES, own) for name, own in made.items()}
    graphs = {name: edges.graph_of(name, VERTICES, [one for one in own if one.annotated]) for name, own in made.items()}
    found = own_tables(made, Graph("people", VERTICES, people), graphs, whole, schema=schema(), german={})
    return {own.name: own.rows.to_pylist() for own in found}


def overall(found: dict[str, list[dict[str, Any]]]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["first"], row["second"]): row for row in found["differences"] if not row["type"]}


def test_what_could_not_be_tested_is_not_absent() -> None:
    rows = overall(tables([DOMINANT], drawn={DOMINANT: 0.9}, refused={DOMINANT: None}))
    refused = rows["people", "refused"]
    assert (refused["compared"], refused["untested"]) == (0, 1)
    assert (refused["first_only"], refused["jaccard"], refused["distance"]) == (None, None, None)
    assert rows["drawn", "refused"]["first_only"] is None
    drawn = rows["people", "drawn"]
    assert (drawn["compared"], drawn["untested"], drawn["shared"], drawn["jaccard"]) == (1, 0, 1, 1.0)


def test_a_relation_with_two_contrary_ones_counts_once() -> None:
    found = tables([DOMINANT], model={DOMINANT: 0.9, RARE: 0.1, BACK: 0.9})
    assert overall(found)["people", "model"]["contradictory"] == 1
    assert [row["model_direction"] for row in found["contradictions"]] == ["occupation_to_race", "race_to_occupation"]


def test_contrary_is_counted_among_what_was_compared() -> None:
    found = tables([DOMINANT, BACK], model={DOMINANT: 0.9, BACK: None, RARE: 0.1})
    assert overall(found)["people", "model"]["contradictory"] == 1
    assert len(found["contradictions"]) == 2  # that of the untested one is told, and not counted


def row_of(value: float, others: int = 0) -> dict[str, Any]:
    """Return the row of an underrepresentation that people see, of 200 images, beside so many other models."""
    (rule,) = rules("underrepresented_in", there=True)
    known = Share(value, 200)
    ends = known.interval()
    metric = Judged(rule, 0.2, value, ends.low, ends.high, 200, certainty=known)
    own = replace(judged(RARE, value, True), metrics=[metric])
    made = {str(number): [own] for number in range(1 + others)}
    empty = {name: edges.graph_of(name, VERTICES, []) for name in made}
    tests = next(iter(own_tables(made, Graph("people", VERTICES, [RARE]), empty, empty, schema=schema(), german={})))
    found: dict[str, Any] = tests.rows.to_pylist()[0]
    return found


def test_what_an_even_model_gives_stands_beside_underrepresentation() -> None:
    assert row_of(0.08)["even"] == 1 / 11
    assert row_of(0.08)["rarer"] is False  # 16 of 200 may be chance: an even model gives 18
    assert row_of(0.02)["rarer"] is True
    assert row_of(0.1)["rarer"] is False
    (dominance,) = tables([DOMINANT], model={DOMINANT: 0.9})["tests"]
    assert (dominance["even"], dominance["rarer"]) == (None, None)  # an even model dominates nothing


def test_the_more_is_tested_the_more_it_takes_to_be_sure() -> None:
    one, many = row_of(0.14), row_of(0.14, others=9)
    assert one["p"] == many["p"]
    assert 0.005 < one["p"] < 0.05
    assert (one["sure"], many["sure"]) == (True, False)
    assert one["times"] is None
    assert 1 < many["times"] < 3
    assert tables([], model={RARE: 0.1})["tests"][0]["sure"] is None  # nobody named it

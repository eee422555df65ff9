from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from portrayal.errors import InputError
from portrayal.graph import (
    Edge,
    Graph,
    Key,
    Schema,
    Triple,
    Vertex,
    compare,
    intensity_ranks,
    shared_by_all,
    unique_to_one,
)

CEO, JUDGE = Key("occupation", "CEO"), Key("occupation", "judge")
WHITE, BLACK = Key("race", "white"), Key("race", "black")
VERTICES = [Vertex(*key) for key in (CEO, JUDGE, WHITE, BLACK)]
OPPOSITES = [("dominant_in", "underrepresented_in")]
DOMINANT = Edge(CEO, "dominant_in", WHITE)
OTHER_WAY = Edge(WHITE, "dominant_in", CEO)
RARE = Edge(JUDGE, "underrepresented_in", BLACK)


def graph(name: str, *edges: Edge) -> Graph:
    return Graph(name, VERTICES, edges)


def test_edges_of_both_and_of_one() -> None:
    found = compare(graph("people", DOMINANT, RARE), graph("model", DOMINANT, OTHER_WAY))
    assert found.shared == (DOMINANT.triple,)
    assert found.first_only == (RARE.triple,)
    assert found.second_only == (OTHER_WAY.triple,)  # the way it leads makes another edge
    assert found.distance == 2
    assert found.jaccard == pytest.approx(1 / 3)


def test_by_type() -> None:
    found = compare(graph("people", DOMINANT, RARE), graph("model", DOMINANT))
    rare = found.of(lambda triple: triple.type == "underrepresented_in")
    assert (rare.shared, rare.first_only, rare.distance, rare.jaccard) == ((), (RARE.triple,), 1, 0.0)
    assert found.of(lambda triple: triple.type == "associated_with").jaccard is None


def test_same_graphs_differ_in_nothing() -> None:
    found = compare(graph("people", DOMINANT, RARE), graph("model", RARE, DOMINANT))
    assert (found.distance, found.jaccard, found.contradictory) == (0, 1.0, ())


def test_opposite_edges_contradict_whichever_way_they_lead() -> None:
    dominant = Edge(BLACK, "dominant_in", JUDGE)
    found = compare(graph("people", RARE), graph("model", dominant, DOMINANT), OPPOSITES)
    assert found.contradictory == ((RARE.triple, dominant.triple),)
    assert compare(graph("people", RARE), graph("model", dominant)).contradictory == ()


def test_shared_by_all_and_unique_to_one() -> None:
    graphs = [graph("a", DOMINANT, RARE), graph("b", DOMINANT, OTHER_WAY), graph("c", DOMINANT, OTHER_WAY)]
    assert shared_by_all(graphs) == [DOMINANT.triple]
    assert unique_to_one(graphs) == {"a": [RARE.triple], "b": [], "c": []}
    assert shared_by_all([]) == []


def test_ranks_of_intensity_on_shared_edges() -> None:
    def strong(value: float | None) -> Edge:
        return Edge(CEO, "dominant_in", WHITE, intensity=value)

    ranks = intensity_ranks([graph("a", strong(0.2)), graph("b", strong(0.9)), graph("c", strong(0.2))])
    assert ranks == {DOMINANT.triple: {"a": 2.5, "b": 1.0, "c": 2.5}}
    assert intensity_ranks([graph("a", strong(0.2)), graph("b", strong(None))]) == {}


def test_intensities_of_different_metrics_have_no_ranks() -> None:
    failing, poor = (
        Edge(CEO, "dominant_in", WHITE, metric=name, intensity=value)
        for name, value in (("failure", 0.2), ("quality", 0.9))
    )
    assert intensity_ranks([graph("a", failing), graph("b", poor)]) == {}
    assert intensity_ranks([graph("a", failing), graph("b", failing)]) == {DOMINANT.triple: {"a": 1.5, "b": 1.5}}


def test_a_graph_has_each_vertex_and_each_edge_once() -> None:
    with pytest.raises(InputError, match="occupation 'CEO' stands there twice"):
        Graph("g", [*VERTICES, Vertex(*CEO)], [])
    with pytest.raises(InputError, match="CEO dominant_in white stands there twice"):
        graph("g", DOMINANT, DOMINANT)
    with pytest.raises(InputError, match="an edge needs race 'mena', which is not there"):
        graph("g", Edge(CEO, "dominant_in", Key("race", "mena")))


def test_a_schema_says_which_edges_are_possible() -> None:
    schema = Schema({"stereotyped_as": ["occupation_to_race"], "dominant_in": ["occupation_to_race"]})
    schema.check("edges.csv:2", [DOMINANT])
    with pytest.raises(InputError, match=r"edges\.csv:2: no relation 'dominant'; did you mean 'dominant_in'"):
        schema.check("edges.csv:2", [Edge(CEO, "dominant", WHITE)])
    with pytest.raises(InputError, match="dominant_in leads only from occupation to race"):
        schema.check("edges.csv:2", [OTHER_WAY])
    assert schema.directions == ["occupation_to_race"]


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ({"value": 0.5, "low": 0.9, "high": 0.1}, "low 0.9 is more than value 0.5"),
        ({"value": 0.5, "high": 0.1}, "value 0.5 is more than high 0.1"),
        ({"low": 0.9, "high": 0.1}, "low 0.9 is more than high 0.1"),
        ({"intensity": 7.0}, "intensity 7 does not lie from 0 to 1"),
        ({"n": -1}, "n -1 is less than 0"),
    ],
)
def test_numbers_that_contradict_one_another_are_refused(numbers: dict[str, Any], told: str) -> None:
    schema = Schema({"dominant_in": ["occupation_to_race"]})
    with pytest.raises(InputError, match=f"e.csv:2: CEO dominant_in white: {told}"):
        schema.check("e.csv:2", [replace(DOMINANT, **numbers)])
    schema.check("e.csv:2", [replace(DOMINANT, value=0.5, low=0.5, high=0.5, intensity=1.0, n=0)])


def test_a_direction_is_read_off_the_kinds() -> None:
    assert Triple(WHITE, "dominant_in", CEO).direction == "race_to_occupation"

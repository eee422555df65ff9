"""Edges that only one of all models draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from portrayal.graph import Edge, Key, Vertex
from portrayal.methods.socialbiaskg.edge_tables import unique_table
from portrayal.methods.socialbiaskg.edges import ModelEdges, graph_of
from portrayal.methods.socialbiaskg.looks import Look
from portrayal.methods.socialbiaskg.options import SocialBiasKGOptions
from portrayal.methods.socialbiaskg.perceived import Cells, Perceived, Seen

GROUPS = tuple("abcdefghijk")
JUDGE, A = Key("occupation", "judge"), Key("race", "a")
VERTICES = [Vertex(*JUDGE, "judge", "Professionals", "2612"), *(Vertex("race", name, name) for name in GROUPS)]
EDGE = Edge(JUDGE, "dominant_in", A)


def model(groups: str) -> ModelEdges:
    values = np.array([GROUPS.index(own) for own in groups], dtype=float)
    key, cell = np.arange(len(groups), dtype=np.uint64), np.zeros(len(groups), dtype=np.int64)
    seen = Seen(Look(key, cell, values, GROUPS), 1)
    found = Perceived(GROUPS, seen, None, None, None, np.zeros(1, dtype=np.int64), np.array([40]))
    return ModelEdges(Cells({"judge": [0]}, {}, {}), found, (EDGE,), SocialBiasKGOptions())


def rows(**groups: str) -> list[dict[str, Any]]:
    models = {name: model(own) for name, own in groups.items()}
    graphs = {name: graph_of(name, VERTICES, [*own.annotated(), *own.emergent()]) for name, own in models.items()}
    return [own for own in unique_table(models, graphs).rows.to_pylist() if own["type"] == "dominant_in"]


def test_an_edge_that_one_of_three_models_has() -> None:
    (own,) = rows(one="a" * 40, two="b" * 10 + "cdefgh" * 5, three="abcdefgh" * 5)
    assert (own["generator"], own["source"], own["target"], own["annotated"]) == ("one", "judge", "a", True)
    assert (own["metric"], own["value"], own["others"], own["untested"]) == ("dominance", 1.0, 2, 0)
    assert own["certain"]


def test_edges_of_several_models_and_of_a_single_one_are_not_unique() -> None:
    assert rows(one="a" * 40, two="a" * 40) == []
    assert rows(one="a" * 40) == []


def test_a_model_of_which_nothing_is_known_may_have_the_edge_too() -> None:
    (own,) = rows(one="a" * 40, two="")
    assert (own["others"], own["untested"], own["certain"]) == (0, 1, False)


def test_an_edge_that_an_interval_leaves_open_is_not_certain() -> None:
    (own,) = rows(one="a" * 40, two="a" * 14 + "bcdefghijk" * 2 + "bcdefg")
    assert not own["certain"]


def test_an_edge_that_nobody_named_can_be_unique() -> None:
    (own,) = rows(one="b" * 40, two="abcdefgh" * 5)
    assert (own["target"], own["annotated"]) == ("b", False)

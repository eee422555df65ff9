from __future__ import annotations

import pytest

from portrayal.graph import Edge, Graph, Key, Vertex

CEO, CHEF, WHITE = Key("occupation", "CEO"), Key("occupation", 'sushi chef, "head"'), Key("race", "weiß & <blanc>")


@pytest.fixture
def graph() -> Graph:
    """Every field in use, names with marks that files must escape, and an edge of which nothing more is known."""
    vertices = [
        Vertex(*CEO, "Chief executive", "Managers", "1120"),
        Vertex(*CHEF, group="Technicians"),
        Vertex(*WHITE, "White: a; b"),
    ]
    edges = [
        Edge(CEO, "dominant_in", WHITE, "ratio", 0.1 + 0.2, 0.25, 1 / 3, 40, 1e-17, True, ("Ann", "Table 2: a, b; c")),
        Edge(WHITE, "dominant_in", CEO, "ratio", 0.0, n=0),
        Edge(CHEF, "associated_with", WHITE),
    ]
    return Graph("people’s", vertices, edges)

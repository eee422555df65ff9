"""Pure: vertices, typed and directed edges between them, how graphs differ, and the files that hold them."""

from portrayal.graph.graph_difference import (
    Difference,
    compare,
    edge_shares,
    intensity_ranks,
    shared_by_all,
    unique_to_one,
)
from portrayal.graph.typed_graph import Edge, Graph, Key, Schema, Triple, Vertex

__all__ = [
    "Difference",
    "Edge",
    "Graph",
    "Key",
    "Schema",
    "Triple",
    "Vertex",
    "compare",
    "edge_shares",
    "intensity_ranks",
    "shared_by_all",
    "unique_to_one",
]

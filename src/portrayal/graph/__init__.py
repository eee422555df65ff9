"""Pure: vertices, typed and directed edges between them, how graphs differ, and the files that hold them."""

from portrayal.graph.comparison import Difference, compare, edge_shares, intensity_ranks, shared_by_all, unique_to_one
from portrayal.graph.model import Edge, Graph, Key, Schema, Triple, Vertex

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

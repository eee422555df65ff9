"""Graphs as GraphML, which graph programs open; what is written can be read again."""

from __future__ import annotations

import io
from typing import Any

from portrayal.csvfile import finite
from portrayal.errors import InputError
from portrayal.graph.graph_csv import NUMBERS, id_of, key_of
from portrayal.graph.typed_graph import Edge, Graph, Vertex

__all__ = ["graphml", "read_graphml"]

_TEXTS = ("kind", "name", "title", "group", "code")


def graphml(graph: Graph) -> str:
    """Return the graph in GraphML."""
    import networkx

    made: Any = networkx.MultiDiGraph(name=graph.name)
    for vertex in graph.vertices:
        known = {name: value for name in _TEXTS if (value := getattr(vertex, name))}
        made.add_node(id_of(vertex.key), **known)
    for edge in graph.edges:
        numbers = {name: float(value) for name in NUMBERS if (value := getattr(edge, name)) is not None}
        count = {} if edge.n is None else {"n": edge.n}
        texts = {"metric": edge.metric, "sources": "\n".join(edge.sources)}
        known = {"type": edge.type, "uncertain": edge.uncertain, **numbers, **count}
        known |= {name: value for name, value in texts.items() if value}
        made.add_edge(id_of(edge.source), id_of(edge.target), key=edge.type, **known)
    buffer = io.BytesIO()
    networkx.write_graphml(made, buffer)
    return buffer.getvalue().decode()


def read_graphml(text: str, where: str = "graph") -> Graph:
    """Return the graph of a text, its vertices and edges in alphabetical order."""
    import networkx

    if "<!" in text.partition("<graphml")[0].replace("<!--", ""):
        raise InputError(f"{where}: cannot be read as GraphML: it declares types or entities before it begins")
    try:
        network: Any = networkx.parse_graphml(text, force_multigraph=True)
    except Exception as error:  # a parser's own, a missing key, an unknown type
        why = " ".join(str(error).split())[:200]
        raise InputError(f"{where}: cannot be read as GraphML: {why}") from None
    vertices = [Vertex(*(str(known.get(name, "")) for name in _TEXTS)) for _, known in network.nodes(data=True)]
    edges = [_edge(source, target, known, where) for source, target, known in network.edges(data=True)]
    return Graph(str(network.graph.get("name", "")), vertices, edges).ordered()


def _edge(source: str, target: str, known: dict[str, Any], where: str) -> Edge:
    def number(name: str) -> float | None:
        if name not in known:
            return None
        value = finite(str(known[name]))
        if value is None:
            raise InputError(f"{where}: {name!r} of an edge must be a number, got {str(known[name])!r}")
        return value

    if "type" not in known:
        raise InputError(f"{where}: the edge from {source} to {target} has no type")
    return Edge(
        key_of(source),
        str(known["type"]),
        key_of(target),
        metric=str(known.get("metric", "")),
        value=number("value"),
        low=number("low"),
        high=number("high"),
        n=None if (count := number("n")) is None else int(count),
        intensity=number("intensity"),
        uncertain=bool(known.get("uncertain", False)),
        sources=tuple(str(known.get("sources", "")).splitlines()),
    )

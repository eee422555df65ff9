"""Graphs as RDF: Turtle and JSON-LD, in a small vocabulary that lies in ``data``; what is written can be read again.

Texts are put together here, so that numbers keep all their digits. Reading is rdflib's work.
"""

from __future__ import annotations

import contextlib
import json
import logging
import warnings
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any, Literal
from urllib.parse import quote, unquote

from portrayal.csvfile import finite
from portrayal.errors import InputError
from portrayal.graph.graph_csv import NUMBERS, id_of
from portrayal.graph.typed_graph import Edge, Graph, Key, Vertex
from portrayal.jsonfile import parse_json

__all__ = ["NAMESPACE", "jsonld", "parsed", "read_rdf", "shapes", "turtle", "vocabulary"]

NAMESPACE = "https://github.com/portrayal/portrayal/ns/graph#"
Syntax = Literal["turtle", "json-ld"]
_XSD = "http://www.w3.org/2001/XMLSchema#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_SOME, _LETTERS = 20_000, 16
"""Triples that any file may hold, and one more for so many letters; ours have fewer than one for 30."""
_TEXTS = ("kind", "name", "title", "group", "code")
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def _iri(what: str, *parts: str) -> str:
    return ":".join(["urn:portrayal", what, *(quote(part, safe="") for part in parts)])


def _vertex_iri(key: Key) -> str:
    return _iri("vertex", *key)


def _edge_iri(graph: str, edge: Edge) -> str:
    return _iri("edge", graph, id_of(edge.source), edge.type, id_of(edge.target))


def _numbers(edge: Edge) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the text and the type of what is known of an edge."""
    for name in NUMBERS:
        if (value := getattr(edge, name)) is not None:
            yield name, repr(float(value)), "double"
    if edge.n is not None:
        yield "n", str(edge.n), "integer"
    yield "uncertain", "true" if edge.uncertain else "false", "boolean"


def turtle(graph: Graph) -> str:
    """Return the graph in Turtle."""
    lines = [f"@prefix g: <{NAMESPACE}> .", f"@prefix xsd: <{_XSD}> .", ""]
    lines += [f"<{_iri('graph', graph.name)}> a g:Graph ; g:name {_text(graph.name)} .", ""]
    for vertex in graph.vertices:
        known = [f"g:{name} {_text(value)}" for name in _TEXTS if (value := getattr(vertex, name))]
        lines.append(f"<{_vertex_iri(vertex.key)}> a g:Vertex ; {' ; '.join(known)} .")
    for edge in graph.edges:
        ends = [f"g:source <{_vertex_iri(edge.source)}>", f"g:target <{_vertex_iri(edge.target)}>"]
        known = [f"g:{name} {_text(value)}" for name, value in (("type", edge.type), ("metric", edge.metric)) if value]
        known += [f'g:{name} "{value}"^^xsd:{kind}' for name, value, kind in _numbers(edge)]
        known += [f"g:saidBy {_text(source)}" for source in edge.sources]
        inside = f"g:inGraph <{_iri('graph', graph.name)}>"
        lines.append(f"<{_edge_iri(graph.name, edge)}> a g:Edge ; {' ; '.join([inside, *ends, *known])} .")
    return "\n".join([*lines, ""])


def _text(value: str) -> str:
    return f'"{value.translate(_ESCAPES)}"'


def jsonld(graph: Graph) -> str:
    """Return the graph in JSON-LD."""
    named = {"@id": _iri("graph", graph.name), "@type": "Graph", "name": graph.name}
    nodes: list[Mapping[str, object]] = [named]
    for vertex in graph.vertices:
        known = {name: value for name in _TEXTS if (value := getattr(vertex, name))}
        nodes.append({"@id": _vertex_iri(vertex.key), "@type": "Vertex", **known})
    for edge in graph.edges:
        nodes.append({"@id": _edge_iri(graph.name, edge), "@type": "Edge", **_edge_node(graph, edge)})
    return json.dumps({"@context": _context(), "@graph": nodes}, ensure_ascii=False, indent=1) + "\n"


def _edge_node(graph: Graph, edge: Edge) -> dict[str, object]:
    ends = {"source": _vertex_iri(edge.source), "target": _vertex_iri(edge.target), "type": edge.type}
    metric = {"metric": edge.metric} if edge.metric else {}
    # As texts with a type: a JSON number may lose digits, and a whole one would become an integer.
    numbers = {name: {"@value": value, "@type": f"xsd:{kind}"} for name, value, kind in _numbers(edge)}
    said = {"saidBy": list(edge.sources)} if edge.sources else {}
    return {"inGraph": _iri("graph", graph.name), **ends, **metric, **numbers, **said}


def _context() -> dict[str, object]:
    links = {name: {"@id": NAMESPACE + name, "@type": "@id"} for name in ("source", "target", "inGraph")}
    return {"@vocab": NAMESPACE, "xsd": _XSD, **links}


def read_rdf(text: str, syntax: Syntax, where: str = "graph") -> Graph:
    """Return the graph of a text, its vertices and edges in alphabetical order."""
    nodes: dict[str, dict[str, list[Any]]] = {}
    for subject, predicate, value in parsed(text, syntax, where):
        name = str(predicate).removeprefix(NAMESPACE).removeprefix(_RDF)
        nodes.setdefault(str(subject), {}).setdefault(name, []).append(value)
    kinds: dict[str, list[tuple[str, Mapping[str, list[Any]]]]] = {"Graph": [], "Vertex": [], "Edge": []}
    for iri, node in nodes.items():
        for kind in node.get("type", ()):
            if (class_name := str(kind).removeprefix(NAMESPACE)) in kinds:
                kinds[class_name].append((iri, node))
    if len(kinds["Graph"]) != 1:
        raise InputError(f"{where}: holds {len(kinds['Graph'])} graphs of Portrayal's vocabulary; one is needed")
    vertices = [Vertex(*(_one(node, name) for name in _TEXTS)) for _, node in kinds["Vertex"]]
    edges = [_edge(node, where) for _, node in kinds["Edge"]]
    return Graph(_one(kinds["Graph"][0][1], "name"), vertices, edges).ordered()


def parsed(text: str, syntax: Syntax, where: str = "graph") -> Any:
    """Return the triples of a text, as rdflib has them; nothing but the text is read."""
    import rdflib

    if syntax == "json-ld":
        _check_contexts(text, where)
    triples = rdflib.Graph(_bounded_store(_SOME + len(text) // _LETTERS, where))
    try:
        with warnings.catch_warnings(), _unlogged("rdflib"):
            # Its parser of JSON-LD uses what rdflib itself calls outdated.
            warnings.simplefilter("ignore", DeprecationWarning)
            triples.parse(data=text, format=syntax)
    except InputError:
        raise
    except Exception as error:  # each parser has errors of its own
        why = " ".join(str(error).split())[:200]
        raise InputError(f"{where}: cannot be read as {syntax}: {why}") from None
    return triples


def _bounded_store(most: int, where: str) -> Any:
    """Return what rdflib keeps triples in: a list of numbers alone would be a gigabyte and a half for a megabyte."""
    from rdflib.plugins.stores.memory import Memory

    class Bounded(Memory):  # type: ignore[misc, unused-ignore]
        count = 0

        def add(self, triple: Any, context: Any, quoted: bool = False) -> None:
            self.count += 1
            if self.count > most:
                raise InputError(f"{where}: holds more than {most:,} triples, too many for its size")
            super().add(triple, context, quoted)

    return Bounded()


def _check_contexts(text: str, where: str) -> None:
    """Refuse JSON-LD with a context that is not ours: rdflib would fetch its address or open its file."""
    whole = parse_json(text, where)
    ours = _context()
    context = whole.get("@context") if isinstance(whole, dict) else None
    if not isinstance(context, dict) or any(name not in ours or ours[name] != value for name, value in context.items()):
        raise InputError(
            f"{where}: '@context' must be an object as portrayal graph convert writes it; no other is read"
        )
    left = [inner for name, inner in whole.items() if name != "@context"]
    while left:
        inner = left.pop()
        if isinstance(inner, dict):
            if "@context" in inner:
                raise InputError(f"{where}: '@context' may only stand at the top; remove the others")
            left += inner.values()
        elif isinstance(inner, list):
            left += inner


@contextlib.contextmanager
def _unlogged(name: str) -> Iterator[None]:
    """Keep a library from logging what it thinks of a file; what cannot be used is refused in one line."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)


def _one(node: Mapping[str, list[Any]], name: str) -> str:
    return str(node.get(name, [""])[0])


def _edge(node: Mapping[str, list[Any]], where: str) -> Edge:
    def number(name: str) -> float | None:
        if name not in node:
            return None
        value = finite(str(node[name][0]))
        if value is None:
            raise InputError(f"{where}: {name!r} of an edge must be a number, got {str(node[name][0])!r}")
        return value

    # The class of an edge is its rdf:type, and the relation its g:type: both are read under this name.
    types = [str(kind) for kind in node["type"] if not str(kind).startswith(NAMESPACE)]
    if len(types) != 1 or "source" not in node or "target" not in node:
        raise InputError(f"{where}: an edge needs one source, one type and one target")
    return Edge(
        _key(_one(node, "source")),
        types[0],
        _key(_one(node, "target")),
        metric=_one(node, "metric"),
        value=number("value"),
        low=number("low"),
        high=number("high"),
        n=None if (count := number("n")) is None else int(count),
        intensity=number("intensity"),
        uncertain=_one(node, "uncertain") == "true",
        sources=tuple(str(who) for who in node.get("saidBy", ())),
    )


def _key(iri: str) -> Key:
    kind, _, name = iri.removeprefix("urn:portrayal:vertex:").partition(":")
    return Key(unquote(kind), unquote(name))


def vocabulary() -> str:
    """Return the vocabulary: what each class and property means."""
    return resources.files(__package__).joinpath("data", "vocabulary.ttl").read_text(encoding="utf-8")


def shapes() -> str:
    """Return SHACL shapes that a graph in this vocabulary fits."""
    return resources.files(__package__).joinpath("data", "shapes.ttl").read_text(encoding="utf-8")

"""What is written to GraphML, Turtle and JSON-LD is read again, and Turtle fits its shapes."""

from __future__ import annotations

import json
import string
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.errors import InputError
from portrayal.graph import Edge, Graph, Key, Vertex
from portrayal.graph.graphml import graphml, read_graphml
from portrayal.graph.turtle import _vertex_iri, jsonld, parsed, read_rdf, shapes, turtle, vocabulary

CEO, WHITE = Key("occupation", "CEO"), Key("race", "weiß & <blanc>")
NAMES = st.text(string.ascii_letters + "äß é:/&<>\"'%#-", min_size=1, max_size=8).map(str.strip).filter(bool)
NUMBERS = st.one_of(st.none(), st.floats(0, 1))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    jobs = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    races = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    vertices = [Vertex("occupation", job, draw(NAMES), draw(st.sampled_from(["", "Managers"]))) for job in jobs]
    vertices += [Vertex("race", race) for race in races]
    edges = []
    for job in jobs:
        for race in races:
            for name in draw(st.sets(st.sampled_from(["dominant_in", "stereotyped_as"]))):
                value, low, high = (draw(NUMBERS) for _ in range(3))
                said = tuple(draw(st.lists(NAMES, max_size=2, unique=True)))
                more = (draw(st.one_of(st.none(), st.integers(0, 99))), draw(NUMBERS), draw(st.booleans()), said)
                edges.append(Edge(Key("occupation", job), name, Key("race", race), "ratio", value, low, high, *more))
    return Graph(draw(NAMES), vertices, edges)


def all_read(graph: Graph) -> list[Graph]:
    return [
        read_graphml(graphml(graph)),
        read_rdf(turtle(graph), "turtle"),
        read_rdf(jsonld(graph), "json-ld"),
    ]


def test_what_is_written_is_read(graph: Graph) -> None:
    assert all_read(graph) == [graph.ordered()] * 3


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(graphs())
def test_any_graph_loses_nothing(graph: Graph) -> None:
    assert all_read(graph) == [graph.ordered()] * 3


def test_turtle_and_json_ld_say_the_same(graph: Graph) -> None:
    from rdflib.compare import isomorphic

    assert isomorphic(parsed(turtle(graph), "turtle"), parsed(jsonld(graph), "json-ld"))


def conforms(text: str) -> bool:
    import pyshacl

    return bool(pyshacl.validate(parsed(text, "turtle"), shacl_graph=parsed(shapes(), "turtle"))[0])


@pytest.mark.slow
def test_turtle_fits_the_shapes(graph: Graph) -> None:
    text = turtle(graph)
    assert conforms(text)
    for right, wrong in (
        ('"40"^^xsd:integer', '"-1"^^xsd:integer'),
        ('g:low "0.25"', 'g:low "0.75"'),
        ('g:type "associated_with" ;', ""),
        ('g:uncertain "true"^^xsd:boolean', 'g:uncertain "perhaps"'),
        ('g:type "associated_with"', 'g:type "fond_of"'),
        ('g:type "dominant_in" ; g:metric "ratio" ; g:value "0.0"', 'g:type "stereotyped_as" ; g:value "0.0"'),
        (f"g:target <{_vertex_iri(WHITE)}>", f"g:target <{_vertex_iri(CEO)}>"),
    ):
        assert right in text
        assert not conforms(text.replace(right, wrong)), right


def test_every_property_is_in_the_vocabulary(graph: Graph) -> None:
    known, used = parsed(vocabulary(), "turtle"), parsed(turtle(graph), "turtle")
    own = {str(name) for name in used.predicates() if "portrayal" in str(name)}
    assert own <= {str(name) for name in known.subjects()}
    assert len(own) == 17


def test_programs_for_graphs_open_it(graph: Graph) -> None:
    import networkx

    found = networkx.parse_graphml(graphml(graph))
    assert found.number_of_nodes() == 3
    assert found.number_of_edges() == 3


@pytest.mark.parametrize("text", ["", "<graphml", "no xml"])
def test_what_is_no_graph_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"my\.file: "):
        read_graphml(text, "my.file")
    with pytest.raises(InputError, match=r"my\.file: "):
        read_rdf(text, "turtle", "my.file")


@pytest.fixture
def served() -> Iterator[tuple[str, list[str]]]:
    """Return an address on this machine, and what was asked for there."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/c", asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_reading_json_ld_fetches_nothing(graph: Graph, served: tuple[str, list[str]], tmp_path: Path) -> None:
    address, asked = served
    own = json.loads(jsonld(graph))
    file = tmp_path / "context.jsonld"
    file.write_text(json.dumps({"@context": own["@context"]}), encoding="utf-8")
    contexts: list[Any] = []
    for where in (address, file.as_uri()):
        contexts += [where, [own["@context"], where], {**own["@context"], "@import": where}]
        contexts.append({**own["@context"], "Edge": {"@id": "urn:e", "@context": where}})
    texts = [json.dumps({**own, "@context": one}) for one in contexts]
    texts += [json.dumps({**own, "@graph": [*own["@graph"], {"@context": address, "x": "y"}]}), json.dumps([own])]
    for text in texts:
        with pytest.raises(InputError, match=r"^my\.file: '@context' m"):
            read_rdf(text, "json-ld", "my.file")
    assert asked == []


def test_reading_graphml_opens_no_other_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("occupation", encoding="utf-8")
    head = f'<?xml version="1.0"?><!DOCTYPE g [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    with pytest.raises(InputError, match="it declares types or entities before it begins"):
        read_graphml(f"{head}<graphml>&x;</graphml>")

"""Commands on files that hold graphs: how two differ, and one in another form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.apps.graph.commands.graph_options import Kind, Tables, check_new, find_domain, write_text
from portrayal.commands.options import Json
from portrayal.errors import InputError
from portrayal.terminal import say, say_json

if TYPE_CHECKING:
    from portrayal.graph import Graph
    from portrayal.graph.domain import Domain

__all__ = ["compare", "convert"]

NUMBERS = ("shared", "first_only", "second_only", "contradictory", "jaccard", "distance")


def compare(
    first: Annotated[Path, typer.Argument(metavar="FIRST", help="A graph: .csv (edges), .graphml, .ttl or .jsonld.")],
    second: Annotated[Path, typer.Argument(metavar="SECOND", help="Another.")],
    tables: Tables = None,
    kind: Kind = "",
    as_json: Json = False,
) -> None:
    """Show how two graphs differ, by type of relation.

    Counts the edges that both have, that only one has, and that contradict each other, with Jaccard and edit distance.
    """
    domain = find_domain(tables, kind)
    rows = _differences(_read(first, domain), _read(second, domain), domain)
    if as_json:
        say_json(rows)
        return
    say("\t".join(("type", "direction", *NUMBERS)))
    for row in rows:
        cells = ("-" if row[name] is None else f"{row[name]:.3g}" for name in NUMBERS)
        say("\t".join((str(row["type"] or "all"), str(row["direction"] or "both"), *cells)))


def convert(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="A graph: .csv (edges), .graphml, .ttl or .jsonld.")],
    target: Annotated[Path, typer.Argument(metavar="TO", help="The file to write; its extension decides the format.")],
    tables: Tables = None,
    kind: Kind = "",
) -> None:
    """Write a graph in another format; nothing is lost. A .csv holds the edges."""
    from portrayal.graph.graph_csv import edge_csv
    from portrayal.graph.graphml import graphml
    from portrayal.graph.turtle import jsonld, turtle

    check_new(target)
    graph = _read(source, find_domain(tables, kind))
    made = {".csv": lambda: edge_csv(graph.edges), ".graphml": lambda: graphml(graph), ".ttl": lambda: turtle(graph)}
    made[".jsonld"] = lambda: jsonld(graph)
    write_text(target, made[_form(target, made)]())


def _differences(first: Graph, second: Graph, domain: Domain) -> list[dict[str, str | float | None]]:
    from portrayal.graph import compare as compared

    difference, rows = compared(first, second, domain.schema.opposites), []
    for name, way in domain.schema.parts:
        part = difference.of_type(name, way)
        lists = {number: len(getattr(part, number)) for number in NUMBERS[:4]}
        about = {"first": first.name, "second": second.name, "type": name, "direction": way}
        rows.append({**about, **lists, "jaccard": part.jaccard, "distance": part.distance})
    return rows


def _form(path: Path, known: Mapping[str, object]) -> str:
    if path.suffix not in known:
        raise InputError(f"{path}: a graph is a file with one of the endings {', '.join(known)}")
    return path.suffix


def _read(path: Path, domain: Domain) -> Graph:
    from portrayal.graph import Graph
    from portrayal.graph.graph_csv import read_edges
    from portrayal.graph.graphml import read_graphml
    from portrayal.graph.turtle import read_rdf
    from portrayal.inputfile import read_text
    from portrayal.store.checksums.handed_files import check_handed

    check_handed(path)
    forms = {".graphml": None, ".ttl": "turtle", ".jsonld": "json-ld", ".csv": None}
    form = _form(path, forms)
    if form == ".csv":
        rows = read_edges(path, domain.by_key)
        for where, edge in rows:
            domain.schema.check(where, [edge])
        return Graph(path.stem, domain.vertices, [edge for _, edge in rows])
    if form == ".graphml":
        graph = read_graphml(read_text(path), str(path))
    else:
        graph = read_rdf(read_text(path), "turtle" if form == ".ttl" else "json-ld", str(path))
    domain.schema.check(str(path), graph.edges)
    return graph

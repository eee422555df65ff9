"""The graphs as files beside the page."""

from __future__ import annotations

import importlib.util
import re

from portrayal.graph import Graph
from portrayal.graph.graph_csv import edge_csv, vertex_csv
from portrayal.graph.graphml import graphml
from portrayal.graph.turtle import jsonld, turtle
from portrayal.language.translation import t
from portrayal.methods.socialbiaskg.report.relations import NAME, Relations
from portrayal.records import content_id

__all__ = ["graph_files", "listed_files"]


def _folder(name: str) -> str:
    """Return where the files of a graph lie; names that lose something, if only capitals, have a digest."""
    plain = re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-.")
    return f"{NAME}/{plain}" if plain == name else f"{NAME}/{plain or 'graph'}-{content_id(name)[:8]}"


def graph_files(graph: Graph) -> dict[str, str]:
    """Return the files of a graph, in every format that can be written here."""
    folder = _folder(graph.name)
    files = {"vertices.csv": vertex_csv(graph.vertices), "edges.csv": edge_csv(graph.edges)}
    files |= {"graph.ttl": turtle(graph), "graph.jsonld": jsonld(graph)}
    if importlib.util.find_spec("networkx"):
        files["graph.graphml"] = graphml(graph)
    return {f"{folder}/{name}": text for name, text in files.items()}


def listed_files(relations: Relations) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the files of each graph: what they are called, and where they lie."""
    names = [("CSV", "edges.csv"), ("Turtle", "graph.ttl"), ("JSON-LD", "graph.jsonld")]
    if importlib.util.find_spec("networkx"):
        names.append(("GraphML", "graph.graphml"))
    graphs = [(t("people"), "people"), *((name, name) for name in relations.edges)]
    return [(title, [(form, f"{_folder(name)}/{file}") for form, file in names]) for title, name in graphs]

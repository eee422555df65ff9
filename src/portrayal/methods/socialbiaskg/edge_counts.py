"""Measurements: how many edges a model has, which of people's edges it has too, and where they lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from portrayal.graph import Schema, Triple, Vertex
from portrayal.methods.socialbiaskg.edges import Tested
from portrayal.methods.socialbiaskg.scores import ratio
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.records import Measurement, Note

__all__ = ["measurements"]

_OF_PEOPLE = ("edges", "reproduced", "uncertain")
Part = tuple[str, str, Callable[[Triple], bool]]
"""Level, item, and which edges belong to it."""


def measurements(
    blank: Measurement, tested: Sequence[Tested], vertices: Sequence[Vertex], schema: Schema
) -> Iterator[Measurement]:
    """Yield a generator's rows: overall, by kind of edge, by group of people and by major group of occupations."""
    seen = [edge for edge in tested if edge.annotated]
    for level, item, belongs in _parts(vertices, schema):
        part = [one for one in seen if belongs(one.triple)]
        row = replace(blank, level=level, item=item)
        if part or level in ("overall", "edge_type"):
            yield from _of_people(row, part)
        if level in ("overall", "edge_type"):
            new = [one for one in tested if not one.annotated and belongs(one.triple)]
            yield replace(row, metric="emergent", value=float(len(new)), n=len(new))
    drawn = [edge.triple for edge in seen if edge.found]
    for level, item, belongs in _parts(vertices, schema):
        if level != "overall" and drawn and (count := sum(map(belongs, drawn))):
            share = ratio(count, len(drawn))
            yield replace(blank, metric="edge_share", level=level, item=item, value=share.value, n=len(drawn))


def _of_people(row: Measurement, edges: Sequence[Tested]) -> Iterator[Measurement]:
    """Yield how many of people's edges the model has, of those that could be tested, and how many are uncertain."""
    known = [one for one in edges if one.found is not None]
    have = sum(bool(one.found) for one in known)
    unsure = sum(one.decides.uncertain for one in known if one.decides)
    row = replace(row, n=len(known), missing=len(edges) - len(known))
    if not known:
        yield from (replace(row, metric=metric, notes=(Note("no_edge_tested"),)) for metric in _OF_PEOPLE)
        return
    share = ratio(have, len(known))
    yield replace(row, metric="edges", value=float(have))
    yield replace(row, metric="reproduced", value=share.value, low=share.low, high=share.high)
    yield replace(row, metric="uncertain", value=float(unsure))


def _parts(vertices: Sequence[Vertex], schema: Schema) -> Iterator[Part]:
    yield "overall", "", lambda _: True
    for name, ways in schema.types.items():
        for way in ways:
            yield "edge_type", f"{name} {way}", _relation(name, way)
    for vertex in vertices:
        if vertex.kind != OCCUPATION:
            yield vertex.kind, vertex.title, _touches(vertex)
    majors = dict.fromkeys(vertex.group for vertex in vertices if vertex.kind == OCCUPATION)
    for major in majors:
        jobs = {vertex.key for vertex in vertices if vertex.kind == OCCUPATION and vertex.group == major}
        yield "category", major, _among(frozenset(jobs))


def _relation(name: str, way: str) -> Callable[[Triple], bool]:
    return lambda triple: (triple.type, triple.direction) == (name, way)


def _touches(vertex: Vertex) -> Callable[[Triple], bool]:
    return lambda triple: vertex.key in triple.ends


def _among(keys: frozenset[object]) -> Callable[[Triple], bool]:
    return lambda triple: bool(triple.ends & keys)

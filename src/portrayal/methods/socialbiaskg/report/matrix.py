"""The matrix of occupations and groups for one generator, and a card for each edge with images behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.graph import Triple
from portrayal.language.translation import t
from portrayal.methods.socialbiaskg.report.relation_words import (
    LETTERS,
    edge_said,
    edge_title,
    group_title,
    measured,
    metric_title,
    numbers,
    occupation_title,
    type_letter,
    type_title,
)
from portrayal.methods.socialbiaskg.report.relations import EdgeRow, Relations
from portrayal.methods.socialbiaskg.report.stars import Mark, Star, star
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Thumb
from portrayal.reports.gallery.embedded_pictures import image_source

__all__ = ["Card", "Matrix", "edge_anchors", "matrix", "shown_images", "type_titles"]

_PICTURES = 4
_MOST = 480
"""Pictures of all cards together: a page with more is slow to open and to send."""
_STEPS = 4
"""Shades of intensity."""


@dataclass(frozen=True, slots=True)
class Card:
    """All that is known of an edge, with pictures behind it."""

    anchor: str
    title: str
    said: str
    tests: Sequence[tuple[str, str, str]]
    """Each metric, what was measured, and in how many images."""
    sources: Sequence[str]
    pictures: Sequence[Thumb]


@dataclass(frozen=True)
class Matrix:
    """The relations of one generator: rows by major group, each with its occupations and their cells."""

    generator: str
    groups: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[str, Sequence[Sequence[Mark]]]]]]
    by_group: Sequence[Star]
    by_occupation: Sequence[Star]
    cards: Sequence[Card]
    emergent: Sequence[tuple[str, str]]
    """Titles and anchors of the strongest relations that people did not name."""


def matrix(data: ReportData, relations: Relations, generator: str, number: int) -> Matrix:
    """Return the matrix of a generator; occupations without any relation are left out."""
    edges = relations.edges[generator]
    anchors = edge_anchors(edges, number)
    groups = [vertex.name for vertex in relations.vertices if vertex.kind != OCCUPATION]
    cells: dict[tuple[str, str], list[Mark]] = {}
    for edge in edges:
        cells.setdefault(edge.ends, []).append(_mark(relations, edge, anchors[edge.triple]))
    majors: dict[str, list[tuple[str, list[list[Mark]]]]] = {}
    for vertex in relations.vertices:
        row = [cells.get((vertex.name, group), []) for group in groups]
        if vertex.kind == OCCUPATION and any(row):
            majors.setdefault(vertex.group, []).append((occupation_title(relations, vertex.name), row))
    images = shown_images(relations)
    cards = []
    for edge in edges:
        pictures = _pictures(data, images[generator, edge.triple])
        cards.append(_card(relations, edge, anchors[edge.triple], pictures))
    new = sorted((edge for edge in edges if not edge.annotated), key=lambda edge: -edge.intensity)
    listed = [(edge_title(relations, edge.triple), anchors[edge.triple]) for edge in new]
    jobs = {
        vertex.name: occupation_title(relations, vertex.name)
        for vertex in relations.vertices
        if vertex.kind == OCCUPATION
    }
    titles = {group: group_title(group) for group in groups}
    by_group = [
        star(titles[group], [(title, cells.get((job, group), ())) for job, title in jobs.items()], True)
        for group in groups
    ]
    by_job = [
        star(title, [(titles[group], cells.get((job, group), ())) for group in groups], False)
        for job, title in jobs.items()
    ]
    drawn = {"by_group": _with_ends(by_group), "by_occupation": _with_ends(by_job)}
    return Matrix(generator, list(titles.values()), list(majors.items()), cards=cards, emergent=listed, **drawn)


def edge_anchors(edges: Sequence[EdgeRow], number: int) -> dict[Triple, str]:
    """Return where on the page each relation of a generator has its card."""
    return {edge.triple: f"edge-{number}-{place}" for place, edge in enumerate(edges)}


def _with_ends(stars: Sequence[Star]) -> list[Star]:
    return [drawn for drawn in stars if drawn.ends]


def _state(edge: EdgeRow) -> str:
    if edge.annotated:
        return "untold" if edge.found is None else "both" if edge.found else "people"
    return "model"


def _mark(relations: Relations, edge: EdgeRow, anchor: str) -> Mark:
    shade = min(_STEPS, 1 + int(edge.intensity * _STEPS)) if edge.found else 0
    back = edge.triple.source.kind != OCCUPATION
    letter, title = type_letter(edge.triple), edge_title(relations, edge.triple)
    contrary = (edge.generator, edge.triple) in relations.contrary
    return Mark(
        letter,
        title,
        anchor=anchor,
        type=edge.triple.type,
        state=_state(edge),
        shade=shade,
        uncertain=edge.uncertain,
        back=back,
        contrary=contrary,
    )


def shown_images(relations: Relations) -> dict[tuple[str, Triple], list[str]]:
    """Return the images of each card, by generator and edge; of the strongest edges first, until there are enough."""
    edges = [edge for rows in relations.edges.values() for edge in rows]
    chosen: dict[tuple[str, Triple], list[str]] = {}
    left = _MOST
    for edge in sorted(edges, key=lambda edge: (not edge.found, -edge.intensity)):
        images = list(edge.tests[0]["images"] or ())[: min(_PICTURES, left)]
        chosen[edge.generator, edge.triple] = images
        left -= len(images)
    return chosen


def _pictures(data: ReportData, images: Sequence[str]) -> list[Thumb]:
    thumbnails = (data.thumbnails.get(image, b"") for image in images)
    return [Thumb(content, t("Image behind the relation")) for content in thumbnails if image_source(content)]


def _card(relations: Relations, edge: EdgeRow, anchor: str, pictures: Sequence[Thumb]) -> Card:
    tests = [(metric_title(row), measured(row), numbers(row)) for row in edge.tests]
    sources = relations.people.get(edge.triple, ())
    return Card(
        anchor,
        edge_title(relations, edge.triple),
        said=edge_said(relations, edge),
        tests=tests,
        sources=sources,
        pictures=pictures,
    )


def type_titles() -> list[tuple[str, str, str]]:
    """Return the kinds of relations: name, letter, title; for the legend and the filter."""
    return [(name, letter, type_title(name)) for name, letter in LETTERS.items()]

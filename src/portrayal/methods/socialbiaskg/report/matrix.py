"""The matrix of occupations and groups for one generator, and a card for each edge with images behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.graph import Triple
from portrayal.methods.socialbiaskg.report.rows import EdgeRow, Relations
from portrayal.methods.socialbiaskg.report.stars import Mark, Star, star
from portrayal.methods.socialbiaskg.report.words import (
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
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviation import Thumb
from portrayal.reports.language import t
from portrayal.reports.pictures import image_source

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


def matrix(data: ReportData, found: Relations, generator: str, number: int) -> Matrix:
    """Return the matrix of a generator; occupations without any relation are left out."""
    edges = found.edges[generator]
    anchors = edge_anchors(edges, number)
    groups = [own.name for own in found.vertices if own.kind != OCCUPATION]
    cells: dict[tuple[str, str], list[Mark]] = {}
    for own in edges:
        cells.setdefault(own.ends, []).append(_mark(found, own, anchors[own.triple]))
    majors: dict[str, list[tuple[str, list[list[Mark]]]]] = {}
    for vertex in found.vertices:
        row = [cells.get((vertex.name, group), []) for group in groups]
        if vertex.kind == OCCUPATION and any(row):
            majors.setdefault(vertex.group, []).append((occupation_title(found, vertex.name), row))
    images = shown_images(found)
    cards = []
    for own in edges:
        pictures = _pictures(data, images[generator, own.triple])
        cards.append(_card(found, own, anchors[own.triple], pictures))
    new = sorted((own for own in edges if not own.annotated), key=lambda own: -own.intensity)
    listed = [(edge_title(found, own.triple), anchors[own.triple]) for own in new]
    jobs = {own.name: occupation_title(found, own.name) for own in found.vertices if own.kind == OCCUPATION}
    titles = {group: group_title(group) for group in groups}
    by_group = [
        star(titles[group], [(own, cells.get((job, group), ())) for job, own in jobs.items()], True) for group in groups
    ]
    by_job = [
        star(own, [(titles[group], cells.get((job, group), ())) for group in groups], False)
        for job, own in jobs.items()
    ]
    drawn = {"by_group": _with_ends(by_group), "by_occupation": _with_ends(by_job)}
    return Matrix(generator, list(titles.values()), list(majors.items()), cards=cards, emergent=listed, **drawn)


def edge_anchors(edges: Sequence[EdgeRow], number: int) -> dict[Triple, str]:
    """Return where on the page each relation of a generator has its card."""
    return {own.triple: f"edge-{number}-{place}" for place, own in enumerate(edges)}


def _with_ends(stars: Sequence[Star]) -> list[Star]:
    return [own for own in stars if own.ends]


def _state(own: EdgeRow) -> str:
    if own.annotated:
        return "untold" if own.found is None else "both" if own.found else "people"
    return "model"


def _mark(found: Relations, own: EdgeRow, anchor: str) -> Mark:
    shade = min(_STEPS, 1 + int(own.intensity * _STEPS)) if own.found else 0
    back = own.triple.source.kind != OCCUPATION
    letter, title = type_letter(own.triple), edge_title(found, own.triple)
    contrary = (own.generator, own.triple) in found.contrary
    return Mark(letter, title, anchor, own.triple.type, _state(own), shade, own.uncertain, back, contrary)


def shown_images(found: Relations) -> dict[tuple[str, Triple], list[str]]:
    """Return the images of each card, by generator and edge; of the strongest edges first, until there are enough."""
    edges = [own for rows in found.edges.values() for own in rows]
    chosen: dict[tuple[str, Triple], list[str]] = {}
    left = _MOST
    for own in sorted(edges, key=lambda own: (not own.found, -own.intensity)):
        images = list(own.tests[0]["images"] or ())[: min(_PICTURES, left)]
        chosen[own.generator, own.triple] = images
        left -= len(images)
    return chosen


def _pictures(data: ReportData, images: Sequence[str]) -> list[Thumb]:
    found = (data.thumbnails.get(image, b"") for image in images)
    return [Thumb(own, t("Image behind the relation")) for own in found if image_source(own)]


def _card(found: Relations, own: EdgeRow, anchor: str, pictures: Sequence[Thumb]) -> Card:
    tests = [(metric_title(row), measured(row), numbers(row)) for row in own.tests]
    sources = found.people.get(own.triple, ())
    return Card(anchor, edge_title(found, own.triple), edge_said(found, own), tests, sources, pictures)


def type_titles() -> list[tuple[str, str, str]]:
    """Return the kinds of relations: name, letter, title; for the legend and the filter."""
    return [(name, letter, type_title(name)) for name, letter in LETTERS.items()]

"""Which pictures of the gallery a reader may ask for: the most uncertain, the most typical, the contested ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from portrayal.records import Attribute
from portrayal.reports.data import Picture

__all__ = ["MOST", "VIEWS", "picture_views"]

VIEWS = ("uncertain", "typical", "contested")
MOST = 24
"""Pictures in the view of the most uncertain."""


def picture_views(pictures: Sequence[Picture], attributes: Mapping[str, Attribute]) -> list[frozenset[str]]:
    """Return for each picture the views that it is in.

    Uncertain are those whose likeliest group has the least of its way from mere guessing to certainty. Typical is, of
    each term and generator, the first whose perceived groups are shared by most of its pictures. Contested are those
    of which two annotators say different groups.
    """
    chosen = {
        "uncertain": _uncertain(pictures, attributes),
        "typical": _typical(pictures),
        "contested": {place for place, picture in enumerate(pictures) if _contested(picture)},
    }
    return [
        frozenset(view for view in VIEWS if place in chosen[view]) if picture.thumbnail else frozenset()
        for place, picture in enumerate(pictures)
    ]


def _uncertain(pictures: Sequence[Picture], attributes: Mapping[str, Attribute]) -> set[int]:
    by_sureness = [
        (sure, place) for place, picture in enumerate(pictures) if (sure := _sureness(picture, attributes)) is not None
    ]
    return {place for _, place in sorted(by_sureness)[:MOST]}


def _sureness(picture: Picture, attributes: Mapping[str, Attribute]) -> float | None:
    """Return how sure the least sure reading is: 0 is guessing among the groups; None: nobody gave probabilities."""
    told = [
        (finding.mass * groups - 1) / (groups - 1)
        for face in picture.faces
        for finding in face.findings
        if finding.attribute in attributes and finding.mass is not None and finding.mass < 1
        if (groups := len(attributes[finding.attribute].groups)) > 1
    ]
    return min(told, default=None) if picture.thumbnail else None


def _groups(picture: Picture) -> set[tuple[str, str, str]]:
    return {(face.who, read.attribute, read.group) for face in picture.faces for read in face.findings if read.group}


def _typical(pictures: Sequence[Picture]) -> set[int]:
    by_cell: dict[tuple[str, str], list[int]] = {}
    for place, picture in enumerate(pictures):
        if picture.thumbnail and _groups(picture):
            by_cell.setdefault((picture.term, picture.generator), []).append(place)
    largest = set()
    for places in by_cell.values():
        common = Counter(group for place in places for group in _groups(pictures[place]))
        means = {
            place: sum(common[group] for group in groups) / len(groups)
            for place in places
            if (groups := _groups(pictures[place]))
        }
        if len(places) > 1:  # a single picture is not typical of anything
            largest.add(max(places, key=lambda place: (means[place], -place)))
    return largest


def _contested(picture: Picture) -> bool:
    """Return whether two annotators, who see one person each, say different groups of one attribute."""
    people = Counter(face.who for face in picture.faces if any(read.group for read in face.findings))
    said: dict[str, set[str]] = {}
    for who, attribute, group in _groups(picture):
        if people[who] == 1:
            said.setdefault(attribute, set()).add(group)
    return any(len(groups) > 1 for groups in said.values())

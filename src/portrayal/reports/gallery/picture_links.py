"""Links within the page: from the row of a chart to the pictures behind it, and from a picture to its rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2s

from portrayal.records import Attribute
from portrayal.reports.data import Picture
from portrayal.reports.lookup import chart_groups

__all__ = ["Back", "Groups", "Links", "group_class", "pictures_anchor", "row_anchor", "shown_groups"]

Groups = Mapping[str, Collection[tuple[str, str]]]
"""Term to the attributes and groups that were perceived in its pictures."""


def _digest(*parts: str) -> str:
    return blake2s("\0".join(parts).encode(), digest_size=5).hexdigest()


def row_anchor(method: str, annotator: str, attribute: str, group: str, item: str) -> str:
    """Return the anchor of the row of a chart that is about ``item``."""
    return f"r{_digest(method, annotator, attribute, group, item)}"


def group_class(attribute: str, group: str) -> str:
    """Return the class of pictures in which a group was perceived."""
    return f"g{_digest(attribute, group)}"


def pictures_anchor(term: str, attribute: str = "", group: str = "") -> str:
    """Return the anchor of a term's pictures in the gallery; with a group, those that show it stand out there."""
    return f"p{_digest(term)}" + (f"-{group_class(attribute, group)}" if group else "")


def shown_groups(pictures: Iterable[Picture]) -> Groups:
    """Return of each term in the gallery what was perceived in its pictures."""
    groups: dict[str, dict[tuple[str, str], None]] = {}
    for picture in pictures:
        told = (read for face in picture.faces for read in face.findings if read.group and picture.thumbnail)
        groups.setdefault(picture.term, {}).update({(read.attribute, read.group): None for read in told})
    return groups


@dataclass(frozen=True, slots=True)
class Links:
    """The links of the rows of one chart."""

    method: str
    annotator: str
    attribute: str
    group: str
    shown: Groups

    def row(self, item: str) -> str:
        """Return the anchor of a row."""
        return row_anchor(self.method, self.annotator, self.attribute, self.group, item)

    def pictures(self, item: str) -> str:
        """Return the anchor of the pictures of a row, or nothing where the gallery has none."""
        if item not in self.shown:
            return ""
        perceived = (self.attribute, self.group) in self.shown[item]
        return pictures_anchor(item, self.attribute, self.group if perceived else "")


@dataclass(frozen=True, slots=True)
class Back:
    """The way from a picture to the rows that count it: ``methods`` that may draw them, ``anchors`` that are drawn."""

    methods: Sequence[str]
    anchors: Collection[str]

    def row(self, annotator: str, attribute: Attribute, group: str, term: str) -> str:
        """Return the anchor of the row about what was perceived in a picture, or nothing where none is drawn."""
        drawn = chart_groups(attribute)
        # Of two groups only one has a chart, which speaks of both.
        name = group if group in drawn else drawn[0]
        rows = (row_anchor(method, annotator, attribute.name, name, term) for method in self.methods)
        return next((row for row in rows if row in self.anchors), "")

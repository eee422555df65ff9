"""Links within the page: from the row of a chart to the pictures behind it, and from a picture to its rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import blake2s

__all__ = ["Links", "group_class", "pictures_anchor", "row_anchor"]


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


@dataclass(frozen=True, slots=True)
class Links:
    """The links of the rows of one chart; ``terms`` are those that the gallery has pictures of."""

    method: str
    annotator: str
    attribute: str
    group: str
    terms: Collection[str]

    def row(self, item: str) -> str:
        """Return the anchor of a row."""
        return row_anchor(self.method, self.annotator, self.attribute, self.group, item)

    def pictures(self, item: str) -> str:
        """Return the anchor of the pictures of a row, or nothing where the gallery has none."""
        return pictures_anchor(item) if item in self.terms else ""

"""What an annotator is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Protocol

from portrayal.records import Abstention, Attribute, Image, Observation
from portrayal.settings import Settings

__all__ = ["Annotator", "AnnotatorFactory"]


class Annotator(Protocol):
    """Looks at images.

    Every image yields at least one row, grouped by image in the order given. Depicted people are subjects counted
    from 0. Where the annotator cannot tell which of several people is meant it still describes each, and adds an
    image-level :class:`Abstention`.
    """

    name: str
    attributes: tuple[Attribute, ...]
    citations: Sequence[str]

    def annotate(self, images: Sequence[Image]) -> Iterator[Observation | Abstention]:
        """Yield what is seen; the result for an image does not depend on the other images of the batch."""
        ...


class AnnotatorFactory(Protocol):
    """The class a registry entry points to: built cheaply, heavy parts loaded at the first use."""

    Options: ClassVar[type[Settings]]

    def __call__(self, argument: str, options: Any) -> Annotator:
        """Return an annotator for what follows the colon in its name and for validated options."""
        ...

"""What an annotator saw in an image, or why it could not say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from portrayal.picturefile import ImageFile
from portrayal.records.drawn.outcome import Person

__all__ = ["OBSERVATION_SCHEMA", "Abstention", "Image", "Observation"]

OBSERVATION_SCHEMA = pa.schema(
    [
        ("image", pa.string()),
        ("annotator", pa.string()),
        ("subject", pa.int32()),
        ("attribute", pa.string()),
        ("mass", pa.list_(pa.float32())),
        ("value", pa.float64()),
        ("box", pa.list_(pa.int32())),
        ("reason", pa.string()),
        ("text", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class Image:
    """An image to look at. Only the ``simulated`` annotator reads ``planted``; every other one reads the file.

    ``people`` is how many its prompt asked for, 0 for a group of any size: of two, subject 0 is the one at the left
    and subject 1 at the right.
    ``text`` is the prompt it was drawn for, suffix included, and ``term`` what that is about. ``sources`` are the files
    of the images it was edited from: one of an edit, and several where edits of different images are the same file.
    A file is a :class:`pathlib.Path`, unless the study keeps its images in a store far away; ``read_bytes`` reads both.
    """

    id: str
    path: ImageFile | None
    planted: Sequence[Person] | None = None
    people: int = 1
    text: str = ""
    sources: tuple[ImageFile, ...] = ()
    term: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """One attribute of one depicted person: a mass over the attribute's groups, a value, or words.

    ``subject`` counts the people in the image from 0; ``box`` is left, top, right, bottom in pixels.
    """

    image: str
    annotator: str
    subject: int
    attribute: str
    mass: tuple[float, ...] | None = None
    value: float | None = None
    box: tuple[int, int, int, int] | None = None
    text: str | None = None

    @property
    def reason(self) -> None:
        """An observation has no reason to be missing."""
        return


@dataclass(frozen=True, slots=True)
class Abstention:
    """Nothing can be said, and why: about the image, or one person in it, or one attribute of one person."""

    image: str
    annotator: str
    reason: str
    subject: int | None = None
    attribute: str | None = None
    box: tuple[int, int, int, int] | None = None

    @property
    def mass(self) -> None:
        """An abstention carries no mass."""
        return

    @property
    def value(self) -> None:
        """An abstention carries no value."""
        return

    @property
    def text(self) -> None:
        """An abstention carries no words."""
        return

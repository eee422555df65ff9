"""What comes in from outside: images that lie in folders, and what others saw in images."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from portrayal.records.asked.prompt import Prompt

__all__ = [
    "SET_ASIDE",
    "Finding",
    "FoundImage",
    "ImageResults",
    "PromptResults",
    "plain_prompt",
    "plain_text",
    "single_precision",
]

Finding = tuple[int | None, str | None, tuple[float, ...] | None, str | None]
"""A row of ``tables/observations`` without its image and annotator: subject, attribute, mass, reason."""

SET_ASIDE: tuple[Finding, ...] = ((None, None, None, "set_aside_by_authors"),)
"""What is known of an image that those who saw it left out of their results."""


@dataclass(frozen=True, slots=True)
class FoundImage:
    """A file that is said to be the picture of a prompt by a model.

    ``listed`` if a list names it; else it was come across in a folder, where other files may lie too. ``about`` is what
    else a list tells of it, by column.
    """

    path: Path
    model: str
    prompt: Prompt
    seed: int = 0
    listed: bool = False
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImageResults:
    """What was seen in an image that only those had who looked at it.

    ``source`` is its place in their file, ``index`` its number among the images of its prompt.
    """

    prompt: Prompt
    source: str
    index: int
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class PromptResults:
    """All that a file of results says about one prompt. ``known`` tells whether the suite has it."""

    prompt: Prompt
    known: bool
    images: Sequence[ImageResults]


def plain_text(name: str) -> str:
    """Return a file's name as text that can be stored; bytes that are not UTF-8 become question marks."""
    return name.encode("utf-8", "replace").decode()


def plain_prompt(text: str) -> str:
    """Return a prompt's text as it is compared: case, underscores and runs of spaces do not matter.

    >>> plain_prompt("A_photo of  one Nurse")
    'a photo of one nurse'
    """
    return " ".join(text.replace("_", " ").casefold().split())


def single_precision(numbers: Sequence[float]) -> tuple[float, ...]:
    """Return the numbers as the tables keep them, so that what is read back is equal.

    >>> single_precision([0.5, 1 / 3])
    (0.5, 0.3333333432674408)
    """
    return tuple(array("f", numbers))

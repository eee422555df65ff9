"""Why something is missing: an image that cannot be used, or an attribute that cannot be told.

A reason is a code that rows carry, perhaps with a detail after a colon (``annotator_error: ValueError``). What a code
means for counting is written here; a code that is not here blocks the image that it is said of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from portrayal.bundles import BundleRegistry

__all__ = ["REASONS", "Reason", "known_reasons", "reason_of", "reason_parts", "reason_text"]


@dataclass(frozen=True, slots=True)
class Reason:
    """A code, what it blocks, and the English words for it.

    Said of a whole image, a reason blocks it; ``fewer_people`` and ``more_people`` say that the image shows another
    number of people than its prompt asked for, which is no reason where that number is wanted. ``nobody`` is true when
    it means that the image shows nobody.
    """

    code: str
    blocks: Literal["image", "fewer_people", "more_people"] = "image"
    nobody: bool = False
    title: str = ""

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.code.replace("_", " "))


REASONS: tuple[Reason, ...] = (
    Reason("no_face", nobody=True),
    Reason("no_person", nobody=True),
    Reason("hallucination", nobody=True),
    Reason("one_face", "fewer_people"),
    Reason("one_person", "fewer_people"),
    Reason("several_faces", "more_people"),
    Reason("several_people", "more_people"),
    Reason("group", title="group of people"),
    Reason("nothing_observed"),
    Reason("not annotated"),
    Reason("tie"),
    Reason("source_missing"),
)
"""The reasons whose meaning counts; every other one blocks its image and is called by its code."""

_BROUGHT: BundleRegistry[Sequence[Reason]] = BundleRegistry("list of reasons", "reasons")


@cache
def known_reasons() -> Mapping[str, Reason]:
    """Return the reasons above and those that methods bring, by code; a method cannot give one another meaning."""
    brought = [reason for name in _BROUGHT.entries() for reason in _BROUGHT.load(name)]
    return {reason.code: reason for reason in (*brought, *REASONS)}


def reason_text(code: str, detail: str = "") -> str:
    """Return a reason as a row carries it.

    >>> reason_text("refused", "content_policy"), reason_text("no_face")
    ('refused: content_policy', 'no_face')
    """
    return f"{code}: {detail}" if detail else code


def reason_parts(text: str) -> tuple[str, str]:
    """Return the code of a reason and its detail, which may be empty.

    >>> reason_parts("refused: content_policy"), reason_parts("no_face")
    (('refused', 'content_policy'), ('no_face', ''))
    """
    code, _, detail = text.partition(": ")
    return code, detail


def reason_of(text: str) -> Reason:
    """Return the reason that a row carries, without its detail.

    >>> reason_of("annotator_error: ValueError")
    Reason(code='annotator_error', blocks='image', nobody=False, title='annotator error')
    """
    code, _ = reason_parts(text)
    return known_reasons().get(code) or Reason(code)

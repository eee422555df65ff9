"""What the scores are made of, with words for people counted apart as the authors' code does, or as one word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from portrayal.methods.tbyb.words.matching import Match, Objects

__all__ = ["Asked", "Scored", "released_order"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The objects of a prompt: ``merged`` with people as one word, ``apart`` as they are written."""

    merged: Objects
    apart: Objects

    @property
    def names(self) -> frozenset[str]:
        """The objects with people as one word."""
        return frozenset(item.lemma for item in self.merged)


@dataclass(frozen=True, slots=True)
class Scored:
    """X and Y of the hallucination, and the words that the distribution bias counts."""

    asked: frozenset[str]
    seen: frozenset[str]
    counted: frozenset[str]


def released_order(objects: Objects, matches: Iterable[Match], counted_as: Mapping[str, str]) -> Scored:
    """Return what the authors' code makes of a caption, whose words were matched with people apart.

    The distribution bias counts words as they are; then words for people become one, in the caption alone. So "woman"
    counts as a word of its own even where a person was asked for, and a man who was asked for is never found.
    """
    listed = list(matches)
    return Scored(
        frozenset(item.lemma for item in objects),
        frozenset(counted_as.get(match.object, match.object) for match in listed),
        frozenset(match.object for match in listed if not match.why),
    )

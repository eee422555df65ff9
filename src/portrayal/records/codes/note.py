"""What is to be known of a number: a code with values, which a page puts into words.

In the English text of a code a place of one letter, ``{n}``, holds a number, perhaps with the noun that goes with it,
``{n|image|images}``; any other holds a name: ``{attribute}`` that of an attribute, ``{group}`` that of a group.
``{names}``, ``{attributes}`` and ``{reasons}`` hold all values of the note, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

__all__ = ["NOTES", "NOTES_TYPE", "Adjustment", "Note", "notes_of", "said"]

NOTES_TYPE = pa.list_(pa.struct([("code", pa.string()), ("values", pa.map_(pa.string(), pa.string()))]))
"""How the notes of a row are stored."""

NOTES: Mapping[str, str] = {
    "only_images": "only {n|image|images}",
    "range_not_known": "no interval: all images agree, or are few, and nobody said between which ends the numbers lie",
    "only_prompts": "only {n|prompt|prompts}",
    "no_usable_images": "no usable images",
    "no_usable_image": "no usable image",
    "no_usable_image_because": "no usable image ({reasons})",
    "annotator_silent": "no data: the annotator says nothing about this attribute",
    "nobody_looked": "no data: nobody looked",
    "not_finite": "not finite: the reference has an empty group that is shown",
    "reference_covers": "reference covers {n} of {m|prompt|prompts}",
    "people_in_images": "{n|person|people} in {m|image|images}",
    "names": "{names}",
    "chosen_prompts": "{n} of {m} prompts",
    "chosen_and_other_prompts": "{n} of {m} prompts and {k|other|others}",
    "chosen_categories": "categories {names}",
}
"""The codes that any method may use, and the English text of each; a method's folder adds its own."""


@dataclass(frozen=True, slots=True)
class Note:
    """A code and its values, in their order.

    >>> Note.of("only_images", n=12)
    Note(code='only_images', values=(('n', '12'),))
    """

    code: str
    values: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, code: str, /, **values: str | int) -> Note:
        """Return a note of named values."""
        return cls(code, tuple((name, str(value)) for name, value in values.items()))

    @classmethod
    def listing(cls, code: str, names: Iterable[str]) -> Note:
        """Return a note of names alone."""
        return cls(code, tuple((name, "") for name in names))

    def __getitem__(self, name: str) -> str:
        return dict(self.values)[name]


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A way in which a suite or a method differs from the published one, and what it consists in."""

    what: Note
    details: tuple[Note, ...] = ()

    @classmethod
    def selection(cls, ours: set[str], theirs: set[str], details: Iterable[Note]) -> tuple[Adjustment, ...]:
        """Return how prompts chosen differ from those published, both by id; nothing where they do not."""
        if ours == theirs:
            return ()
        numbers = {"n": len(ours & theirs), "m": len(theirs)}
        what = Note.of("chosen_prompts", **numbers)
        if others := len(ours - theirs):
            what = Note.of("chosen_and_other_prompts", **numbers, k=others)
        return (cls(what, tuple(details)),)


def said(*notes: Note | None) -> tuple[Note, ...]:
    """Return the notes that there are."""
    return tuple(note for note in notes if note is not None)


def notes_of(stored: Any) -> tuple[Note, ...]:
    """Return notes as they come from a table: none, records, or already notes."""
    return tuple(
        note if isinstance(note, Note) else Note(note["code"], tuple(dict(note["values"] or ()).items()))
        for note in stored or ()
    )

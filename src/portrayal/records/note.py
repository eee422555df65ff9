"""What is to be known of a number: a code with values, which a page puts into words.

In the English text of a code a place of one letter, ``{n}``, holds a number, perhaps with the noun that goes with it,
``{n|image|images}``; any other holds a name: ``{attribute}`` that of an attribute, ``{reasons}`` and ``{attributes}``
all values of the note, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

__all__ = ["NOTES", "NOTES_TYPE", "Note", "notes_of", "said"]

NOTES_TYPE = pa.list_(pa.struct([("code", pa.string()), ("values", pa.map_(pa.string(), pa.string()))]))
"""How the notes of a row are stored."""

NOTES: Mapping[str, str] = {
    "only_images": "only {n|image|images}",
    "only_prompts": "only {n|prompt|prompts}",
    "no_usable_images": "no usable images",
    "no_usable_image": "no usable image",
    "no_usable_image_because": "no usable image ({reasons})",
    "annotator_silent": "no data: the annotator says nothing about this attribute",
    "nobody_looked": "no data: nobody looked",
    "not_finite": "not finite: the reference has an empty group that is shown",
    "reference_covers": "reference covers {n} of {m|prompt|prompts}",
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

    def __getitem__(self, name: str) -> str:
        return dict(self.values)[name]


def said(*notes: Note | None) -> tuple[Note, ...]:
    """Return the notes that there are."""
    return tuple(note for note in notes if note is not None)


def notes_of(stored: Any) -> tuple[Note, ...]:
    """Return notes as they come from a table: none, records, or already notes."""
    return tuple(
        note if isinstance(note, Note) else Note(note["code"], tuple(dict(note["values"] or ()).items()))
        for note in stored or ()
    )

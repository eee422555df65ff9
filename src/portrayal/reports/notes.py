"""Notes and reasons in words: codes with values until here, text from here on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from portrayal.bundles import BundleRegistry
from portrayal.records import NOTES, Attribute, Note
from portrayal.reports.language import NBSP, PLACE, digits, t, word
from portrayal.reports.words import aspect_title, count, human

__all__ = ["naming", "note_words", "notes_words", "plain_notes"]

_TEXTS: BundleRegistry[Mapping[str, str]] = BundleRegistry("notes", "notes")
_attributes: ContextVar[Mapping[str, Attribute] | None] = ContextVar("attributes", default=None)


@contextmanager
def naming(attributes: Mapping[str, Attribute]) -> Iterator[None]:
    """Have attributes within called by the titles that a study gives them."""
    token = _attributes.set(attributes)
    try:
        yield
    finally:
        _attributes.reset(token)


def notes_words(notes: Iterable[Note]) -> str:
    """Return notes in the language spoken, as one text."""
    return "; ".join(map(note_words, notes))


def plain_notes(notes: Iterable[Note]) -> str:
    """Return notes for a table of numbers: with plain spaces only.

    >>> plain_notes([Note.of("only_images", n=1), Note.of("no_usable_image_because", no_face=4, tie=2)])
    'only 1 image; no usable image (no face 4, tie 2)'
    """
    return notes_words(notes).replace(NBSP, " ")


def note_words(note: Note) -> str:
    """Return a note in the language spoken; one of a method that is not installed is named by its code."""
    text = _texts().get(note.code)
    if text is None:
        return ", ".join([human(note.code), *(f"{name} {value}" for name, value in note.values)])
    return t(text, **dict(_values(text, note)))


@cache
def _texts() -> Mapping[str, str]:
    """Return the English text of every code; a method cannot reword those that any may use."""
    found: dict[str, str] = {}
    for name in _TEXTS.entries():
        found |= _TEXTS.load(name)
    return {**found, **NOTES}


def _values(text: str, note: Note) -> Iterator[tuple[str, str | int]]:
    for name, noun, _ in PLACE.findall(text):
        if name == "reasons":
            yield name, ", ".join(f"{human(reason)} {count(int(number))}" for reason, number in note.values)
        elif name == "attributes":
            yield name, ", ".join(_title(attribute) for attribute, _ in note.values)
        elif name == "attribute":
            yield name, _title(note[name])
        elif noun:
            yield name, int(note[name])
        else:
            yield name, digits(note[name]) if len(name) == 1 else word(note[name])


def _title(attribute: str) -> str:
    return aspect_title(attribute, _attributes.get() or {})

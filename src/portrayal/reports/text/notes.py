"""Notes and reasons in words: codes with values until here, text from here on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from portrayal.bundles import BundleRegistry
from portrayal.language.translation import NBSP, PLACE, digits, t, word
from portrayal.records import NOTES, Adjustment, Attribute, Note, attribute_table, reason_of, reason_parts, reason_text
from portrayal.reports.text.words import aspect_title, count, human

__all__ = [
    "adjustment_words",
    "attribute_named",
    "naming",
    "note_codes",
    "note_words",
    "notes_words",
    "plain_adjustment",
    "plain_notes",
]
__all__ += ["reason_words"]

SHOWN = 10
"""Of more names or details than this, the first are said and the others counted."""

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


def attribute_named(name: str) -> Attribute | None:
    """Return an attribute of the study, or else one that Portrayal knows, by its name."""
    return (_attributes.get() or {}).get(name) or attribute_table().get(name)


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
    """Return a note in the language spoken; one that nobody has words for, with its values, is named by its code."""
    text = _texts().get(note.code)
    listed = {"reasons", "attributes", "names"}
    if text is None or {name for name, _, _ in PLACE.findall(text)} - listed - dict(note.values).keys():
        return ", ".join([human(note.code), *(f"{name} {value}" for name, value in note.values)])
    return t(text, **dict(_values(text, note)))


def adjustment_words(adjustment: Adjustment) -> str:
    """Return how something differs from the published in the language spoken."""
    details = _shortened([note_words(note) for note in adjustment.details], "; ")
    return note_words(adjustment.what) + (f": {details}" if details else "")


def plain_adjustment(adjustment: Adjustment) -> str:
    """Return the same for a file: with plain spaces only."""
    return adjustment_words(adjustment).replace(NBSP, " ")


def _shortened(said: Sequence[str], mark: str) -> str:
    shown = mark.join(said[:SHOWN])
    return t("{shown} and {n} more", shown=shown, n=count(len(said) - SHOWN)) if len(said) > SHOWN else shown


def note_codes() -> Mapping[str, str]:
    """Return the English text of every code; a method cannot reword those that any may use."""
    texts: dict[str, str] = {}
    for name in _TEXTS.entries():
        texts |= _TEXTS.load(name)
    return {**texts, **NOTES}


_texts = cache(note_codes)


def _values(text: str, note: Note) -> Iterator[tuple[str, str | int]]:
    for name, noun, _ in PLACE.findall(text):
        if name == "reasons":
            yield name, ", ".join(f"{reason_words(reason)} {count(int(number))}" for reason, number in note.values)
        elif name in ("attributes", "names"):
            each = _title if name == "attributes" else word
            yield name, _shortened([each(value) for value, _ in note.values], ", ")
        elif noun:
            yield name, int(note[name])
        else:
            yield name, _value(name, note[name])


def _value(name: str, value: str) -> str:
    if name == "attribute":
        return _title(value)
    if name == "group":
        return human(value)
    if len(name) == 1 and value.isdecimal():
        return count(int(value))
    return digits(value) if len(name) == 1 and value[:1].isdecimal() else word(value)


def reason_words(text: str) -> str:
    """Return a reason, and its detail where it has one, in the language spoken.

    >>> reason_words("group"), reason_words("refused: content_policy")
    ('group of people', 'refused: content policy')
    """
    detail = reason_parts(text)[1]
    return reason_text(word(reason_of(text).title), human(detail) if detail else "")


def _title(attribute: str) -> str:
    return aspect_title(attribute, _attributes.get() or {})

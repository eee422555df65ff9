"""What a number rests on: images, or people where each of those in an image counts."""

from __future__ import annotations

from portrayal.records import Measurement, Note
from portrayal.reports.text.notes import note_words
from portrayal.reports.text.words import images

__all__ = ["image_count", "rests_on"]


def _people(row: Measurement) -> Note | None:
    return next((note for note in row.notes if note.code == "people_in_images"), None)


def image_count(row: Measurement) -> int:
    """Return how many images a number rests on, however many people are counted in them."""
    people = _people(row)
    return row.n if people is None else int(people["m"])


def rests_on(row: Measurement) -> str:
    """Return what a number rests on, in words.

    >>> row = Measurement("m", "share", "g", n=5, notes=(Note.of("people_in_images", n=5, m=3),))
    >>> rests_on(row).replace("\\N{NO-BREAK SPACE}", " ")
    '5 people in 3 images'
    """
    people = _people(row)
    return images(row.n) if people is None else note_words(people)

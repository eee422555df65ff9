"""What a number rests on: images, or people where each of those in an image counts."""

from __future__ import annotations

from portrayal.records import Measurement, Note
from portrayal.reports.text.notes import note_words
from portrayal.reports.text.words import images

__all__ = ["image_count", "is_counted", "rests_on"]


def _people(row: Measurement) -> Note | None:
    return next((note for note in row.notes if note.code == "people_in_images"), None)


def image_count(row: Measurement) -> int:
    """Return how many images a number rests on, however many people are counted in them."""
    people = _people(row)
    return row.n if people is None else int(people["m"])


def is_counted(row: Measurement) -> bool:
    """Return whether a share is that of so many whole pictures; annotators may give each a probability.

    >>> is_counted(Measurement("m", "share", "g", value=0.47, n=100)), is_counted(Measurement("m", "share", "g",
    ... value=0.474, n=100))
    (True, False)
    """
    seen = (row.value or 0.0) * row.n
    return row.prompts <= 1 and abs(seen - round(seen)) < 1e-6


def rests_on(row: Measurement) -> str:
    """Return what a number rests on, in words.

    >>> row = Measurement("m", "share", "g", n=5, notes=(Note.of("people_in_images", n=5, m=3),))
    >>> rests_on(row).replace("\\N{NO-BREAK SPACE}", " ")
    '5 people in 3 images'
    """
    people = _people(row)
    return images(row.n) if people is None else note_words(people)

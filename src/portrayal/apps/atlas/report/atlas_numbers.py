"""Numbers of the atlas as text: enough digits that an interval is one, and a margin never reads as nothing.

Beside scores that move with the number of images, that is said.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from portrayal.language.translation import t
from portrayal.reports.text.words import count, decimal, human, join, score_digits, signed, span

__all__ = ["image_notes", "margin", "moving", "value_with_interval"]

DIGITS = 3
_MOST_DIGITS = 6


def value_with_interval(
    value: float, low: float | None, high: float | None, *, sign: bool = False, digits: int = DIGITS
) -> str:
    """Return a number with its interval in brackets; one whose ends are the same is none, and is left out.

    >>> value_with_interval(0.5, 0.4, 0.6), value_with_interval(22.0, 22.0, 22.0), value_with_interval(0.5, None, None)
    ('0.500 (0.400–0.600)', '22.000', '0.500')
    """
    write = signed if sign else decimal
    places = digits if low is None or high is None else max(digits, score_digits(low, high) if high > low else 0)
    text = write(value, places)
    if low is None or high is None:
        return text
    ends = write(low, places), write(high, places)
    return text if ends[0] == ends[1] else f"{text} ({span(*ends)})"


def margin(value: float) -> str:
    """Return a size rounded up, with two digits that count.

    >>> margin(0.0312), margin(0.00031), margin(4.21), margin(0.0)
    ('0.032', '0.00031', '4.3', '0')
    """
    if value <= 0:
        return decimal(0, 0)
    places = min(max(1 - math.floor(math.log10(value)), 0), _MOST_DIGITS)
    step = 10.0**places
    return decimal(math.ceil(value * step - 1e-9) / step, places)


Row = Mapping[str, Any]


def image_notes(section: Row) -> list[str]:
    """Return what to know of the numbers of images, where a score moves with them."""
    notes = moving(section["scores"], section["images"])
    if notes and section["images_unknown"]:
        notes.append(t("How many images there were is not known of {n|model|models}.", n=section["images_unknown"]))
    return notes


def moving(scores: Sequence[Row], images: Sequence[int] | None) -> list[str]:
    """Say which scores grow or shrink with the number of images, and from where to where that goes, if it differs."""
    grows, shrinks = (
        join([str(score["symbol"] or human(score["title"])) for score in scores if score["by_images"] * sign > 0])
        for sign in (1, -1)
    )
    said = {"grows": bool(grows), "shrinks": bool(shrinks)}
    if not images:
        return [text for kind, text in _alike(grows, shrinks).items() if said[kind]]
    low, high = (count(number) for number in images)
    return [text for kind, text in _apart(grows, shrinks, low, high).items() if said[kind]]


def _alike(grows: str, shrinks: str) -> dict[str, str]:
    return {
        "grows": t(
            "{score} grows with the number of images: compare it only between models with about as many.", score=grows
        ),
        "shrinks": t(
            "{score} shrinks with the number of images: compare it only between models with about as many.",
            score=shrinks,
        ),
    }


def _apart(grows: str, shrinks: str, low: str, high: str) -> dict[str, str]:
    return {
        "grows": t(
            "{score} grows with the number of images, which goes from {low} to {high} here: compare it only between "
            "models with about as many.",
            score=grows,
            low=low,
            high=high,
        ),
        "shrinks": t(
            "{score} shrinks with the number of images, which goes from {low} to {high} here: compare it only between "
            "models with about as many.",
            score=shrinks,
            low=low,
            high=high,
        ),
    }

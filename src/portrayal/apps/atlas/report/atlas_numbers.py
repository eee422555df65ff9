"""Numbers of the atlas as text: enough digits that an interval is one, and a margin never reads as nothing.

Beside scores that move with the number of images, that is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from portrayal.apps.atlas.evaluations.atlas_summary import ProtocolSummary
from portrayal.language.translation import t
from portrayal.methods.atlas_part import ScoreKind
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


def image_notes(section: ProtocolSummary) -> list[str]:
    """Return what to know of the numbers of images, where a score moves with them."""
    columns = section.columns
    notes = moving(section.scores, columns.images)
    unknown = sum(columns.evaluations[place].images is None for place in columns.current.tolist())
    if notes and unknown:
        notes.append(t("How many images there were is not known of {n|model|models}.", n=unknown))
    return notes


def moving(scores: Sequence[ScoreKind], images: Sequence[int] | None) -> list[str]:
    """Say which scores grow or shrink with the number of images, and from where to where that goes, if it differs."""
    said = []
    for way in (1, -1):
        names = [score.symbol or human(score.title) for score in scores if score.by_images == way]
        said += [_moves(join(names), images, grows=way > 0)] if names else []
    return said


def _moves(score: str, images: Sequence[int] | None, *, grows: bool) -> str:
    if not images:
        return (
            t(
                "{score} grows with the number of images: compare it only between models with about as many.",
                score=score,
            )
            if grows
            else t(
                "{score} shrinks with the number of images: compare it only between models with about as many.",
                score=score,
            )
        )
    told = {"score": score, "low": count(images[0]), "high": count(images[1])}
    if grows:
        return t(
            "{score} grows with the number of images, which goes from {low} to {high} here: compare it only between "
            "models with about as many.",
            **told,
        )
    return t(
        "{score} shrinks with the number of images, which goes from {low} to {high} here: compare it only between "
        "models with about as many.",
        **told,
    )

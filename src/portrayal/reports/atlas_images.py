"""Scores that move with the number of images: what is said beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from portrayal.reports.language import t
from portrayal.reports.words import count, human, join

__all__ = ["image_notes", "moving"]

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

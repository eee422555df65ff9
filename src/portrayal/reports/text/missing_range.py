"""The range in which a study states the shares of missing images to lie, in words: beside every verdict on it."""

from __future__ import annotations

from portrayal.language.translation import digits, t

__all__ = ["stated_points", "stated_words"]


def stated_points(within: float) -> str:
    """Return the range in points.

    >>> stated_points(0.2), stated_points(0.025)
    ('20', '2.5')
    """
    return digits(f"{100 * within:.1f}".removesuffix(".0"))


def stated_words(within: float) -> str:
    """Return the sentence about a verdict that holds only in the range stated."""
    return t(
        "This takes for granted that shares among missing pictures lie at most {x} points from those among the others; "
        "this study states that, and nobody measured it.",
        x=stated_points(within),
    )

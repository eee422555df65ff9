"""The range in which a study states the shares of missing images to lie, in words: beside every verdict on it."""

from __future__ import annotations

from portrayal.language.translation import digits, t

__all__ = ["stated_points", "stated_words"]


def stated_points(within: float) -> str:
    """Return a range or a margin that somebody stated in points, as it was stated: rounded it would be another one.

    >>> stated_points(0.2), stated_points(0.025), stated_points(0.0005), stated_points(0.07)
    ('20', '2.5', '0.05', '7')
    """
    return digits(f"{100 * within:.4g}")


def stated_words(within: float) -> str:
    """Return the sentence about a verdict that holds only in the range stated."""
    return t(
        "This takes for granted that shares among missing pictures lie at most {x} points from those among the others; "
        "this study states that, and nobody measured it.",
        x=stated_points(within),
    )

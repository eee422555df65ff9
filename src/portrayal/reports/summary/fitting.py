"""What fits on one sheet: lines are counted before anything is printed, with room to spare."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from portrayal.reports.text.letter_widths import columns

__all__ = ["line_count", "taken_in_order", "total"]


def line_count(text: str, width: int) -> int:
    """Return how many lines of ``width`` Latin letters a text takes; letters of some scripts are twice as wide.

    >>> line_count("a" * 81, 40), line_count("", 40)
    (3, 0)
    """
    return math.ceil(columns(text) / width)


def taken_in_order(texts: Sequence[str], lines: float, width: int) -> tuple[list[str], int]:
    """Return the texts that fit into so many lines, the first ones first, and how many do not.

    One that is too long is left out whole: half a sentence may say the opposite.
    """
    taken: list[str] = []
    for text in texts:
        needed = line_count(text, width)
        if needed <= lines:
            taken.append(text)
            lines -= needed
    return taken, len(texts) - len(taken)


def total(texts: Iterable[str], width: int) -> int:
    """Return how many lines several texts take, each on lines of its own."""
    return sum(line_count(text, width) for text in texts)

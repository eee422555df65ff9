"""How much room text takes: Chinese, Japanese and Korean letters are twice as wide as Latin ones, accents take none."""

from __future__ import annotations

import re
import textwrap
import unicodedata

__all__ = ["columns", "wrapped"]

_WORD = re.compile(r"[^ \t\n\r\f\v]+")
"""No line is broken at a space that must not break."""


def columns(text: str) -> int:
    """Return how many Latin letters a text is as wide as.

    >>> columns("baker"), columns("パン職人"), columns("مُعَلِّم")
    (5, 8, 4)
    """
    return sum(
        2 if unicodedata.east_asian_width(letter) in "WF" else unicodedata.category(letter) not in ("Mn", "Me", "Cf")
        for letter in text
    )


def wrapped(text: str, width: int) -> list[str]:
    """Return lines of at most ``width`` Latin letters, broken at spaces; what has no space is broken where it is full.

    >>> wrapped("a portrait of a baker", 12), wrapped("パン職人の肖像", 8)
    (['a portrait', 'of a baker'], ['パン職人', 'の肖像'])
    """
    if columns(text) == len(text):
        return textwrap.wrap(text, width)
    lines: list[str] = []
    line = ""
    for word in _WORD.findall(text):
        joined = f"{line} {word}" if line else word
        if columns(joined) > width and line:
            lines.append(line)
            joined = word
        while columns(joined) > width:
            fits = _fitting(joined, width)
            lines.append(joined[:fits])
            joined = joined[fits:]
        line = joined
    return [*lines, line] if line else lines


def _fitting(text: str, width: int) -> int:
    """Return how many letters stand on one line, at least one; an accent stays with its letter."""
    return max((end for end in range(1, len(text) + 1) if columns(text[:end]) <= width), default=1)

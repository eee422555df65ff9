"""Names from right to left within text from left to right: each keeps its order, and what follows its place."""

from __future__ import annotations

import re

__all__ = ["apart", "is_from_right", "joined"]

_FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_APART, _END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def is_from_right(text: str) -> bool:
    """Return whether text holds letters that run from right to left, such as Arabic or Hebrew ones."""
    return bool(_FROM_RIGHT.search(text))


def apart(text: str) -> str:
    """Return text whose letters run from right to left, set apart by marks that are not seen; other text stays.

    Without the marks a number behind an Arabic name would be shown before it, and a full stop at the wrong end.

    >>> apart("baker"), [f"{ord(mark):x}" for mark in apart("خباز")[::5]]
    ('baker', ['2068', '2069'])
    """
    return f"{_APART}{text}{_END}" if is_from_right(text) else text


def joined(text: str) -> str:
    """Return text without the marks of `apart`, for what holds data.

    >>> joined(apart("خباز")) == "خباز"
    True
    """
    return text.replace(_APART, "").replace(_END, "")

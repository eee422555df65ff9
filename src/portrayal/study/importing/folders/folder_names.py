"""What the name of a folder may be: a model, a prompt, or nothing, as that of a day or a seed."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["can_be_model", "can_be_prompt", "counts_up", "meaningful"]

_DAY_OR_NUMBER = re.compile(r"\d{4}([-_.]?\d\d?){0,2}|\d{1,3}|\d{6,}")
_COUNTED = re.compile(r"(day|seed|batch|run|part)[-_ ]?\d+", re.IGNORECASE)


def can_be_prompt(name: str) -> bool:
    """Return whether a folder may be named after a prompt: there is a letter in it."""
    return any(char.isalpha() for char in name)


def can_be_model(name: str) -> bool:
    """Return whether a folder may be named after a model, as ``1.5``, and not after a day or by a number."""
    return not _DAY_OR_NUMBER.fullmatch(name)


def counts_up(name: str) -> bool:
    """Return whether a folder below that of a prompt or a model surely only counts.

    >>> [counts_up(name) for name in ("seed0", "day 1", "Batch_12", "2024-05-01", "nurse", "prompt1")]
    [True, True, True, True, False, False]
    """
    return bool(_COUNTED.fullmatch(name)) or not can_be_model(name)


def meaningful(folders: Sequence[str], number: int) -> Sequence[str] | None:
    """Return the outermost folders that are named after something, of those that a file lies in; None if too few do.

    Where days and numbers leave fewer than that, the folders may be named by numbers on purpose, and all count.

    >>> meaningful(("2024-05-01", "sdxl", "nurse", "seed0"), 2), meaningful(("7", "42"), 2), meaningful(("sdxl",), 2)
    (('sdxl', 'nurse'), ('7', '42'), None)
    """
    named = tuple(name for name in folders if can_be_model(name))
    chosen = named if len(named) >= number else tuple(folders)
    return chosen[:number] if len(chosen) >= number else None

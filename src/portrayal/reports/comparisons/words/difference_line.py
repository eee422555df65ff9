"""A difference as a row of a table."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DifferenceLine"]


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """A row of a table of differences, all of it text; ``code`` is the verdict for a style sheet."""

    about: str
    group: str
    one: str
    other: str
    difference: str
    interval: str
    p: str
    verdict: str
    code: str

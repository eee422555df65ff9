"""One vertex and those it has relations with, drawn side by side: a line for each relation, with its direction.

The names are a list of HTML, as high as the drawing beside it: they stay readable on any screen, and can be read aloud.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Line", "Mark", "Star", "star"]

_ROW = 28
"""Height of a row of the list, in pixels at the usual size of text."""
_WIDTH = 120
_START, _BEND, _END, _TIP = 6, 50, 94, 104
_BESIDE = 7
"""Pixels between lines that end at the same vertex."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An edge in its cell of the matrix; ``state`` is both, people, model or untold, ``shade`` from 0 to 4.

    ``back``: it leads from the group to the occupation. ``contrary``: the model has a contrary edge.
    """

    letter: str
    title: str
    anchor: str
    type: str
    state: str
    shade: int
    uncertain: bool
    back: bool
    contrary: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A relation as it is drawn: the path of its line and that of its arrowhead."""

    path: str
    arrow: str
    mark: Mark


@dataclass(frozen=True)
class Star:
    """A vertex, the names of those it has relations with, with their marks, and the lines between them."""

    title: str
    ends: Sequence[tuple[str, Sequence[Mark]]]
    lines: Sequence[Line]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the drawing."""
        return _WIDTH, _ROW * len(self.ends)

    @property
    def dots(self) -> list[tuple[float, float]]:
        """Where the vertices are: this one, then those on the other side."""
        others = [(_WIDTH - 8, _ROW * (place + 0.5)) for place in range(len(self.ends))]
        return [(_START, self.size[1] / 2), *others]


def star(title: str, ends: Sequence[tuple[str, Sequence[Mark]]], of_group: bool) -> Star:
    """Return the drawing of a vertex, a group or an occupation; those without a relation to it are left out."""
    kept = [(name, marks) for name, marks in ends if marks]
    middle = _ROW * len(kept) / 2
    lines = []
    for place, (_, marks) in enumerate(kept):
        for number, mark in enumerate(marks):
            down = _ROW * (place + 0.5) + _BESIDE * (number - (len(marks) - 1) / 2)
            path = f"M{_START} {middle:g}C{_BEND} {middle:g} {_BEND} {down:g} {_END} {down:g}"
            lines.append(Line(path, _arrow(down, outwards=mark.back == of_group), mark))
    return Star(title, kept, lines)


def _arrow(down: float, outwards: bool) -> str:
    """Return an arrowhead at the end of a line: away from the vertex on the left, or towards it."""
    base, tip = (_END, _TIP) if outwards else (_TIP, _END)
    return f"M{base} {down - 4:g}L{tip} {down:g}L{base} {down + 4:g}Z"

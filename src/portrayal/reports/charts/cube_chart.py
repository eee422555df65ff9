"""Points in a cube seen from a fixed side, as values: what draws them needs no scripts and no mathematics.

The floor has two of the axes, the third rises. A line goes from each point straight down to the floor, so its place
there can be read too. What lies nearest and highest is 1 on all three.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["HEIGHT", "WIDTH", "Space", "SpaceLine", "SpaceText", "space"]

Point = tuple[float, float, float]
WIDTH, HEIGHT = 640, 440
_ORIGIN = (320.0, 222.0)
_ACROSS, _ALONG, _UP = (232.0, 84.0), (-232.0, 84.0), (0.0, -182.0)
"""Where a step of 1 on each axis leads on the picture: to the right and nearer, to the left and nearer, up."""
_STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
_CLOSE = 13.0
"""Labels nearer to each other than this cannot be read."""


@dataclass(frozen=True, slots=True)
class SpaceLine:
    """A line; its kind is ``grid``, ``axis`` or ``drop``."""

    kind: str
    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class SpaceText:
    """Words at a place; its kind is ``axis``, ``tick`` or ``label``."""

    kind: str
    at: tuple[float, float]
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Space:
    """The cube with its points, the farthest first; ``feet`` are their places on the floor."""

    title: str
    summary: str
    lines: Sequence[SpaceLine]
    texts: Sequence[SpaceText]
    feet: Sequence[tuple[float, float]]
    points: Sequence[tuple[float, float, str]]
    """Where a mark stands, and what is said of it."""


def space(title: str, summary: str, axes: Sequence[str], points: Sequence[tuple[Point, str, str]]) -> Space:
    """Return the picture of points between 0 and 1 on three axes, each with a short label and what is said of it."""
    order = sorted(points, key=lambda point: (point[0][0] + point[0][1], point[0][2]))
    marks = [(*_seen(place), said) for place, _, said in order]
    feet = [_seen((x, y, 0.0)) for (x, y, _), _, _ in order]
    drops = [SpaceLine("drop", (x, y), foot) for (x, y, _), foot in zip(marks, feet, strict=True)]
    labels = list(_labels([((x, y), label) for (x, y, _), (_, label, _) in zip(marks, order, strict=True)]))
    return Space(
        title, summary, lines=[*_frame(), *drops], texts=[*_axis_texts(axes), *labels], feet=feet, points=marks
    )


def _seen(point: Point) -> tuple[float, float]:
    x, y, z = point
    return (
        round(_ORIGIN[0] + x * _ACROSS[0] + y * _ALONG[0] + z * _UP[0], 1),
        round(_ORIGIN[1] + x * _ACROSS[1] + y * _ALONG[1] + z * _UP[1], 1),
    )


def _frame() -> Iterator[SpaceLine]:
    """Yield the grid of the floor and of the two walls behind, then the three axes."""
    for step in _STEPS:
        yield SpaceLine("grid", _seen((step, 0, 0)), _seen((step, 1, 0)))
        yield SpaceLine("grid", _seen((0, step, 0)), _seen((1, step, 0)))
        yield SpaceLine("grid", _seen((step, 0, 0)), _seen((step, 0, 1)))
        yield SpaceLine("grid", _seen((0, step, 0)), _seen((0, step, 1)))
        yield SpaceLine("grid", _seen((0, 0, step)), _seen((1, 0, step)))
        yield SpaceLine("grid", _seen((0, 0, step)), _seen((0, 1, step)))
    yield SpaceLine("axis", _seen((0, 1, 0)), _seen((1, 1, 0)))
    yield SpaceLine("axis", _seen((1, 0, 0)), _seen((1, 1, 0)))
    yield SpaceLine("axis", _seen((0, 1, 0)), _seen((0, 1, 1)))


def _axis_texts(axes: Sequence[str]) -> Iterator[SpaceText]:
    """Yield what the axes are, along the edges that face the reader, and where they are 0 and 1."""
    across, along, up = axes
    for name, anchor, middle, ends, shift in (
        (across, "end", (0.5, 1.0, 0.0), ((0.0, 1.0, 0.0), (1.0, 1.0, 0.0)), (-14, 30)),
        (along, "start", (1.0, 0.5, 0.0), ((1.0, 0.0, 0.0), (1.0, 1.0, 0.0)), (14, 30)),
        (up, "start", (0.0, 1.0, 1.0), ((0.0, 1.0, 0.0), (0.0, 1.0, 1.0)), (-30, -14)),
    ):
        yield SpaceText("axis", _moved(_seen(middle), shift), anchor, name)
        for end, label in zip(ends, ("0", "1"), strict=True):
            sideways = (-12, 4) if name == up else ((-8, 14) if anchor == "end" else (8, 14))
            yield SpaceText("tick", _moved(_seen(end), sideways), "end" if name == up else anchor, label)


def _moved(at: tuple[float, float], by: tuple[float, float]) -> tuple[float, float]:
    return round(at[0] + by[0], 1), round(at[1] + by[1], 1)


def _labels(marks: Sequence[tuple[tuple[float, float], str]]) -> Iterator[SpaceText]:
    """Yield the labels beside the marks; one that another stands in the way of moves up until it can be read."""
    taken: list[tuple[float, float]] = []
    for (x, y), label in marks:
        at = x + 9, y + 4
        while any(abs(at[0] - other[0]) < 2 * _CLOSE and abs(at[1] - other[1]) < _CLOSE for other in taken):
            at = at[0], at[1] - _CLOSE
        taken.append(at)
        yield SpaceText("label", (round(at[0], 1), round(at[1], 1)), "start", label)

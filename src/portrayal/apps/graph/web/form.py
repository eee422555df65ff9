"""The form about one vertex: a row for each pair, a box for each type of relation, and what a sent form says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.exceptions import HTTPException

from portrayal.apps.graph.annotations.sheets import Pair
from portrayal.apps.graph.web.service import Answers
from portrayal.graph.domain import Domain
from portrayal.graph.typed_graph import Key, Schema
from portrayal.web.security.csrf import CSRF_FIELD

__all__ = [
    "VERSION",
    "Block",
    "Box",
    "Row",
    "blocks",
    "contradicting_rows",
    "field_count",
    "opposed_rows",
    "read_answers",
]

SKIP = "skip"
"""The button that leaves the whole page unjudged."""
VERSION = "version"
"""The hidden field that says which answers the page was filled in with."""
_OTHERS = (CSRF_FIELD, SKIP, VERSION, "save")


@dataclass(frozen=True, slots=True)
class Box:
    """A box to tick: the name of its field, the type of relation it stands for, and whether it is ticked."""

    field: str
    type: str
    checked: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A pair: the other vertex, a box for each type, and one for not judging it."""

    other: Key
    boxes: Sequence[Box]
    unjudged: Box


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of one direction."""

    direction: str
    rows: Sequence[Row]


def blocks(domain: Domain, vertex: Key, pairs: Sequence[Pair], answers: Answers) -> list[Block]:
    """Return the form about a vertex, filled in with what was answered before."""
    by_direction: dict[str, list[Row]] = {direction: [] for direction in domain.schema.directions}
    for place, pair in enumerate(pairs):
        direction = f"{pair[0].kind}_to_{pair[1].kind}"
        given = answers.get(pair, frozenset())
        types = [name for name, ways in domain.schema.types.items() if direction in ways]
        boxes = [Box(_field(place, number), name, name in (given or ())) for number, name in enumerate(types)]
        other = next(end for end in pair if end != vertex)
        by_direction[direction].append(Row(other, boxes, Box(f"u{place}", "", given is None)))
    return [Block(direction, rows) for direction, rows in by_direction.items() if rows]


def field_count(form: Sequence[Block]) -> int:
    """Return how many fields a form may have."""
    return sum(len(row.boxes) + 1 for block in form for row in block.rows) + len(_OTHERS)


def read_answers(form: Sequence[Block], pairs: Sequence[Pair], sent: Mapping[str, str]) -> Answers:
    """Return what a sent form says of each pair; 400 for a field that the page does not have."""
    rows = [row for block in form for row in block.rows]
    known = {box.field for row in rows for box in (*row.boxes, row.unjudged)}
    if not sent.keys() <= {*known, *_OTHERS}:
        raise HTTPException(400)
    if sent.get(SKIP):
        return dict.fromkeys(pairs)
    by_place = {row.unjudged.field: row for row in rows}
    answers: dict[Pair, frozenset[str] | None] = {}
    for place, pair in enumerate(pairs):
        row = by_place[f"u{place}"]
        types = frozenset(box.type for box in row.boxes if box.field in sent)
        answers[pair] = None if row.unjudged.field in sent and not types else types
    return answers


def contradicting_rows(form: Sequence[Block], sent: Mapping[str, str]) -> list[Row]:
    """Return the rows in which a relation is ticked and not judging it, too."""
    return [row for row in _rows(form, sent) if row.unjudged.field in sent and _ticked(row, sent)]


def opposed_rows(form: Sequence[Block], sent: Mapping[str, str], schema: Schema) -> list[Row]:
    """Return the rows in which two relations are ticked that contradict one another."""
    return [row for row in _rows(form, sent) if schema.opposed(_ticked(row, sent))]


def _rows(form: Sequence[Block], sent: Mapping[str, str]) -> list[Row]:
    return [] if sent.get(SKIP) else [row for block in form for row in block.rows]


def _ticked(row: Row, sent: Mapping[str, str]) -> list[str]:
    return [box.type for box in row.boxes if box.field in sent]


def _field(place: int, number: int) -> str:
    return f"r{place}-{number}"

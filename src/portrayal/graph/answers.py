"""What annotators answer one by one: who they are, what they judged, and the sheets that come of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portrayal.graph.annotations import Pair, Sheet

__all__ = ["Annotator", "AnswerChange", "Judgement", "sheets_of"]


@dataclass(frozen=True, slots=True)
class Annotator:
    """A person with a link; ``name`` is what their sheet is called, and what stands beside the edges they see."""

    id: str
    name: str
    token_hash: str
    language: str
    invited_at: float
    consented_at: float | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an annotator sees of a pair: types of relation, perhaps none. ``types`` None: they do not want to judge."""

    annotator: str
    pair: Pair
    types: frozenset[str] | None
    at: float


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """Annotators and judgements as they stand after a change; all of it happens or nothing."""

    annotators: Sequence[Annotator] = ()
    judgements: Sequence[Judgement] = ()


def sheets_of(found: AnswerChange) -> list[Sheet]:
    """Return a sheet for every annotator, with the pairs that they judged."""
    names = {own.id: own.name for own in found.annotators}
    judged: dict[str, dict[Pair, frozenset[str]]] = {name: {} for name in names.values()}
    for own in _judged(found.judgements):
        judged[names[own.annotator]][own.pair] = own.types or frozenset()
    return [Sheet(name, own) for name, own in judged.items()]


def _judged(judgements: Iterable[Judgement]) -> Iterable[Judgement]:
    return (own for own in judgements if own.types is not None)

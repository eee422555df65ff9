"""What annotators answer one by one: who they are, what they judged, and the sheets that come of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portrayal.apps.graph.annotations.sheets import Pair, Sheet

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


def sheets_of(answers: AnswerChange) -> list[Sheet]:
    """Return a sheet for every annotator, with the pairs that they judged."""
    names = {annotator.id: annotator.name for annotator in answers.annotators}
    judged: dict[str, dict[Pair, frozenset[str]]] = {name: {} for name in names.values()}
    for judgement in _judged(answers.judgements):
        judged[names[judgement.annotator]][judgement.pair] = judgement.types or frozenset()
    return [Sheet(name, types) for name, types in judged.items()]


def _judged(judgements: Iterable[Judgement]) -> Iterable[Judgement]:
    return (judgement for judgement in judgements if judgement.types is not None)

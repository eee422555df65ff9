"""Models in order, as far as their intervals carry: those that cannot be told apart share a range of places."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

from portrayal.reports.findings.deviations.deviation import Ranked, Ranking
from portrayal.reports.text.words import DASH, known

__all__ = ["Place", "Standing", "standings"]

TOGETHER = 0.05
"""How likely any two models may be put in the wrong order at most, all pairs by all numbers together."""


@dataclass(frozen=True, slots=True)
class Place:
    """A model and the places it may have: a number, or from the best to the worst."""

    place: str
    generator: str
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The models in order; ``apart`` is whether any two can be told apart at all."""

    title: str
    places: Sequence[Place]
    anchor: str
    apart: bool
    descending: bool
    scale: str = ""


def standings(rankings: Iterable[Ranking], looks: int = 1) -> list[Standing]:
    """Return the models with their places by each number that at least two of them have.

    Two models differ when the interval of the difference of their numbers lies off 0, after Holm's correction for all
    pairs by all numbers. It follows from those halves of their intervals that face each other (Zou and Donner 2008),
    which know what few images do to a number. Models that drew for the same prompts differ less by chance than that
    assumes. docs/validity.md has how often models that are alike are put in an order. Where images were drawn in
    rounds, each of ``looks`` looks might have been the last, and has its part of the error rate.
    """
    known_models = [(ranking, models) for ranking in rankings if len(models := _known(ranking)) > 1]
    before = _before([models for _, models in known_models], looks)
    return [_standing(ranking, models, sure) for (ranking, models), sure in zip(known_models, before, strict=True)]


def _known(ranking: Ranking) -> list[Ranked]:
    """Return the models that have a number and its interval, in order."""
    models = [
        model for model in ranking.models if None not in (known(model.value), known(model.low), known(model.high))
    ]
    return sorted(models, key=lambda model: -model.value if ranking.descending else model.value)


def _standing(ranking: Ranking, models: Sequence[Ranked], before: Set[tuple[int, int]]) -> Standing:
    places = []
    for this in range(len(models)):
        best = 1 + sum((other, this) in before for other in range(len(models)))
        worst = len(models) - sum((this, other) in before for other in range(len(models)))
        text = str(best) if best == worst else f"{best}{DASH}{worst}"
        places.append(Place(text, models[this].generator, models[this].text))
    if not before:
        given = [model.generator for model in ranking.models]
        places.sort(key=lambda place: given.index(place.generator))
    return Standing(
        ranking.title,
        places,
        anchor=ranking.anchor,
        apart=bool(before),
        descending=ranking.descending,
        scale=ranking.scale,
    )


def _before(rankings: Sequence[Sequence[Ranked]], looks: int) -> list[set[tuple[int, int]]]:
    """Return of each ranking the pairs whose order is sure, by the positions of both."""
    tested = [
        (_p(models[one], models[other]), place, (one, other))
        for place, models in enumerate(rankings)
        for one, other in combinations(range(len(models)), 2)
    ]
    sure: list[set[tuple[int, int]]] = [set() for _ in rankings]
    for rank, (p, place, pair) in enumerate(sorted(tested)):
        if p * (len(tested) - rank) * looks > TOGETHER:
            break
        sure[place].add(pair)
    return sure


def _p(one: Ranked, other: Ranked) -> float:
    """Return how likely two models' numbers would differ so much by chance."""
    from scipy.special import ndtr  # scipy takes a moment to load

    upper, lower = sorted((one, other), key=lambda model: -model.value)
    # Of each interval the half that faces the other: near 0 and 1 the two halves differ much.
    both = math.hypot(upper.value - upper.low, lower.high - lower.value)
    return 2 * float(ndtr(-1.96 * (upper.value - lower.value) / both)) if both else 1.0

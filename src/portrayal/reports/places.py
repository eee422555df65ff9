"""Models in order, as far as their intervals carry: those that cannot be told apart share a range of places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from portrayal.reports.deviation import Ranked, Ranking
from portrayal.reports.words import DASH, known

__all__ = ["Place", "Standing", "standings"]

TOGETHER = 0.05
"""How likely any two models may be put in the wrong order at most, all pairs and rankings together."""


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


def standings(ranking: Ranking, of: int = 1) -> Standing | None:
    """Return the models with their places, or None where fewer than two have a number.

    Two models differ when the distance between their numbers is too large for chance, by those halves of their
    intervals that face each other and Holm's correction for all pairs, and for all rankings if this is one ``of``
    several. Models that drew for the same prompts differ less by chance than that assumes.
    """
    models = [own for own in ranking.models if None not in (known(own.value), known(own.low), known(own.high))]
    if len(models) < 2:
        return None
    models = sorted(models, key=lambda own: -own.value if ranking.descending else own.value)
    before = _before(models, of)
    places = []
    for own in range(len(models)):
        best = 1 + sum((other, own) in before for other in range(len(models)))
        worst = len(models) - sum((own, other) in before for other in range(len(models)))
        text = str(best) if best == worst else f"{best}{DASH}{worst}"
        places.append(Place(text, models[own].generator, models[own].text))
    return Standing(ranking.title, places, ranking.anchor, bool(before), ranking.descending)


def _before(models: Sequence[Ranked], of: int) -> set[tuple[int, int]]:
    """Return the pairs whose order is sure, by the positions of both."""
    from scipy.special import ndtr  # scipy takes a moment to load

    found = []
    for one, other in combinations(range(len(models)), 2):
        upper, lower = sorted((models[one], models[other]), key=lambda own: -own.value)
        # Of each interval the half that faces the other: near 0 and 1 the two halves differ much.
        both = math.hypot(upper.value - upper.low, lower.high - lower.value)
        distance = upper.value - lower.value
        found.append((2 * float(ndtr(-1.96 * distance / both)) if both else 1.0, (one, other)))
    sure: set[tuple[int, int]] = set()
    for place, (p, pair) in enumerate(sorted(found)):
        if p * (len(found) - place) * of > TOGETHER:
            break
        sure.add(pair)
    return sure

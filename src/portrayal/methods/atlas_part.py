"""What a method brings to the atlas: what its scores are called and mean, and evaluations that its authors released."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from portrayal.bundles import BundleRegistry
from portrayal.records.evaluated_models.evaluation import Evaluation, Score

__all__ = ["ATLAS_PARTS", "AtlasPart", "ScoreKind", "derived", "released", "score_kind", "score_kinds", "score_space"]

Scores = Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class ScoreKind:
    """A score: its name in tables, the words for it, its symbol, and whether more of it means more bias.

    ``lowest`` and ``highest`` are the ends of what is possible; ``undefined`` says in a sentence who has no such score.
    ``by_images`` is 1 for one that grows with the number of images and -1 for one that shrinks: it compares only models
    with about as many. ``rises`` and ``falls`` say what models do whose score does: "miss the prompt more often".
    """

    name: str
    title: str
    symbol: str = ""
    more_is_biased: bool | None = None
    lowest: float = -math.inf
    highest: float = math.inf
    undefined: str = ""
    by_images: int = 0
    rises: str = ""
    falls: str = ""


@dataclass(frozen=True, slots=True)
class AtlasPart:
    """``scores`` have the headline first. ``derive`` adds scores that follow from others; ``released`` returns rows.

    ``space`` names the three scores by which chosen models are set side by side, each an axis of one picture.
    """

    scores: Sequence[ScoreKind]
    derive: Callable[[Scores], Scores]
    released: Callable[[], Sequence[Evaluation]]
    space: tuple[str, str, str] | None = None


ATLAS_PARTS: BundleRegistry[AtlasPart] = BundleRegistry("atlas part", "atlas")


@cache
def _parts() -> tuple[AtlasPart, ...]:
    return tuple(ATLAS_PARTS.load(name) for name in ATLAS_PARTS.entries())


def score_kinds() -> Mapping[str, ScoreKind]:
    """Return the scores that methods tell of, by name, headlines of methods first."""
    parts = _parts()
    heads = [part.scores[0] for part in parts]
    return {kind.name: kind for kind in (*heads, *(kind for part in parts for kind in part.scores))}


def score_kind(name: str) -> ScoreKind:
    """Return a score; one that no method tells of is called by its name, and nothing else is known of it."""
    return score_kinds().get(name) or ScoreKind(name, name)


def score_space() -> tuple[ScoreKind, ScoreKind, ScoreKind] | None:
    """Return the three scores by which chosen models are set side by side, of the first method that names any."""
    kinds = score_kinds()
    for part in _parts():
        if part.space:
            across, along, up = (kinds[name] for name in part.space)
            return across, along, up
    return None


def derived(scores: Scores) -> Scores:
    """Return scores with those that follow from them; one that is given is not computed."""
    known = dict(scores)
    for part in _parts():
        known = {**part.derive(known), **known}
    return known


def released() -> list[Evaluation]:
    """Return the evaluations that authors of methods released: an atlas begins with them."""
    return [row for part in _parts() for row in part.released()]

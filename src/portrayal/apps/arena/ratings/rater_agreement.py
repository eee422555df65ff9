"""Do raters who saw the same two images say the same? Krippendorff's alpha of votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from portrayal.apps.arena.ratings.bootstrap import rater_codes
from portrayal.apps.arena.ratings.vote_values import B_WINS, DRAW
from portrayal.apps.arena.ratings.votes import CategoricalColumn, Votes
from portrayal.stats.annotation.agreement import FEW_UNITS, Metric
from portrayal.stats.annotation.alpha_interval import alpha_interval
from portrayal.stats.intervals import Array

__all__ = ["RaterAgreement", "rater_agreement"]

Ints = NDArray[np.int64]
_METRICS: tuple[Metric, ...] = ("nominal", "ordinal")
_UNIT_COLUMNS = {"pair of images": ("image_a", "image_b"), "prompt by a pair of models": ("prompt",)}
"""What a unit can be, and the columns that tell one from another."""


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Alpha with differences as such (nominal) and by rank (ordinal: a draw lies between), or why there is none.

    ``units`` counts what two raters or more judged, ``judgements`` their votes on it; ``unit`` is what it is.
    """

    unit: str = ""
    units: int = 0
    judgements: int = 0
    raters: int = 0
    nominal: float | None = None
    nominal_low: float | None = None
    nominal_high: float | None = None
    ordinal: float | None = None
    ordinal_low: float | None = None
    ordinal_high: float | None = None
    note: str = ""


def rater_agreement(votes: Votes, draws: int, rng: np.random.Generator) -> RaterAgreement:
    """Return how far raters agree on ``votes`` (none of them skipped); intervals resample what was judged.

    The same thing is the same two images, or where the votes do not name images the same prompt by the same two
    models. Which of the two stood left does not matter, nor which is named first: chance picks either as often. Of
    several votes of one rater on it the first counts.
    """
    raters = rater_codes(votes)
    if raters is None:
        return RaterAgreement(note="the votes do not say who gave them: no column 'rater'")
    kind = _unit_kind(votes)
    if not kind:
        return RaterAgreement(
            note="the votes do not say what was judged: no column 'prompt', nor 'image_a' and 'image_b'"
        )
    named = (votes.first != votes.second) & _filled_in(votes, _UNIT_COLUMNS[kind])
    kept = votes.take(named)
    counts, used = _counts(kept, _units(kept, kind), raters[named])
    if not len(counts):
        return RaterAgreement(kind, note=f"no {kind} was judged by two raters")
    nominal, ordinal = (alpha_interval(counts, metric, draws, rng, mirrored=True) for metric in _METRICS)
    note = f"only {len(counts)} judged by two raters or more" if len(counts) < FEW_UNITS else ""
    if nominal[0] is None:
        note = "all votes are the same, so agreement looks no different from chance"
    return RaterAgreement(
        unit=kind,
        units=len(counts),
        judgements=int(counts.sum()),
        raters=used,
        nominal=nominal[0],
        nominal_low=nominal[1],
        nominal_high=nominal[2],
        ordinal=ordinal[0],
        ordinal_low=ordinal[1],
        ordinal_high=ordinal[2],
        note=note,
    )


def _filled_in(votes: Votes, columns: Sequence[str]) -> NDArray[np.bool_]:
    """Return which votes have all of these columns filled in."""
    filled = [np.array([bool(name) for name in votes.columns[c].names])[votes.columns[c].codes] for c in columns]
    return np.asarray(np.logical_and.reduce(filled))


def _unit_kind(votes: Votes) -> str:
    """Return what a unit is called: the first kind that the votes name, and not only in a column without values."""
    known = [kind for kind, columns in _UNIT_COLUMNS.items() if all(column in votes.columns for column in columns)]
    return next((kind for kind in known if _filled_in(votes, _UNIT_COLUMNS[kind]).any()), known[0] if known else "")


def _units(votes: Votes, kind: str) -> Ints:
    """Return the unit of each vote."""
    swapped = votes.first > votes.second
    pair = np.minimum(votes.first, votes.second) * len(votes.models) + np.maximum(votes.first, votes.second)
    if kind == "pair of images":
        sides = votes.columns["image_a"], votes.columns["image_b"]
        names = CategoricalColumn.of([*sides[0].names, *sides[1].names]).codes
        left, right = names[sides[0].codes], names[len(sides[0].names) + sides[1].codes]
        pair = _combined(pair, np.where(swapped, right, left))
        return _combined(pair, np.where(swapped, left, right))
    return _combined(pair, votes.columns["prompt"].codes)


def _combined(one: Ints, two: Ints) -> Ints:
    both = one * (int(two.max(initial=0)) + 1) + two
    return np.asarray(np.unique(both, return_inverse=True)[1], dtype=np.int64)


def _counts(votes: Votes, unit: Ints, raters: Ints) -> tuple[Array, int]:
    """Return how often each unit that several raters judged was voted for either model or a draw, and by how many."""
    people = int(raters.max(initial=0)) + 1
    once = np.unique(unit * people + raters, return_index=True)[1]
    unit, raters, some = unit[once], raters[once], votes.take(once)
    won_by_later = np.where(some.outcome == B_WINS, some.second > some.first, some.first > some.second)
    label = np.where(some.outcome == DRAW, 1, np.where(won_by_later, 2, 0))
    counts = np.bincount(unit * 3 + label, minlength=3 * (int(unit.max(initial=-1)) + 1)).reshape(-1, 3).astype(float)
    several = counts.sum(axis=1) >= 2
    return counts[several], len(np.unique(raters[several[unit]]))

"""What the votes say so far, for the admin's page: who met whom, ratings, and how far raters agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.apps.arena.battles.battle import ASPECTS
from portrayal.apps.arena.ratings.bradley_terry import bradley_terry
from portrayal.apps.arena.ratings.elo import elo
from portrayal.apps.arena.ratings.rater_agreement import RaterAgreement, rater_agreement
from portrayal.apps.arena.ratings.votes import Votes
from portrayal.apps.arena.ratings.win_counts import WinRate, count_wins, win_rates
from portrayal.apps.arena.web.leaderboard_cache import VOTE_COLUMNS
from portrayal.records import Vote

__all__ = ["AspectSummary", "ModelRating", "aspect_summaries"]

ALPHA_DRAWS = 100
"""Few: the page shows no intervals, which are the work of ``portrayal arena rate``."""


@dataclass(frozen=True, slots=True)
class ModelRating:
    """A model's ratings on one aspect."""

    model: str
    rating: float
    elo: float
    votes: int


@dataclass(frozen=True, slots=True)
class AspectSummary:
    """One aspect: votes and skips, every pair that met, ratings from the best down, and agreement."""

    aspect: str
    votes: int
    skipped: int
    cells: Mapping[tuple[str, str], WinRate]
    ratings: Sequence[ModelRating]
    agreement: RaterAgreement


def aspect_summaries(rows: Iterable[Vote]) -> list[AspectSummary]:
    """Return a summary of each aspect, in the order in which raters see them."""
    given = Votes.of(rows, VOTE_COLUMNS)
    codes = {name: code for code, name in enumerate(given.column("aspect").names)}
    return [_aspect(name, given.take(given.column("aspect").codes == codes.get(name, -1))) for name in ASPECTS]


def _aspect(name: str, given: Votes) -> AspectSummary:
    rated = given.rated()
    cells = win_rates(count_wins(rated), rated.models) if rated.models else []
    met: dict[str, int] = {}
    for cell in cells:
        met[cell.model] = met.get(cell.model, 0) + cell.battles
    strength, in_order = bradley_terry(rated), elo(rated)
    ratings = [ModelRating(model, strength[model], in_order[model], met.get(model, 0)) for model in strength]
    agreement = rater_agreement(rated, ALPHA_DRAWS, np.random.default_rng(0))
    return AspectSummary(
        aspect=name,
        votes=len(rated),
        skipped=given.skipped,
        cells={(cell.model, cell.opponent): cell for cell in cells},
        ratings=sorted(ratings, key=lambda row: -row.rating),
        agreement=agreement,
    )

"""From votes to a leaderboard: each aspect and group rated apart, every rating with its interval."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from portrayal.apps.arena.ratings.bootstrap import ResampledStrengths, rater_codes, resample_strengths
from portrayal.apps.arena.ratings.bradley_terry import Strengths, Ties, strengths, to_rating
from portrayal.apps.arena.ratings.correlation import Correlation, HumanRatings, correlate
from portrayal.apps.arena.ratings.elo import EloParameters, elo, elo_in_random_orders
from portrayal.apps.arena.ratings.leaderboard import RESERVED, Leaderboard, Rating, Section
from portrayal.apps.arena.ratings.ranks import neighbours, rank_bounds, ranks
from portrayal.apps.arena.ratings.rater_agreement import rater_agreement
from portrayal.apps.arena.ratings.votes import Votes
from portrayal.apps.arena.ratings.win_counts import WinCounts, count_wins, win_rates
from portrayal.errors import ConfigError, InputError, did_you_mean
from portrayal.stats.bootstrap import expanded_percentile
from portrayal.stats.intervals import Array

__all__ = ["FEW_RATERS", "RateOptions", "rate_votes"]

FEW_RATERS = 6
"""With fewer raters than this an interval is too narrow and carries a note."""
_MOST_ORDERED_VOTES = 10_000_000
"""Votes that all random orders of Elo may take together: a few seconds."""


@dataclass(frozen=True, slots=True)
class RateOptions:
    """How votes are rated. ``orders`` is None for 100 random orders of Elo, or as many as take a few seconds."""

    ties: Ties = "half"
    draws: int = 1000
    orders: int | None = None
    by: Sequence[str] = ()
    aspects: Sequence[str] = ()
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.draws < 1 or (self.orders is not None and self.orders < 1):
            raise ConfigError(f"ratings need draws >= 1 and orders >= 1, got draws={self.draws}, orders={self.orders}")

    def orders_of(self, votes: int) -> int:
        """Return how many random orders of Elo are tried for so many votes."""
        return self.orders if self.orders is not None else int(np.clip(_MOST_ORDERED_VOTES // max(votes, 1), 5, 100))


_DEFAULT = RateOptions()


def rate_votes(votes: Votes, options: RateOptions = _DEFAULT, *, rng: np.random.Generator) -> Leaderboard:
    """Return the ratings of ``votes``, those of each aspect and each group apart.

    Parameters
    ----------
    votes
        With a column ``aspect`` each aspect is rated apart; with ``rater`` intervals resample raters.
    options
        Which aspects and groups, how ties are modelled, how many draws; automatic scores to compare with.
    rng
        Decides what is drawn. A section's numbers do not depend on which other sections are asked for.

    Without any vote there are no ratings, which is not an error.
    """
    chosen = _chosen(votes, options)
    keys = list(dict.fromkeys([*(["aspect"] if "aspect" in votes.columns else []), *options.by]))
    seed, orders = int(rng.integers(2**63)), options.orders_of(len(chosen))
    sections = [
        _section(part, named, options, orders, np.random.default_rng([seed, zlib.crc32(json.dumps(named).encode())]))
        for named, part in chosen.split(keys)
    ]
    used = {
        **asdict(EloParameters()),
        "ties": options.ties,
        "draws": options.draws,
        "orders": orders,
        "confidence": 0.95,
    }
    return Leaderboard(sections, used)


def _chosen(votes: Votes, options: RateOptions) -> Votes:
    for name in options.by:
        votes.column(name)
        if name in RESERVED:
            raise InputError(f"cannot rate by the column '{name}', as the results have one of that name; rename it")
    if not options.aspects:
        return votes
    column = votes.column("aspect")
    for name in options.aspects:
        if name not in column.names:
            raise InputError(f"no vote is about the aspect '{name}'{did_you_mean(name, column.names)}")
    wanted = [code for code, name in enumerate(column.names) if name in options.aspects]
    return votes.take(np.isin(column.codes, wanted))


def _section(
    votes: Votes, keys: Mapping[str, str], options: RateOptions, orders: int, rng: np.random.Generator
) -> Section:
    rated = votes.rated()
    raters = rater_codes(rated)
    people = None if raters is None else int(raters.max(initial=-1)) + 1
    if not rated.models:
        return Section(keys, 0, votes.skipped, people, "")
    counts = count_wins(rated)
    fitted = strengths(counts, options.ties)
    # One source of chance for each part, so that asking for more of one changes nothing in the others.
    for_draws, for_orders, for_units = rng.spawn(3)
    drawn = resample_strengths(rated, fitted, options.ties, options.draws, for_draws)
    return Section(
        keys,
        len(rated),
        skipped=votes.skipped,
        raters=people,
        resampled="rater" if drawn.by_rater.any() else "vote",
        ratings=_ratings(rated, counts, fitted, drawn, elo_in_random_orders(rated, orders, for_orders)),
        neighbours=neighbours(
            rated.models,
            fitted.rating,
            to_rating(drawn.strength),
            clusters=drawn.clusters,
            component=fitted.component,
            separated=fitted.separated,
        ),
        win_rates=win_rates(counts, rated.models),
        agreement=rater_agreement(rated, options.draws, for_units),
        correlations=_correlations(rated, fitted, drawn, options.scores),
    )


def _ratings(
    votes: Votes, counts: WinCounts, fitted: Strengths, drawn: ResampledStrengths, elo_by_order: Array
) -> list[Rating]:
    rating = fitted.rating
    low, high = _bounds(rating, drawn)
    rank = ranks(rating, fitted.component)
    best, worst = rank_bounds(low, high, rank, fitted.component)
    elo_low, elo_high = np.quantile(elo_by_order, [0.025, 0.975], axis=0)
    sequential = elo(votes)
    rows = [
        Rating(
            model=model,
            elo=sequential[model],
            elo_mean=float(elo_by_order[:, place].mean()),
            elo_low=float(elo_low[place]),
            elo_high=float(elo_high[place]),
            bradley_terry=float(rating[place]),
            low=float(low[place]),
            high=float(high[place]),
            rank=int(rank[place]),
            rank_low=int(best[place]),
            rank_high=int(worst[place]),
            battles=int(counts.battles[place].sum()),
            wins=int(counts.wins[place].sum()),
            losses=int(counts.wins[:, place].sum()),
            draws=int(counts.ties[place].sum()),
            component=int(fitted.component[place]) + 1,
            notes=tuple(_notes(place, fitted, drawn)),
        )
        for place, model in enumerate(votes.models)
    ]
    return sorted(rows, key=lambda row: (row.component, row.rank, row.model))


def _bounds(rating: Array, drawn: ResampledStrengths) -> tuple[Array, Array]:
    low, high = rating.copy(), rating.copy()
    for clusters in np.unique(drawn.clusters[drawn.clusters > 0]):
        same = drawn.clusters == clusters
        # A single vote is drawn with a virtual one beside it, see resample_strengths.
        low[same], high[same] = expanded_percentile(to_rating(drawn.strength[:, same]), max(int(clusters), 2))
    # The draws of few raters can all lie on one side of the estimate, which then bounds the interval.
    return np.minimum(low, rating), np.maximum(high, rating)


def _notes(place: int, fitted: Strengths, drawn: ResampledStrengths) -> Iterator[str]:
    members = np.count_nonzero(fitted.component == fitted.component[place])
    if members == 1:
        yield "alone"
        return
    if fitted.component.max() > 0:
        yield "apart"
    if fitted.undecided[place]:
        yield "only_draws"
    elif fitted.separated[place]:
        yield "one_sided"
    if 0 < drawn.raters[place] < FEW_RATERS:
        yield "few_raters" if drawn.raters[place] > 1 else "one_rater"


def _correlations(
    votes: Votes, fitted: Strengths, drawn: ResampledStrengths, scores: Mapping[str, Mapping[str, float]]
) -> list[Correlation]:
    # Ratings of different components cannot be compared, so the largest one it is.
    members = np.flatnonzero(fitted.component == np.bincount(fitted.component).argmax())
    models = [votes.models[place] for place in members]
    clusters = int(drawn.clusters[members].max())
    return correlate(
        HumanRatings(models, fitted.rating[members], to_rating(drawn.strength[:, members]), clusters), scores
    )

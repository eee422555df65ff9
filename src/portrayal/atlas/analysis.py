"""Which kind, which scheduler, which year, and do people care: the comparisons of one protocol's models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.atlas.columns import Columns
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.trend import RankCorrelation, Trend, linear_trend, rank_correlation

__all__ = ["FEW_IN_GROUP", "FEW_IN_TREND", "Comparison", "GroupRow", "GroupTrend", "compare_groups", "group_trends"]
__all__ += ["popularity_correlation", "row_order"]

FEW_IN_GROUP = 5
"""Fewer models than this in a group say little about it, and the group is left out of comparisons."""
FEW_IN_TREND = 10
"""Fewer models than this make no trend, and no correlation."""


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group of models: mean and standard deviation of each score and of popularity, over those that have it.

    ``known`` are the models that have a score, by score.
    """

    name: str
    models: int
    known: Mapping[str, int]
    mean: Mapping[str, float]
    deviation: Mapping[str, float]
    popularity: float
    popularity_deviation: float
    thin: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Groups in the order of their popularity, and whether a score differs between those that are large enough.

    ``p`` is that of the test of Kruskal and Wallis; None: fewer than two groups are large enough, or nothing varies.
    """

    groups: Sequence[GroupRow]
    p: float | None
    compared: int


@dataclass(frozen=True, slots=True)
class GroupTrend:
    """A group's models by year; no ``trend`` where they are too few or of one day."""

    name: str
    rows: Ints
    trend: Trend | None


def compare_groups(columns: Columns, field: str, score: str) -> Comparison:
    """Return the groups of models by one of their properties, and whether ``score`` differs between them."""
    groups = {name: rows for name, rows in columns.groups(field).items() if name}
    table = [_group(columns, name, rows) for name, rows in groups.items()]
    table.sort(key=lambda row: (-np.nan_to_num(row.popularity, nan=-np.inf), row.name))
    values = [_known(columns.scores[score][rows]) for rows in groups.values()]
    large = [own for own in values if len(own) >= FEW_IN_GROUP]
    return Comparison(table, _differ(large), len(large))


def group_trends(columns: Columns, field: str, score: str) -> list[GroupTrend]:
    """Return the trend of a score over time in each group."""
    found = []
    for name, rows in columns.groups(field).items():
        usable = rows[~np.isnan(columns.year[rows]) & ~np.isnan(columns.scores[score][rows])]
        if len(usable):
            enough = len(usable) >= FEW_IN_TREND
            trend = linear_trend(columns.year[usable], columns.scores[score][usable]) if enough else None
            found.append(GroupTrend(name, usable, trend))
    return found


def popularity_correlation(columns: Columns, score: str) -> tuple[RankCorrelation | None, Ints]:
    """Return how popularity and a score go together, and the current rows that have both; None: too few do."""
    rows = columns.current
    usable = rows[~np.isnan(columns.popularity[rows]) & ~np.isnan(columns.scores[score][rows])]
    if len(usable) < FEW_IN_TREND:
        return None, usable
    return rank_correlation(columns.popularity[usable], columns.scores[score][usable]), usable


def row_order(columns: Columns, score: str) -> Ints:
    """Return all rows by a score, the lowest first and those without it last."""
    return np.argsort(np.nan_to_num(columns.scores[score], nan=np.inf), kind="stable")


def _group(columns: Columns, name: str, rows: Ints) -> GroupRow:
    known, mean, deviation = {}, {}, {}
    for score, values in columns.scores.items():
        known[score] = len(_known(values[rows]))
        mean[score], deviation[score] = _moments(values[rows])
    liked, spread = _moments(columns.popularity[rows])
    return GroupRow(name, len(rows), known, mean, deviation, liked, spread, len(rows) < FEW_IN_GROUP)


def _moments(values: Array) -> tuple[float, float]:
    known = _known(values)
    mean = float(known.mean()) if len(known) else np.nan
    return mean, float(known.std(ddof=1)) if len(known) > 1 else np.nan


def _known(values: Array) -> Array:
    return values[~np.isnan(values)]


def _differ(groups: Sequence[Array]) -> float | None:
    if len(groups) < 2 or np.ptp(np.concatenate(groups)) == 0:
        return None
    from scipy.stats import kruskal

    return float(kruskal(*groups).pvalue)

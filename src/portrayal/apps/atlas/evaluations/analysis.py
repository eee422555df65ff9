"""The models of one protocol by their kind, their scheduler and their year."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from portrayal.apps.atlas.evaluations.columns import Columns
from portrayal.apps.atlas.evaluations.verdicts import FEW_IN_GROUP
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["GroupRow", "dated_rows", "group_rows", "row_order"]


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


def group_rows(columns: Columns, field: str) -> list[GroupRow]:
    """Return the groups of models by one of their properties, those that people like most first."""
    groups = {name: rows for name, rows in columns.groups(field).items() if name}
    table = [_group(columns, name, rows) for name, rows in groups.items()]
    return sorted(table, key=lambda row: (-np.nan_to_num(row.popularity, nan=-np.inf), row.name))


def dated_rows(columns: Columns, score: str) -> dict[str, Ints]:
    """Return the current rows of each kind of models that have a date and the score; kinds without any are left out."""
    known = ~np.isnan(columns.year) & ~np.isnan(columns.scores[score])
    dated = {name: rows[known[rows]] for name, rows in columns.groups("category").items()}
    return {name: rows for name, rows in dated.items() if len(rows)}


def row_order(columns: Columns, score: str) -> Ints:
    """Return all rows by a score, the lowest first and those without it last.

    By a score that puts these models in no order they stay in that of their names.
    """
    if score in columns.moved:
        return np.arange(len(columns.evaluations))
    return np.argsort(np.nan_to_num(columns.scores[score], nan=np.inf), kind="stable")


def _group(columns: Columns, name: str, rows: Ints) -> GroupRow:
    known, mean, deviation = {}, {}, {}
    for score, values in columns.scores.items():
        known[score] = len(_known(values[rows]))
        mean[score], deviation[score] = _moments(values[rows])
    liked, spread = _moments(columns.popularity[rows])
    return GroupRow(
        name,
        len(rows),
        known=known,
        mean=mean,
        deviation=deviation,
        popularity=liked,
        popularity_deviation=spread,
        thin=len(rows) < FEW_IN_GROUP,
    )


def _moments(values: Array) -> tuple[float, float]:
    known = _known(values)
    mean = float(known.mean()) if len(known) else np.nan
    return mean, float(known.std(ddof=1)) if len(known) > 1 else np.nan


def _known(values: Array) -> Array:
    return values[~np.isnan(values)]

"""What a page of an atlas tells, as plain data: for each protocol its models, groups, trends and popularity."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from portrayal.atlas.analysis import (
    FEW_IN_GROUP,
    Comparison,
    GroupTrend,
    compare_groups,
    group_trends,
    popularity_correlation,
    row_order,
)
from portrayal.atlas.columns import Columns, protocols
from portrayal.atlas.evaluation import AtlasRows
from portrayal.atlas.parts import score_kinds
from portrayal.errors import UnknownNameError, did_you_mean
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.trend import Trend

__all__ = ["model_rows", "summary"]

MOST_ROWS, END_ROWS = 200, 50
"""Rows of a table on the page: all of up to so many, else so many at either end."""
MOST_POINTS = 250
"""Points of one colour in a chart; of more every so manieth is drawn."""
BEYOND = 1.0
"""Years after the last model to which a trend is drawn on."""
_STEPS = 24


def summary(rows: AtlasRows, score: str = "") -> dict[str, Any]:
    """Return the data of the page: a section for each protocol, that with most models first.

    ``score`` is compared; a protocol without it is compared by the first score that it has.
    """
    known = {name for row in rows.evaluations for name in row.scores}
    if score and score not in known:
        raise UnknownNameError(
            f"no evaluation of the atlas has the score {score!r}{did_you_mean(score, sorted(known))}"
        )
    sections = [_section(Columns.of(rows, name), name, score) for name in protocols(rows)]
    evaluated = {row.model for row in rows.evaluations}
    return {
        "evaluations": len(rows.evaluations),
        "models": len(evaluated),
        "without": len(rows.models) - len(evaluated),
        "sections": sections,
    }


def _section(columns: Columns, protocol: str, wanted: str) -> dict[str, Any]:
    names = _ordered(columns.scores)
    score = wanted if wanted in columns.scores else names[0]
    order = row_order(columns, score)
    shown = order if len(order) <= MOST_ROWS else np.concatenate([order[:END_ROWS], order[-END_ROWS:]])
    kinds = score_kinds()
    return {
        "protocol": protocol,
        "models": len(columns.current),
        "evaluations": len(columns.evaluations),
        "score": score,
        "scores": [_kind(name) for name in names],
        "more_is_biased": kinds[score].more_is_biased if score in kinds else None,
        "rows": [_row(columns, place, names) for place in shown.tolist()],
        "left_out": len(order) - len(shown),
        "sources": sorted({row.source for row in columns.evaluations if row.source}),
        "category": _comparison(compare_groups(columns, "category", score)),
        "unknown": {name: int(np.isnan(columns.scores[name]).sum()) for name in names},
        "scheduler": _comparison(compare_groups(columns, "scheduler", score)),
        "trends": [_trend(columns, own, score) for own in group_trends(columns, "category", score)],
        "dated": int((~np.isnan(columns.year[columns.current])).sum()),
        "popularity": _popularity(columns, score),
    }


def model_rows(columns: Columns, score: str = "") -> Iterator[dict[str, Any]]:
    """Yield all rows of a protocol, by a score, for a table of their own."""
    names = _ordered(columns.scores)
    for place in row_order(columns, score if score in columns.scores else names[0]).tolist():
        yield _row(columns, place, names)


def _ordered(scores: Mapping[str, Array]) -> list[str]:
    """Return the scores, those that methods tell of first, in their order."""
    known = [name for name in score_kinds() if name in scores]
    return [*known, *sorted(name for name in scores if name not in known)]


def _kind(name: str) -> dict[str, Any]:
    kind = score_kinds().get(name)
    return {
        "name": name,
        "title": kind.title if kind else name,
        "symbol": kind.symbol if kind else "",
        "undefined": kind.undefined if kind else "",
    }


def _row(columns: Columns, place: int, names: Sequence[str]) -> dict[str, Any]:
    row, info = columns.evaluations[place], columns.infos[place]
    scores = {name: row.scores[name] for name in names if name in row.scores}
    return {
        "model": row.model,
        "version": int(columns.version[place]),
        "run": row.run,
        "category": info.category,
        "scheduler": info.scheduler,
        "created": info.created,
        "likes": info.likes,
        "downloads": info.downloads,
        "popularity": _number(columns.popularity[place]),
        "images": row.images,
        "source": row.source,
        "scores": {name: (own.value, own.low, own.high) for name, own in scores.items()},
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    groups = [
        {
            "name": row.name,
            "models": row.models,
            "known": dict(row.known),
            "few": {name: known < FEW_IN_GROUP for name, known in row.known.items()},
            "thin": row.thin,
            "popularity": _number(row.popularity),
            "popularity_deviation": _number(row.popularity_deviation),
            "mean": {name: _number(value) for name, value in row.mean.items()},
            "deviation": {name: _number(value) for name, value in row.deviation.items()},
        }
        for row in found.groups
    ]
    return {"groups": groups, "p": found.p, "compared": found.compared}


def _trend(columns: Columns, own: GroupTrend, score: str) -> dict[str, Any]:
    year, value = columns.year[own.rows], columns.scores[score][own.rows]
    found: dict[str, Any] = {
        "name": own.name,
        "models": len(own.rows),
        "points": _points(columns, own.rows, year, value),
    }
    if own.trend is None:
        return {**found, "slope": None}
    last = float(year.max())
    inside, beyond = np.linspace(float(year.min()), last, _STEPS), np.linspace(last, last + BEYOND, _STEPS)
    line = {name: _steps(own.trend, across, score) for name, across in (("line", inside), ("beyond", beyond))}
    return {**found, **line, "slope": own.trend.slope, "low": own.trend.low, "high": own.trend.high}


def _steps(trend: Trend, across: Array, score: str) -> list[tuple[float, float, float, float]]:
    """Return x, the line and the ends of its band, none of them beyond what the score can be."""
    kind = score_kinds().get(score)
    drawn = np.array([trend.at(across), *trend.band(across)])
    if kind is not None:
        drawn = drawn.clip(kind.lowest, kind.highest)
    return [(float(x), float(y), float(low), float(high)) for x, y, low, high in zip(across, *drawn, strict=True)]


def _popularity(columns: Columns, score: str) -> dict[str, Any]:
    found, rows = popularity_correlation(columns, score)
    points = _points(columns, rows, columns.popularity[rows], columns.scores[score][rows])
    if found is None:
        return {"models": len(rows), "rho": None, "points": points}
    interval = found.interval
    return {"models": len(rows), "rho": found.rho, "low": interval.low, "high": interval.high, "points": points}


def _points(columns: Columns, rows: Ints, across: Array, up: Array) -> list[tuple[float, float, str, str]]:
    """Return x, y, model and category; of many models every so manieth along x."""
    order = np.argsort(across, kind="stable")
    if len(order) > MOST_POINTS:
        order = order[np.linspace(0, len(order) - 1, MOST_POINTS).round().astype(np.int64)]
    return [
        (float(across[own]), float(up[own]), columns.evaluations[rows[own]].model, columns.infos[rows[own]].category)
        for own in order.tolist()
    ]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)

"""What a page of an atlas tells, as plain data: for each protocol its models, groups, trends and popularity."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from portrayal.apps.atlas.evaluations.analysis import GroupRow, dated_rows, group_rows, row_order
from portrayal.apps.atlas.evaluations.columns import Columns, protocol_titles, protocols
from portrayal.apps.atlas.evaluations.verdicts import FEW_IN_GROUP, LEVEL, About, State, Verdict, answers, questions
from portrayal.errors import UnknownNameError, did_you_mean
from portrayal.methods.atlas_part import score_kinds
from portrayal.records.evaluated_models.evaluation import AtlasRows
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.trend import Trend, linear_trend

__all__ = ["compared_score", "model_rows", "summary"]

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
    names = protocols(rows)
    titles = protocol_titles(names)
    columns = [Columns.of(rows, name) for name in names]
    compared = [compared_score(table, score) for table in columns]
    verdicts, tests = answers([questions(table, name) for table, name in zip(columns, compared, strict=True)])
    confidence = 1 - LEVEL / max(tests, 1)
    sections = [
        {"title": titles[name], **_section(table, name, by, stated, confidence)}
        for table, name, by, stated in zip(columns, names, compared, verdicts, strict=True)
    ]
    evaluated = {row.model for row in rows.evaluations}
    return {
        "evaluations": len(rows.evaluations),
        "models": len(evaluated),
        "without": len(rows.models) - len(evaluated),
        "tests": tests,
        "confidence": confidence,
        "sections": sections,
    }


def compared_score(columns: Columns, wanted: str = "") -> str:
    """Return the score that models are compared by: the wanted one, else the first that puts them in an order."""
    names = _ordered(columns.scores)
    if wanted in columns.scores:
        return wanted
    return next((name for name in names if name not in columns.moved), names[0])


def _section(
    columns: Columns, protocol: str, score: str, verdicts: Sequence[Verdict], confidence: float
) -> dict[str, Any]:
    names = _ordered(columns.scores)
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
        "verdicts": [asdict(verdict) for verdict in verdicts],
        "images": columns.images,
        "images_unknown": sum(columns.evaluations[place].images is None for place in columns.current.tolist()),
        "moved": sorted(columns.moved),
        "category": [_group(row) for row in group_rows(columns, "category")],
        "unknown": {name: int(np.isnan(columns.scores[name]).sum()) for name in names},
        "scheduler": [_group(row) for row in group_rows(columns, "scheduler")],
        "trends": _trends(columns, score, verdicts, confidence),
        "popularity": _popularity(columns, score),
    }


def model_rows(columns: Columns, score: str = "") -> Iterator[dict[str, Any]]:
    """Yield all rows of a protocol, by a score, for a table of their own."""
    names = _ordered(columns.scores)
    for place in row_order(columns, compared_score(columns, score)).tolist():
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
        "by_images": kind.by_images if kind else 0,
        "rises": kind.rises if kind else "",
        "falls": kind.falls if kind else "",
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
        "scores": {name: (score.value, score.low, score.high) for name, score in scores.items()},
    }


def _group(row: GroupRow) -> dict[str, Any]:
    return {
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


def _trends(columns: Columns, score: str, verdicts: Sequence[Verdict], confidence: float) -> list[dict[str, Any]]:
    """Return what is drawn of each kind of models: their points, and a line where one was tested.

    Where all models are of one kind, or of none, theirs is the line of all models.
    """
    shown = (State.found, State.none)
    drawn = {
        verdict.group
        for verdict in verdicts
        if verdict.about is About.time and verdict.score == score and verdict.state in shown
    }
    dated = dated_rows(columns, score)
    trends = []
    for name, rows in dated.items():
        year, value = columns.year[rows], columns.scores[score][rows]
        one: dict[str, Any] = {"name": name, "models": len(rows), "points": _points(columns, rows, year, value)}
        tested = name in drawn or (None in drawn and len(columns.groups("category")) == 1)
        line = linear_trend(year, value, confidence) if tested else None
        trends.append({**one, **(_line(line, year, score) if line else {"line": None})})
    return trends


def _line(trend: Trend, year: Array, score: str) -> dict[str, Any]:
    last = float(year.max())
    inside, beyond = np.linspace(float(year.min()), last, _STEPS), np.linspace(last, last + BEYOND, _STEPS)
    return {name: _steps(trend, across, score) for name, across in (("line", inside), ("beyond", beyond))}


def _steps(trend: Trend, across: Array, score: str) -> list[tuple[float, float, float, float]]:
    """Return x, the line and the ends of its band, none of them beyond what the score can be."""
    kind = score_kinds().get(score)
    drawn = np.array([trend.at(across), *trend.band(across)])
    if kind is not None:
        drawn = drawn.clip(kind.lowest, kind.highest)
    return [(float(x), float(y), float(low), float(high)) for x, y, low, high in zip(across, *drawn, strict=True)]


def _popularity(columns: Columns, score: str) -> dict[str, Any]:
    rows = columns.current
    usable = rows[~np.isnan(columns.popularity[rows]) & ~np.isnan(columns.scores[score][rows])]
    points = _points(columns, usable, columns.popularity[usable], columns.scores[score][usable])
    return {"models": len(usable), "points": points}


def _points(columns: Columns, rows: Ints, across: Array, up: Array) -> list[tuple[float, float, str, str]]:
    """Return x, y, model and category; of many models every so manieth along x."""
    order = np.argsort(across, kind="stable")
    if len(order) > MOST_POINTS:
        order = order[np.linspace(0, len(order) - 1, MOST_POINTS).round().astype(np.int64)]
    return [
        (float(across[at]), float(up[at]), columns.evaluations[rows[at]].model, columns.infos[rows[at]].category)
        for at in order.tolist()
    ]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)

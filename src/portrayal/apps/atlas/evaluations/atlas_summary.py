"""What a page of an atlas tells: for each protocol its models, what was found among them, and what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.apps.atlas.evaluations.analysis import dated_rows, row_order
from portrayal.apps.atlas.evaluations.columns import Columns, protocol_titles, protocols
from portrayal.apps.atlas.evaluations.verdicts import LEVEL, About, State, Verdict, answers, questions
from portrayal.errors import UnknownNameError, did_you_mean
from portrayal.methods.atlas_part import ScoreKind, score_kind
from portrayal.records.evaluated_models.evaluation import AtlasRows
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.trend import Trend, linear_trend

__all__ = ["AtlasSummary", "DrawnModels", "ProtocolSummary", "summary"]

MOST_ROWS, END_ROWS = 200, 50
"""Rows of a table on the page: all of up to so many, else so many at either end."""
MOST_POINTS = 250
"""Points of one colour in a chart; of more every so manieth is drawn."""
BEYOND = 1.0
"""Years after the last model to which a trend is drawn on."""
_STEPS = 24

Steps = Sequence[tuple[float, float, float, float]]
"""X, a line, and the ends of its band."""


@dataclass(frozen=True, slots=True)
class DrawnModels:
    """Models of one kind in a chart: ``points`` are x, y, model and kind, and the line has a part beyond the last."""

    name: str
    models: int
    points: Sequence[tuple[float, float, str, str]]
    line: Steps = ()
    beyond: Steps = ()


@dataclass(frozen=True)
class ProtocolSummary:
    """The models of one protocol, compared by ``score``; ``confidence`` is what intervals are corrected to."""

    protocol: str
    title: str
    columns: Columns
    score: str
    verdicts: Sequence[Verdict]
    confidence: float

    @property
    def scores(self) -> list[ScoreKind]:
        """The scores that any model has, those that methods tell of first."""
        return [score_kind(name) for name in self.columns.names]

    @property
    def rows(self) -> tuple[Ints, int]:
        """Which rows the table on the page has, by the score, and how many are left out in their middle."""
        order = row_order(self.columns, self.score)
        if len(order) <= MOST_ROWS:
            return order, 0
        return np.concatenate([order[:END_ROWS], order[-END_ROWS:]]), len(order) - 2 * END_ROWS

    def asked(self, about: About) -> list[Verdict]:
        """Return the verdicts about one thing, those about all models first."""
        return [verdict for verdict in self.verdicts if verdict.about is about]

    @property
    def trends(self) -> list[DrawnModels]:
        """What is drawn of each kind of models: their points, and a line where one was tested.

        Where all models are of one kind, or of none, theirs is the line of all models.
        """
        shown = (State.found, State.none)
        over_time = [verdict for verdict in self.asked(About.time) if verdict.score == self.score]
        tested = {verdict.group for verdict in over_time if verdict.state in shown}
        one_kind = None in tested and len(self.columns.groups("category")) == 1
        trends = []
        for name, rows in dated_rows(self.columns, self.score).items():
            year, value = self.columns.year[rows], self.columns.scores[self.score][rows]
            line = linear_trend(year, value, self.confidence) if name in tested or one_kind else None
            steps = self._steps(line, year) if line else ((), ())
            trends.append(DrawnModels(name, len(rows), self._points(rows, year, value), *steps))
        return trends

    @property
    def popularity(self) -> DrawnModels:
        """The models against how many people use them."""
        liked, values, rows = self.columns.popularity, self.columns.scores[self.score], self.columns.current
        usable = rows[~np.isnan(liked[rows]) & ~np.isnan(values[rows])]
        return DrawnModels("", len(usable), self._points(usable, liked[usable], values[usable]))

    def _steps(self, trend: Trend, year: Array) -> tuple[Steps, Steps]:
        """Return the line and its part beyond the last model, none of it beyond what the score can be."""
        last, kind = float(year.max()), score_kind(self.score)
        parts = []
        for across in (np.linspace(float(year.min()), last, _STEPS), np.linspace(last, last + BEYOND, _STEPS)):
            drawn = np.array([trend.at(across), *trend.band(across)]).clip(kind.lowest, kind.highest)
            parts.append([(x, y, low, high) for x, y, low, high in np.vstack([across, drawn]).T.tolist()])
        return parts[0], parts[1]

    def _points(self, rows: Ints, across: Array, up: Array) -> list[tuple[float, float, str, str]]:
        """Return the points; of many models every so manieth along x."""
        order = np.argsort(across, kind="stable")
        if len(order) > MOST_POINTS:
            order = order[np.linspace(0, len(order) - 1, MOST_POINTS).round().astype(np.int64)]
        infos = [self.columns.infos[rows[at]] for at in order.tolist()]
        places = zip(across[order].tolist(), up[order].tolist(), infos, strict=True)
        return [(x, y, info.model, info.category) for x, y, info in places]


@dataclass(frozen=True, slots=True)
class AtlasSummary:
    """A section for each protocol, that with most models first; ``tests`` is what all verdicts are corrected for.

    ``without`` counts models that have no evaluation.
    """

    evaluations: int
    models: int
    without: int
    tests: int
    confidence: float
    sections: Sequence[ProtocolSummary]


def summary(rows: AtlasRows, score: str = "") -> AtlasSummary:
    """Return what the page tells; ``score`` is compared, in a protocol without it the first score that it has."""
    known = {name for row in rows.evaluations for name in row.scores}
    if score and score not in known:
        raise UnknownNameError(
            f"no evaluation of the atlas has the score {score!r}{did_you_mean(score, sorted(known))}"
        )
    names = protocols(rows)
    titles = protocol_titles(names)
    columns = [Columns.of(rows, name) for name in names]
    compared = [table.compared_score(score) for table in columns]
    verdicts, tests = answers([questions(table, by) for table, by in zip(columns, compared, strict=True)])
    confidence = 1 - LEVEL / max(tests, 1)
    sections = [
        ProtocolSummary(name, title=titles[name], columns=table, score=by, verdicts=stated, confidence=confidence)
        for name, table, by, stated in zip(names, columns, compared, verdicts, strict=True)
    ]
    models = len({row.model for row in rows.evaluations})
    return AtlasSummary(
        len(rows.evaluations),
        models=models,
        without=len(rows.models) - models,
        tests=tests,
        confidence=confidence,
        sections=sections,
    )

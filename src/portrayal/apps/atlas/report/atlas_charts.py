"""The charts of an atlas: scores over time in each kind of models, and against popularity."""

from __future__ import annotations

import math

from portrayal.apps.atlas.evaluations.analysis import group_rows
from portrayal.apps.atlas.evaluations.atlas_summary import DrawnModels, ProtocolSummary
from portrayal.language.translation import digits, t
from portrayal.reports.charts.axes import Scale, tight_scale
from portrayal.reports.charts.interval_chart import MAX_COLOURS
from portrayal.reports.charts.xy_chart import Plane, PlaneSeries, area_path, line_path, place
from portrayal.reports.text.words import capital, count, decimal, human

__all__ = ["popularity_plane", "trend_planes"]


def trend_planes(section: ProtocolSummary, score: str) -> list[Plane]:
    """Return a chart for each kind of models, all on the same axes."""
    trends = section.trends
    points = [point for trend in trends for point in trend.points]
    if not points:
        return []
    lines = [step for trend in trends if trend.line for step in (*trend.line, *trend.beyond)]
    x = Scale(
        math.floor(min(point[0] for point in points)),
        math.ceil(max([point[0] for point in points] + [step[0] for step in lines])) + 0.0,
    )
    # Bands widen without end; the axis follows the data and the lines, and bands are cut off at its edge.
    y = tight_scale([point[1] for point in points] + [step[1] for step in lines])
    return [
        _trend_plane(trend, number % MAX_COLOURS, x, y, score, several=len(trends) > 1)
        for number, trend in enumerate(trends)
    ]


def _trend_plane(trend: DrawnModels, colour: int, x: Scale, y: Scale, score: str, *, several: bool) -> Plane:
    marks = [place(at, value, x, y, f"{model}: {decimal(value, 3)}") for at, value, model, _ in trend.points]
    series = PlaneSeries(colour, "", marks)
    if trend.line:
        line, beyond = trend.line, trend.beyond
        lower, upper = ([(step[0], step[side]) for step in (*line, *beyond)] for side in (2, 3))
        solid, dashed = (line_path([step[:2] for step in steps], x, y) for steps in (line, beyond))
        series = PlaneSeries(colour, "", marks, lines=[solid], beyond=[dashed], bands=[area_path(lower, upper, x, y)])
    title = capital(human(trend.name)) or (t("No kind named") if several else t("All models"))
    drawn = len(trend.points)
    if drawn < trend.models:
        title += " " + t("({drawn} of {n|model|models} drawn)", drawn=count(drawn), n=trend.models)
    summary = t("{score} of {name} over time", score=score, name=title)
    return Plane(
        title, x_title=t("since"), y_title=score, y=y, ticks=_years(x), series=[series], summary=summary, legend=False
    )


def _years(x: Scale) -> list[tuple[str, str]]:
    years = range(math.ceil(x.low), math.floor(x.high) + 1)
    step = max(1, math.ceil(len(years) / 6))
    return [(x.at(year) or "0", str(year)) for year in years[::step]]


def popularity_plane(section: ProtocolSummary, score: str) -> Plane | None:
    """Return popularity against the score, a colour for each of the commonest kinds."""
    drawn = section.popularity
    points = drawn.points
    if len(points) < 2:
        return None
    groups = sorted(group_rows(section.columns, "category"), key=lambda group: -group.models)
    kinds = [group.name for group in groups]
    shown = kinds[: MAX_COLOURS - 1] if len(kinds) > MAX_COLOURS else kinds
    x, y = tight_scale([point[0] for point in points]), tight_scale([point[1] for point in points])
    series = []
    for number, name in enumerate([*shown, None]):
        mine = [point for point in points if (point[3] == name if name else point[3] not in shown)]
        if mine:
            marks = [place(at, value, x, y, f"{model}: {decimal(value, 3)}") for at, value, model, _ in mine]
            series.append(PlaneSeries(number, human(name) if name else t("other"), marks))
    ticks = [(at, digits(label)) for at, label in x.ticks]
    title = ""
    if len(points) < drawn.models:
        title = t("{drawn} of {n|model|models} drawn", drawn=count(len(points)), n=drawn.models)
    return Plane(
        title,
        x_title=t("popularity"),
        y_title=score,
        y=y,
        ticks=ticks,
        series=series,
        summary=t("{score} against popularity", score=score),
    )

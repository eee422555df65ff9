"""A number over releases as a chart: marks with their intervals, and a line between those that can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from portrayal.apps.history.history import NumberSeries
from portrayal.language.translation import t, word
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts.axes import Scale, share_scale, tight_scale
from portrayal.reports.charts.xy_chart import Plane, PlaneSeries, line_path, place
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.words.difference_words import about
from portrayal.reports.summary.plain_names import cropped
from portrayal.reports.text.words import aspect_title, capital, human

__all__ = ["number_title", "series_plane", "value_text"]

TICKS, LETTERS = 5, 14


def number_title(series: NumberSeries, attributes: Mapping[str, Attribute], *, seen_by: bool, several: bool) -> str:
    """Return what a number is: of what it is, the attribute and group or the score, and the model of several."""
    row = next(row for row in series.rows if row is not None)
    item = capital(about(row, attributes, seen_by=seen_by))
    if is_share(row):
        item += f" · {aspect_title(row.attribute, attributes)}, {human(row.group)}"
    else:
        item += f" · {word(human(row.metric))}"
    return f"{series.model} · {item}" if several else item


def value_text(row: Measurement | None) -> str:
    """Return a value with its interval and what it rests on, as charts write them."""
    if row is None:
        return ""
    scale = Scale(0, 1, "%" if is_share(row) else "", 3)
    ends = scale.between(row.low or 0.0, row.high or 0.0, row.n)
    return t("{value} ({interval}; n {n})", value=scale.text(row.value or 0.0, row.n), interval=ends, n=str(row.n))


def series_plane(series: NumberSeries, releases: Sequence[str], title: str) -> Plane:
    """Return the chart of a number over all releases; a release without it leaves a gap."""
    known = [(at, row) for at, row in enumerate(series.rows) if row is not None]
    # Marks at the very edge would be cut off.
    across = Scale(-0.4, len(releases) - 0.6)
    rows = [row for _, row in known]
    shares = is_share(rows[0])
    up = share_scale(rows) if shares else tight_scale([end for row in rows for end in _ends(row)])
    marks = [place(at, row.value or 0.0, across, up, f"{releases[at]}: {value_text(row)}") for at, row in known]
    bars = [line_path([(at, end) for end in _ends(row)], across, up) for at, row in known]
    lines = [line_path([(at, row.value or 0.0) for at, row in run], across, up) for run in _runs(known) if len(run) > 1]
    step = max(1, -(-len(releases) // TICKS))
    ticks = [(across.at(at) or "0", cropped(releases[at], LETTERS)) for at in range(0, len(releases), step)]
    return Plane(
        title,
        x_title=t("release"),
        y_title=t("share of pictures, %") if shares else t("score"),
        y=up,
        ticks=ticks,
        series=[PlaneSeries(0, series.model, marks, lines=[*lines, *bars])],
        summary=f"{title}: " + "; ".join(f"{releases[at]} {value_text(row)}" for at, row in known),
        legend=False,
    )


def _ends(row: Measurement) -> list[float]:
    return [float(row.low or 0.0), float(row.high or 0.0)]


def _runs(known: Sequence[tuple[int, Measurement]]) -> list[list[tuple[int, Measurement]]]:
    """Return releases in a row that answered the same prompts: a line joins only these."""
    runs: list[list[tuple[int, Measurement]]] = []
    for at, row in known:
        if runs and runs[-1][-1][0] == at - 1 and runs[-1][-1][1].prompt_set == row.prompt_set:
            runs[-1].append((at, row))
        else:
            runs.append([(at, row)])
    return runs

"""What the leaderboard's charts and tables consist of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from portrayal.language.translation import t
from portrayal.records import RATING_NOTES
from portrayal.reports.charts.axes import Scale
from portrayal.reports.text.words import count, decimal, percent, span

__all__ = ["ModelLine", "RatingChart", "WinRateCell", "rating_charts", "win_rate_matrix"]

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One model: its ranks, where its rating and interval lie on the track, and the numbers beside it."""

    model: str
    rank: str
    x: str
    low: str
    high: str
    value: str
    interval: str
    elo: str
    elo_interval: str
    battles: str
    record: str
    letters: str


@dataclass(frozen=True, slots=True)
class RatingChart:
    """The models that can be compared with each other, best first."""

    scale: Scale
    centre: str
    lines: Sequence[ModelLine]
    footnotes: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class WinRateCell:
    """A cell of the win-rate matrix; ``shade`` is 0 (always lost) to 8 (always won), empty without battles."""

    text: str = ""
    battles: str = ""
    shade: str = ""


def rating_charts(ratings: Sequence[Row]) -> list[RatingChart]:
    """Return a chart for each component; they have nothing to do with each other, not even a scale."""
    groups: dict[int, list[Row]] = {}
    for row in ratings:
        groups.setdefault(row["component"], []).append(row)
    return [_rating_chart(rows) for rows in groups.values()]


def _scale(values: Sequence[float]) -> Scale:
    """Return an axis with round ends and four equal steps around all values."""
    low, high = min(values), max(values)
    for step in (5, 10, 25, 50, 100, 200, 250, 500, 1000):
        start = math.floor(low / step) * step
        if start + 4 * step >= high:
            return Scale(start, start + 4 * step, digits=0)
    wide = math.ceil((high - low) / 4000) * 1000 + 1000
    return Scale(math.floor(low / wide) * wide, (math.floor(low / wide) + 4) * wide, digits=0)


def _rating_chart(rows: Sequence[Row]) -> RatingChart:
    scale = _scale([value for row in rows for value in (row["bradley_terry"], row["low"], row["high"])])
    letters: dict[str, str] = {}
    for row in rows:
        for code in row["notes"]:
            letters.setdefault(code, ascii_lowercase[len(letters)])
    return RatingChart(
        scale,
        scale.at(1000.0) or "",
        [_line(row, scale, letters) for row in rows],
        [(letter, t(RATING_NOTES[code])) for code, letter in letters.items()],
    )


def _line(row: Row, scale: Scale, letters: Mapping[str, str]) -> ModelLine:
    best, worst = row["rank_low"], row["rank_high"]
    footnotes = [letters[code] for code in row["notes"]]
    return ModelLine(
        model=row["model"],
        rank=str(best) if best == worst else span(str(best), str(worst)),
        x=scale.at(row["bradley_terry"]) or "",
        low=scale.at(row["low"]) or "",
        high=scale.at(row["high"]) or "",
        value=decimal(row["bradley_terry"], 0),
        interval=span(decimal(row["low"], 0), decimal(row["high"], 0)) if row["low"] < row["high"] else "",
        elo=decimal(row["elo"], 0),
        elo_interval=span(decimal(row["elo_low"], 0), decimal(row["elo_high"], 0)),
        battles=count(row["battles"]),
        record=f"{count(row['wins'])} / {count(row['draws'])} / {count(row['losses'])}",
        letters=", ".join(footnotes),
    )


def win_rate_matrix(
    rates: Sequence[Row], models: Sequence[str]
) -> tuple[Sequence[str], Sequence[tuple[str, Sequence[WinRateCell]]]]:
    """Return the models, and for each how often it won against each other one."""
    by_pair = {(row["model"], row["opponent"]): row for row in rates}
    return models, [(one, [_win_rate_cell(by_pair.get((one, two))) for two in models]) for one in models]


def _win_rate_cell(row: Row | None) -> WinRateCell:
    if row is None:
        return WinRateCell()
    return WinRateCell(percent(row["rate"], row["battles"]), count(row["battles"]), str(round(8 * row["rate"])))

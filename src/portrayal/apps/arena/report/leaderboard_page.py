"""The arena's leaderboard as one HTML page without scripts: ratings with intervals, and who beat whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from portrayal.apps.arena.report.leaderboard_rows import RatingChart, WinRateCell, rating_charts, win_rate_matrix
from portrayal.errors import ConfigError, did_you_mean
from portrayal.language.translation import MARKS, speaking, spoken, t, word
from portrayal.reports.templating import environment, styles
from portrayal.reports.text.words import capital, count, decimal, join, percent, plural, span

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["leaderboard", "leaderboard_css"]

_PACKAGE = "portrayal.apps.arena.report"

Row = Mapping[str, Any]
_SUMMARY = ("votes", "skipped", "raters", "resampled")
_MOST_COLUMNS = 12
"""A win-rate matrix of more models than this is left to the JSON: nobody reads it on a page."""


@dataclass(frozen=True, slots=True)
class _SectionView:
    """One aspect or group, ready to be shown."""

    anchor: str
    title: str
    summary: Row
    charts: Sequence[RatingChart]
    neighbours: Sequence[Row]
    matrix: tuple[Sequence[str], Sequence[tuple[str, Sequence[WinRateCell]]]] | None
    agreement: Row
    correlations: Sequence[Row]


def leaderboard(data: Mapping[str, Any], language: str = "en", *, title: str = "", stylesheet: str = "") -> str:
    """Return the page.

    Parameters
    ----------
    data
        What ``portrayal arena rate --json`` prints, or ``rate_votes(...).as_json()``; texts in it are escaped.
    language
        ``en`` or ``de``.
    title
        The heading; without it, the page is called a leaderboard.
    stylesheet
        The address of :func:`leaderboard_css` for a server that forbids inline styles; without it, it is in the page.
    """
    if language not in MARKS:
        raise ConfigError(f"there is no leaderboard in the language {language!r}{did_you_mean(language, MARKS)}")
    with speaking(language, page=True):
        sections = [
            _section(data, number, summary)
            for number, summary in enumerate(data["sections"], start=1)
            if summary["votes"]
        ]
        return _template().render(
            language=spoken(),
            title=title or t("Leaderboard"),
            css=leaderboard_css(),
            stylesheet=stylesheet,
            sections=sections,
            data=data,
            models=len({row["model"] for row in data["ratings"]}),
            by_rater=all(section.summary["resampled"] == "rater" for section in sections),
        )


def leaderboard_css() -> str:
    """Return the page's style sheet."""
    return styles(_PACKAGE, "leaderboard.css")


@cache
def _template() -> Template:
    loaded = environment(_PACKAGE)
    loaded.filters.update(
        count=count, capital=capital, percent=percent, decimal=decimal, join_words=join, word=word, chance=_p
    )
    loaded.globals.update(t=t, plural=plural, span=span)
    return loaded.get_template("leaderboard.html.j2")


def _section(data: Mapping[str, Any], number: int, summary: Row) -> _SectionView:
    keys = {name: value for name, value in summary.items() if name not in _SUMMARY}

    def rows_of(table: str) -> list[Row]:
        return [row for row in data[table] if all(row[name] == value for name, value in keys.items())]

    ratings = rows_of("ratings")
    names = [row["model"] for row in ratings]
    return _SectionView(
        f"part-{number}",
        _title(keys),
        summary=summary,
        charts=rating_charts(ratings),
        neighbours=rows_of("neighbours"),
        matrix=win_rate_matrix(rows_of("win_rates"), names) if 1 < len(names) <= _MOST_COLUMNS else None,
        agreement=rows_of("agreement")[0],
        correlations=rows_of("correlations"),
    )


def _title(keys: Mapping[str, str]) -> str:
    parts = [word(value) if name in ("aspect", "language", "variant") else value for name, value in keys.items()]
    return capital(", ".join(part or t("no value") for part in parts)) or t("All votes")


def _p(value: float) -> str:
    """Return a p-value as words."""
    return f"<{decimal(0.001, 3)}" if value < 0.001 else decimal(value, 3)

"""The history of a model as one page: what changed first, then every number over the releases. No scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from portrayal.apps.history.change_words import change_basis, change_sentence
from portrayal.apps.history.history import SENTENCES, NumberSeries, ReleaseHistory
from portrayal.apps.history.history_charts import number_title, series_plane, value_text
from portrayal.errors import ConfigError, did_you_mean
from portrayal.language.translation import LANGUAGES, speaking, spoken, t
from portrayal.reports.comparisons.words.difference_words import DifferenceLine, line_of
from portrayal.reports.templating import environment, styles
from portrayal.reports.text.notes import naming
from portrayal.reports.text.wide_intervals import SIGN, wide_words
from portrayal.reports.text.words import capital, count, join, plural

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["render_history"]

_PACKAGE = "portrayal.apps.history"
CHARTS, LINES = 12, 200
"""Charts and lines of tables that the page shows; more are counted."""


@dataclass(frozen=True, slots=True)
class ReleaseTable:
    """What was compared with the release before, or with the first one, the surest first."""

    title: str
    later: str
    earlier: str
    lines: Sequence[DifferenceLine]
    more: int


def render_history(history: ReleaseHistory, language: str = "") -> str:
    """Return the page in ``language``, ``en`` or ``de``; without one in that of the last study's report."""
    language = language or history.read.language
    if language not in LANGUAGES:
        raise ConfigError(f"there is no history in the language {language!r}{did_you_mean(language, LANGUAGES)}")
    with speaking(language, page=True), naming(history.read.attributes):
        return _page(history)


def _page(history: ReleaseHistory) -> str:
    read = history.read
    names = [release.name for release in read.releases]
    series = _ordered(history)
    titles = [
        number_title(each, read.attributes, seen_by=history.seen_by, several=len(read.models) > 1) for each in series
    ]
    planes = [series_plane(each, names, title) for each, title in zip(series[:CHARTS], titles, strict=False)]
    tables = _tables(history)
    basis = {id(change): change_basis(change, history.looks[change.release - 1].tests) for change in history.news}
    return _template().render(
        language=spoken(),
        css=styles(_PACKAGE, "history.css"),
        title=t("{model} over {n|release|releases}", model=join(list(read.models[:3])), n=len(names)),
        releases=[(release.name, f"{release.measured:%Y-%m-%d}") for release in read.releases],
        news=[
            (change_sentence(change, read.attributes, seen_by=history.seen_by), basis[id(change)])
            for change in history.news[:SENTENCES]
        ],
        rest=history.sentences()[min(len(history.news), SENTENCES) :],
        summary=history.summary(),
        not_compared=history.not_compared(),
        planes=planes,
        more_charts=len(series) - len(planes),
        tables=tables,
        wide=wide_words() if _signed(tables, basis.values()) else "",
        numbers=[(title, [value_text(row) for row in each.rows]) for title, each in zip(titles, series, strict=True)][
            :LINES
        ],
        more_numbers=max(len(series) - LINES, 0),
        names=names,
    )


def _ordered(history: ReleaseHistory) -> list[NumberSeries]:
    """Return the numbers: first those that changed, then those over all prompts, then the others."""
    news = [(change.model, change.topic) for change in history.news]
    place = {key: number for number, key in reversed(list(enumerate(news)))}

    def order(each: NumberSeries) -> tuple[int, bool, bool]:
        return place.get((each.model, each.topic), len(news)), each.topic.level != "overall", not each.topic.group

    return sorted(history.series, key=order)


def _tables(history: ReleaseHistory) -> list[ReleaseTable]:
    """Return a table for each two releases that were compared, the latest first."""
    tables = []
    for look in reversed(history.looks):
        by_pair: dict[tuple[str, str], list[DifferenceLine]] = {}
        for change in sorted(look.changes, key=lambda each: (not each.previous, not each.changed, each.difference.p)):
            line = line_of(change.difference, history.read.attributes, history.margin, seen_by=history.seen_by)
            by_pair.setdefault((change.difference.one.generator, change.difference.other.generator), []).append(line)
        for (later, earlier), lines in by_pair.items():
            most = max(LINES // (2 * len(history.looks)), 10)
            title = t("{later} compared with {earlier}", later=later, earlier=earlier)
            tables.append(ReleaseTable(title, later, earlier, lines[:most], max(len(lines) - most, 0)))
    return tables


def _signed(tables: Sequence[ReleaseTable], basis: Iterable[str]) -> bool:
    """Return whether any interval has the sign that must be explained."""
    shown = (line.interval for table in tables for line in table.lines)
    return any(SIGN in text for text in (*shown, *basis))


@cache
def _template() -> Template:
    loaded = environment(_PACKAGE)
    loaded.filters.update(count=count, capital=capital)
    loaded.globals.update(t=t, plural=plural)
    return loaded.get_template("history.html.j2")

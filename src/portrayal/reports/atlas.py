"""The page of an atlas: all models, kinds and schedulers, trends over time, popularity against bias. No scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from portrayal.errors import ConfigError, did_you_mean
from portrayal.reports.atlas_charts import popularity_plane, trend_planes
from portrayal.reports.atlas_compare import comparison_section
from portrayal.reports.atlas_titles import protocol_titles
from portrayal.reports.language import MARKS, speaking, spoken, t
from portrayal.reports.plane import Plane
from portrayal.reports.templating import environment
from portrayal.reports.words import capital, count, decimal, human, plural, signed, span

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["render_atlas"]

Row = Mapping[str, Any]
DIGITS = 3
SURE = 0.05


@dataclass(frozen=True, slots=True)
class GroupTable:
    """A table of kinds or schedulers, and what it says in a sentence."""

    anchor: str
    title: str
    head: str
    rows: Sequence[tuple[str, str, Sequence[tuple[str, bool]], bool]]
    """Name, number of models, cells, and whether there are too few; of each cell its text and the same."""
    sentence: str


@dataclass(frozen=True, slots=True)
class AtlasSection:
    """One protocol, ready to be shown."""

    anchor: str
    title: str
    data: Row
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    head_rows: int
    groups: Sequence[GroupTable]
    trends: Sequence[tuple[str, str, str, str]]
    planes: Sequence[Plane]
    popularity: Plane | None
    popularity_sentence: str
    unknown: Sequence[str]
    """Which scores some rows do not have, and why, in sentences."""
    direction: str
    """Which end of the score means more bias, in a sentence, where that is known."""


def render_atlas(data: Mapping[str, Any], language: str = "en", *, title: str = "") -> str:
    """Return the page in ``language``, ``en`` or ``de``, from what :func:`portrayal.atlas.summary.summary` returns.

    ``chosen`` in it, where models were chosen, is what :mod:`portrayal.reports.atlas_compare` sets side by side.
    """
    if language not in MARKS:
        raise ConfigError(f"there is no atlas in the language {language!r}{did_you_mean(language, MARKS)}")
    with speaking(language):
        titles = protocol_titles([own["protocol"] for own in data["sections"]])
        sections = [_section(own, titles[own["protocol"]], number) for number, own in enumerate(data["sections"], 1)]
        chosen = comparison_section(data["chosen"], data["chosen"]["files"]) if data.get("chosen") else None
        return _template().render(
            language=spoken(), title=title, css=_css(), data=data, sections=sections, chosen=chosen
        )


def _css() -> str:
    folder = resources.files("portrayal.reports").joinpath("templates")
    return "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in ("report.css", "atlas.css"))


@cache
def _template() -> Template:
    loaded = environment()
    loaded.filters.update(count=count, capital=capital)
    loaded.globals.update(t=t, plural=plural)
    return loaded.get_template("atlas.html.j2")


def _section(own: Row, title: str, number: int) -> AtlasSection:
    names = [score["name"] for score in own["scores"]]
    columns = [_titled(score) for score in own["scores"]]
    return AtlasSection(
        f"part-{number}",
        title or t("No protocol named"),
        own,
        columns,
        [_model(row, names) for row in own["rows"]],
        len(own["rows"]) // 2 if own["left_out"] else 0,
        [
            _groups(own, "category", t("By kind of model"), t("Kind"), names),
            _groups(own, "scheduler", t("By scheduler"), t("Scheduler"), names),
        ],
        [_trend(trend) for trend in own["trends"]],
        trend_planes(own, _score_title(own)),
        popularity_plane(own, _score_title(own)),
        _popularity(own["popularity"], _score_title(own)),
        [_unknown(own, score) for score in own["scores"] if own["unknown"][score["name"]]],
        _direction(own["more_is_biased"], _score_title(own)),
    )


def _unknown(own: Row, score: Row) -> str:
    n, rows = own["unknown"][score["name"]], count(own["evaluations"])
    said = t("{score}: {n} of {rows} evaluations have none.", score=_titled(score), n=count(n), rows=rows)
    return f"{said} {t(score['undefined'])}" if score["undefined"] else said


def _direction(more_is_biased: bool | None, score: str) -> str:
    if more_is_biased is None:
        return ""
    return (
        t("{score}: higher means more bias.", score=score)
        if more_is_biased
        else t("{score}: lower means more bias.", score=score)
    )


def _titled(score: Row) -> str:
    name = capital(human(score["title"]))
    return f"{name} ({score['symbol']})" if score["symbol"] else name


def _score_title(own: Row) -> str:
    return next(_titled(score) for score in own["scores"] if score["name"] == own["score"])


def _model(row: Row, names: Sequence[str]) -> tuple[str, Sequence[str]]:
    version = t("{model}, version {n}", model=row["model"], n=row["version"]) if row["version"] > 1 else row["model"]
    scores = [_score(row["scores"].get(name)) for name in names]
    popularity = "" if row["popularity"] is None else decimal(row["popularity"], 2)
    return version, [human(row["category"]), row["scheduler"], row["created"], popularity, *scores]


def _score(found: Sequence[float | None] | None) -> str:
    if found is None or found[0] is None:
        return ""
    value, low, high = found
    assert value is not None
    text = decimal(value, DIGITS)
    return text if low is None or high is None else f"{text} ({span(decimal(low, DIGITS), decimal(high, DIGITS))})"


def _groups(own: Row, field: str, title: str, head: str, names: Sequence[str]) -> GroupTable:
    found = own[field]
    rows = []
    for group in found["groups"]:
        popularity = _spread(group["popularity"], group["popularity_deviation"], 2), False
        cells = [popularity, *(_group_cell(group, name) for name in names)]
        rows.append((human(group["name"]), count(group["models"]), cells, group["thin"]))
    return GroupTable(field, title, head, rows, _compared(found, _score_title(own)))


def _group_cell(group: Row, name: str) -> tuple[str, bool]:
    """Return a score of a group, of how many of its models where not all have it, and whether these are too few."""
    known: int = group["known"][name]
    text = _spread(group["mean"].get(name), group["deviation"].get(name), DIGITS)
    if known < group["models"]:
        text = f"{text} " + t("[{known} of {n}]", known=count(known), n=count(group["models"]))
    return text.strip(), group["few"][name]


def _spread(mean: float | None, deviation: float | None, digits: int) -> str:
    if mean is None:
        return ""
    return decimal(mean, digits) + ("" if deviation is None else f" ({decimal(deviation, digits)})")


def _compared(found: Row, score: str) -> str:
    if not found["groups"]:
        return t("Of no model is this known.")
    if found["p"] is None:
        return t("Too few models to compare: that takes two groups of 5 models or more.")
    p = t("p below 0.001") if found["p"] < 0.001 else t("p = {p}", p=decimal(found["p"], 3))
    if found["p"] < SURE:
        return t("{score}: the groups differ by more than chance explains (Kruskal–Wallis, {p}).", score=score, p=p)
    return t(
        "{score}: differences between the groups cannot be told from chance (Kruskal–Wallis, {p}).", score=score, p=p
    )


def _trend(trend: Row) -> tuple[str, str, str, str]:
    """Return the group, its models, the change a year, and what it comes to."""
    name, models = human(trend["name"]) or t("no kind named"), count(trend["models"])
    if trend["slope"] is None:
        return name, models, "", t("too few models, or all of one day: no trend")
    change = f"{signed(trend['slope'], DIGITS)} ({span(*(signed(trend[end], DIGITS) for end in ('low', 'high')))})"
    if trend["low"] > 0:
        return name, models, change, t("rises")
    return name, models, change, t("falls") if trend["high"] < 0 else t("not told from no change")


def _popularity(found: Row, score: str) -> str:
    if found["rho"] is None:
        return t(
            "Too few models to compare: {n|model has|models have} likes, downloads and this score, and it takes 10.",
            n=found["models"],
        )
    interval = span(decimal(found["low"]), decimal(found["high"]))
    values = {"score": score, "rho": decimal(found["rho"]), "interval": interval, "n": found["models"]}
    if found["low"] > 0:
        return t("{score} is higher in more popular models: Spearman {rho} ({interval}), {n|model|models}.", **values)
    if found["high"] < 0:
        return t("{score} is lower in more popular models: Spearman {rho} ({interval}), {n|model|models}.", **values)
    return t(
        "{score} and popularity: no relation can be told from chance. Spearman {rho} ({interval}), {n|model|models}.",
        **values,
    )

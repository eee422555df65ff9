"""The page of an atlas: all models, kinds and schedulers, trends over time, popularity against bias. No scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from portrayal.apps.atlas.report.atlas_answer import TESTED, answer, corrected, proofs
from portrayal.apps.atlas.report.atlas_charts import popularity_plane, trend_planes
from portrayal.apps.atlas.report.atlas_compare import comparison_section
from portrayal.apps.atlas.report.atlas_numbers import image_notes, value_with_interval
from portrayal.apps.atlas.report.atlas_verdicts import asked, evidence, score_of, titled, trend_verdict
from portrayal.errors import ConfigError, did_you_mean
from portrayal.language.translation import MARKS, speaking, spoken, t
from portrayal.reports.charts.xy_chart import Plane
from portrayal.reports.templating import environment, styles
from portrayal.reports.text.words import capital, count, decimal, human, plural

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["render_atlas"]

_PACKAGE = "portrayal.apps.atlas.report"

Row = Mapping[str, Any]
DIGITS = 3


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
    answer: str
    proofs: Sequence[str]
    """What was found in a sentence, and the sentences with numbers behind it."""
    first: bool
    """Whether these stand at the top of the page."""
    columns: Sequence[str]
    caption: str
    rows: Sequence[tuple[str, Sequence[str]]]
    head_rows: int
    groups: Sequence[GroupTable]
    over_time: Sequence[str]
    by_kind: str
    trends: Sequence[tuple[str, str, str, str]]
    planes: Sequence[Plane]
    popularity: Plane | None
    popularity_sentence: str
    notes: Sequence[str]
    """Which scores some rows do not have, and which move with the number of images, in sentences."""
    direction: str
    """Which end of the score means more bias, in a sentence, where that is known."""


def render_atlas(data: Mapping[str, Any], language: str = "en", *, title: str = "") -> str:
    """Return the page in ``language``, ``en`` or ``de``, from what ``atlas_summary.summary`` returns.

    ``chosen`` in it, where models were chosen, is what ``atlas_compare`` sets side by side.
    """
    if language not in MARKS:
        raise ConfigError(f"there is no atlas in the language {language!r}{did_you_mean(language, MARKS)}")
    with speaking(language):
        first = [number for number, section in enumerate(data["sections"]) if _tested(section)] or [0]
        sections = [_section(section, number, first=number in first) for number, section in enumerate(data["sections"])]
        chosen = comparison_section(data["chosen"], data["chosen"]["files"]) if data.get("chosen") else None
        correction = corrected(data["tests"], data["confidence"])
        return _template().render(
            language=spoken(),
            title=title,
            css=styles(_PACKAGE, "atlas.css"),
            data=data,
            sections=sections,
            chosen=chosen,
            corrected=correction,
        )


@cache
def _template() -> Template:
    loaded = environment(_PACKAGE)
    loaded.filters.update(count=count, capital=capital)
    loaded.globals.update(t=t, plural=plural)
    return loaded.get_template("atlas.html.j2")


def _tested(section: Row) -> bool:
    return any(verdict["state"] in TESTED for verdict in section["verdicts"])


def _section(section: Row, number: int, *, first: bool) -> AtlasSection:
    names = [score["name"] for score in section["scores"]]
    score = titled(score_of(section, section["score"]))
    (popular,) = asked(section, "popularity")
    return AtlasSection(
        f"part-{number + 1}",
        section["title"] or t("No protocol named"),
        section,
        answer=answer(section),
        proofs=proofs(section),
        first=first,
        columns=[titled(score) for score in section["scores"]],
        caption=_caption(section, score),
        rows=[_model(row, names) for row in section["rows"]],
        head_rows=len(section["rows"]) // 2 if section["left_out"] else 0,
        groups=[
            _groups(section, "category", t("By kind of model"), t("Kind"), names),
            _groups(section, "scheduler", t("By scheduler"), t("Scheduler"), names),
        ],
        over_time=[evidence(section, verdict) for verdict in asked(section, "time") if verdict["group"] is None],
        by_kind=t("{score} by kind of model", score=score),
        trends=[_trend(verdict) for verdict in asked(section, "time") if verdict["group"] is not None],
        planes=trend_planes(section, score),
        popularity=popularity_plane(section, score),
        popularity_sentence=evidence(section, popular),
        notes=[
            *(_unknown(section, score) for score in section["scores"] if section["unknown"][score["name"]]),
            *image_notes(section),
        ],
        direction=_direction(section["more_is_biased"], score),
    )


def _caption(section: Row, score: str) -> str:
    if section["score"] in section["moved"]:
        return t("Models by name: numbers of images differ, and {score} changes with them.", score=score)
    return t("Models by {score}, the lowest first; intervals in brackets where they are known.", score=score)


def _unknown(section: Row, score: Row) -> str:
    n, rows = section["unknown"][score["name"]], count(section["evaluations"])
    said = t("{score}: {n} of {rows} evaluations have none.", score=titled(score), n=count(n), rows=rows)
    return f"{said} {t(score['undefined'])}" if score["undefined"] else said


def _direction(more_is_biased: bool | None, score: str) -> str:
    if more_is_biased is None:
        return ""
    return (
        t("{score}: higher means more bias.", score=score)
        if more_is_biased
        else t("{score}: lower means more bias.", score=score)
    )


def _model(row: Row, names: Sequence[str]) -> tuple[str, Sequence[str]]:
    version = t("{model}, version {n}", model=row["model"], n=row["version"]) if row["version"] > 1 else row["model"]
    scores = [_score(row["scores"].get(name)) for name in names]
    popularity = "" if row["popularity"] is None else decimal(row["popularity"], 2)
    images = "" if row["images"] is None else count(row["images"])
    return version, [human(row["category"]), row["scheduler"], row["created"], popularity, images, *scores]


def _score(bounded: Sequence[float | None] | None) -> str:
    if bounded is None or bounded[0] is None:
        return ""
    value, low, high = bounded
    assert value is not None
    return value_with_interval(value, low, high)


def _groups(section: Row, field: str, title: str, head: str, names: Sequence[str]) -> GroupTable:
    rows = []
    for group in section[field]:
        popularity = _spread(group["popularity"], group["popularity_deviation"], 2), False
        cells = [popularity, *(_group_cell(group, name) for name in names)]
        rows.append((human(group["name"]), count(group["models"]), cells, group["thin"]))
    (verdict,) = asked(section, field)
    sentence = evidence(section, verdict) if rows else t("This is known of no model.")
    return GroupTable(field, title, head, rows, sentence)


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


def _trend(verdict: Row) -> tuple[str, str, str, str]:
    """Return the kind, its models, the change a year, and what it comes to."""
    return capital(human(verdict["group"])), count(verdict["models"]), *trend_verdict(verdict)

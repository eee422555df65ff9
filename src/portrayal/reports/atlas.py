"""The page of an atlas: all models, kinds and schedulers, trends over time, popularity against bias. No scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from portrayal.errors import ConfigError, did_you_mean
from portrayal.reports.atlas_answer import TESTED, answer, corrected, proofs
from portrayal.reports.atlas_charts import popularity_plane, trend_planes
from portrayal.reports.atlas_compare import comparison_section
from portrayal.reports.atlas_images import image_notes
from portrayal.reports.atlas_numbers import value_with_interval
from portrayal.reports.atlas_verdicts import asked, evidence, score_of, titled, trend_verdict
from portrayal.reports.language import MARKS, speaking, spoken, t
from portrayal.reports.plane import Plane
from portrayal.reports.templating import environment
from portrayal.reports.words import capital, count, decimal, human, plural

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["render_atlas"]

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
    """Return the page in ``language``, ``en`` or ``de``, from what :func:`portrayal.atlas.summary.summary` returns.

    ``chosen`` in it, where models were chosen, is what :mod:`portrayal.reports.atlas_compare` sets side by side.
    """
    if language not in MARKS:
        raise ConfigError(f"there is no atlas in the language {language!r}{did_you_mean(language, MARKS)}")
    with speaking(language):
        first = [number for number, own in enumerate(data["sections"]) if _tested(own)] or [0]
        sections = [_section(own, number, first=number in first) for number, own in enumerate(data["sections"])]
        chosen = comparison_section(data["chosen"], data["chosen"]["files"]) if data.get("chosen") else None
        correction = corrected(data["tests"], data["confidence"])
        return _template().render(
            language=spoken(),
            title=title,
            css=_css(),
            data=data,
            sections=sections,
            chosen=chosen,
            corrected=correction,
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


def _tested(section: Row) -> bool:
    return any(own["state"] in TESTED for own in section["verdicts"])


def _section(own: Row, number: int, *, first: bool) -> AtlasSection:
    names = [score["name"] for score in own["scores"]]
    score = titled(score_of(own, own["score"]))
    (popular,) = asked(own, "popularity")
    return AtlasSection(
        f"part-{number + 1}",
        own["title"] or t("No protocol named"),
        own,
        answer(own),
        proofs(own),
        first,
        [titled(score) for score in own["scores"]],
        _caption(own, score),
        [_model(row, names) for row in own["rows"]],
        len(own["rows"]) // 2 if own["left_out"] else 0,
        [
            _groups(own, "category", t("By kind of model"), t("Kind"), names),
            _groups(own, "scheduler", t("By scheduler"), t("Scheduler"), names),
        ],
        [evidence(own, verdict) for verdict in asked(own, "time") if verdict["group"] is None],
        t("{score} by kind of model", score=score),
        [_trend(verdict) for verdict in asked(own, "time") if verdict["group"] is not None],
        trend_planes(own, score),
        popularity_plane(own, score),
        evidence(own, popular),
        [
            *(_unknown(own, score) for score in own["scores"] if own["unknown"][score["name"]]),
            *image_notes(own),
        ],
        _direction(own["more_is_biased"], score),
    )


def _caption(own: Row, score: str) -> str:
    if own["score"] in own["moved"]:
        return t("Models by name: numbers of images differ, and {score} changes with them.", score=score)
    return t("Models by {score}, the lowest first; intervals in brackets where they are known.", score=score)


def _unknown(own: Row, score: Row) -> str:
    n, rows = own["unknown"][score["name"]], count(own["evaluations"])
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


def _score(found: Sequence[float | None] | None) -> str:
    if found is None or found[0] is None:
        return ""
    value, low, high = found
    assert value is not None
    return value_with_interval(value, low, high)


def _groups(own: Row, field: str, title: str, head: str, names: Sequence[str]) -> GroupTable:
    rows = []
    for group in own[field]:
        popularity = _spread(group["popularity"], group["popularity_deviation"], 2), False
        cells = [popularity, *(_group_cell(group, name) for name in names)]
        rows.append((human(group["name"]), count(group["models"]), cells, group["thin"]))
    (verdict,) = asked(own, field)
    sentence = evidence(own, verdict) if rows else t("This is known of no model.")
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

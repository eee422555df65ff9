"""The page of an atlas: all models, kinds and schedulers, trends over time, popularity against bias. No scripts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from portrayal.apps.atlas.evaluations.analysis import GroupRow, group_rows
from portrayal.apps.atlas.evaluations.atlas_summary import AtlasSummary, ProtocolSummary
from portrayal.apps.atlas.evaluations.columns import Columns
from portrayal.apps.atlas.evaluations.normalised import ModelComparison
from portrayal.apps.atlas.evaluations.verdicts import FEW_IN_GROUP, About, Verdict
from portrayal.apps.atlas.report.atlas_answer import TESTED, answer, corrected, proofs
from portrayal.apps.atlas.report.atlas_charts import popularity_plane, trend_planes
from portrayal.apps.atlas.report.atlas_compare import comparison_section
from portrayal.apps.atlas.report.atlas_numbers import image_notes, value_with_interval
from portrayal.apps.atlas.report.atlas_verdicts import evidence, titled, trend_verdict
from portrayal.errors import ConfigError, did_you_mean
from portrayal.language.translation import MARKS, speaking, spoken, t
from portrayal.methods.atlas_part import score_kind
from portrayal.reports.charts.xy_chart import Plane
from portrayal.reports.templating import environment, styles
from portrayal.reports.text.words import capital, count, decimal, human, plural

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["render_atlas"]

_PACKAGE = "portrayal.apps.atlas.report"

DIGITS = 3
Chosen = tuple[ModelComparison, Sequence[str]]


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
    data: ProtocolSummary
    file: str
    """The table of all its models, beside the page."""
    answer: str
    proofs: Sequence[str]
    """What was found in a sentence, and the sentences with numbers behind it."""
    first: bool
    """Whether these stand at the top of the page."""
    columns: Sequence[str]
    caption: str
    rows: Sequence[tuple[str, Sequence[str]]]
    left_out: int
    sources: Sequence[str]
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


def render_atlas(
    data: AtlasSummary,
    language: str = "en",
    *,
    title: str = "",
    files: Mapping[str, str] | None = None,
    chosen: Chosen | None = None,
) -> str:
    """Return the page in ``language``, ``en`` or ``de``; ``files`` are the tables of all models, by protocol.

    ``chosen`` are models that are set side by side, and the files about them.
    """
    if language not in MARKS:
        raise ConfigError(f"there is no atlas in the language {language!r}{did_you_mean(language, MARKS)}")
    with speaking(language, page=True):
        first = [number for number, section in enumerate(data.sections) if _tested(section)] or [0]
        sections = [
            _section(section, number, (files or {}).get(section.protocol, ""), first=number in first)
            for number, section in enumerate(data.sections)
        ]
        return _template().render(
            language=spoken(),
            title=title,
            css=styles(_PACKAGE, "atlas.css"),
            data=data,
            sections=sections,
            chosen=comparison_section(*chosen) if chosen else None,
            corrected=corrected(data.tests, data.confidence),
        )


@cache
def _template() -> Template:
    loaded = environment(_PACKAGE)
    loaded.filters.update(count=count, capital=capital)
    loaded.globals.update(t=t, plural=plural)
    return loaded.get_template("atlas.html.j2")


def _tested(section: ProtocolSummary) -> bool:
    return any(verdict.state in TESTED for verdict in section.verdicts)


def _section(section: ProtocolSummary, number: int, file: str, *, first: bool) -> AtlasSection:
    score, columns = titled(score_kind(section.score)), section.columns
    (popular,) = section.asked(About.popularity)
    places, left_out = section.rows
    return AtlasSection(
        f"part-{number + 1}",
        section.title or t("No protocol named"),
        section,
        file,
        answer=answer(section),
        proofs=proofs(section),
        first=first,
        columns=[titled(kind) for kind in section.scores],
        caption=_caption(section, score),
        rows=[_model(columns, place) for place in places.tolist()],
        left_out=left_out,
        sources=sorted({row.source for row in columns.evaluations if row.source}),
        groups=[
            _groups(section, About.category, t("By kind of model"), t("Kind")),
            _groups(section, About.scheduler, t("By scheduler"), t("Scheduler")),
        ],
        over_time=[evidence(section, verdict) for verdict in section.asked(About.time) if verdict.group is None],
        by_kind=t("{score} by kind of model", score=score),
        trends=[_trend(verdict, verdict.group) for verdict in section.asked(About.time) if verdict.group is not None],
        planes=trend_planes(section, score),
        popularity=popularity_plane(section, score),
        popularity_sentence=evidence(section, popular),
        notes=[*_unknown(section), *image_notes(section)],
        direction=_direction(score_kind(section.score).more_is_biased, score),
    )


def _caption(section: ProtocolSummary, score: str) -> str:
    if section.score in section.columns.moved:
        return t("Models by name: numbers of images differ, and {score} changes with them.", score=score)
    return t("Models by {score}, the lowest first; intervals in brackets where they are known.", score=score)


def _unknown(section: ProtocolSummary) -> Iterator[str]:
    rows = count(len(section.columns.evaluations))
    for kind in section.scores:
        if n := int(np.isnan(section.columns.scores[kind.name]).sum()):
            said = t("{score}: {n} of {rows} evaluations have none.", score=titled(kind), n=count(n), rows=rows)
            yield f"{said} {t(kind.undefined)}" if kind.undefined else said


def _direction(more_is_biased: bool | None, score: str) -> str:
    if more_is_biased is None:
        return ""
    return (
        t("{score}: higher means more bias.", score=score)
        if more_is_biased
        else t("{score}: lower means more bias.", score=score)
    )


def _model(columns: Columns, place: int) -> tuple[str, Sequence[str]]:
    row, info, version = columns.evaluations[place], columns.infos[place], int(columns.version[place])
    name = t("{model}, version {n}", model=row.model, n=version) if version > 1 else row.model
    known = [row.scores.get(score) for score in columns.names]
    scores = [value_with_interval(score.value, score.low, score.high) if score else "" for score in known]
    liked = _number(float(columns.popularity[place]), 2)
    images = "" if row.images is None else count(row.images)
    return name, [human(info.category), info.scheduler, info.created, liked, images, *scores]


def _groups(section: ProtocolSummary, about: About, title: str, head: str) -> GroupTable:
    rows = []
    for group in group_rows(section.columns, about.value):
        liked = _spread(group.popularity, group.popularity_deviation, 2), False
        cells = [liked, *(_group_cell(group, name) for name in section.columns.names)]
        rows.append((human(group.name), count(group.models), cells, group.thin))
    (verdict,) = section.asked(about)
    sentence = evidence(section, verdict) if rows else t("This is known of no model.")
    return GroupTable(about.value, title, head, rows, sentence)


def _group_cell(group: GroupRow, name: str) -> tuple[str, bool]:
    """Return a score of a group, of how many of its models where not all have it, and whether these are too few."""
    known = group.known[name]
    text = _spread(group.mean[name], group.deviation[name], DIGITS)
    if known < group.models:
        text = f"{text} " + t("[{known} of {n}]", known=count(known), n=count(group.models))
    return text.strip(), known < FEW_IN_GROUP


def _spread(mean: float, deviation: float, digits: int) -> str:
    return _number(mean, digits) + ("" if math.isnan(deviation) else f" ({_number(deviation, digits)})")


def _number(value: float, digits: int) -> str:
    return "" if math.isnan(value) else decimal(value, digits)


def _trend(verdict: Verdict, kind: str) -> tuple[str, str, str, str]:
    """Return the kind, its models, the change a year, and what it comes to."""
    return capital(human(kind)), count(verdict.models), *trend_verdict(verdict)

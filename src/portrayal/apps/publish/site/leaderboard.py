"""Models of several studies in order, by numbers that can be compared, as far as intervals carry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portrayal.apps.publish.published_numbers import Number
from portrayal.language.translation import t, word
from portrayal.methods.atlas_part import score_kind
from portrayal.records import attribute_table
from portrayal.reports.findings.deviations.deviation import Ranked, Ranking
from portrayal.reports.findings.order import standings
from portrayal.reports.text.words import decimal, human

__all__ = ["Board", "Entrant", "Line", "boards"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A number, and the study it is from: its title and the folder of its pages."""

    number: Number
    study: str
    folder: str


@dataclass(frozen=True, slots=True)
class Line:
    """A model's place, or the places it may have, and its number."""

    place: str
    model: str
    study: str
    folder: str
    value: str
    interval: str
    images: int
    missing: int


@dataclass(frozen=True, slots=True)
class Board:
    """Models by one number about the same prompts, seen by the same annotator; ``apart`` is whether any two differ."""

    title: str
    seen_by: str
    lower: bool
    apart: bool
    lines: Sequence[Line]


def boards(entrants: Iterable[Entrant]) -> list[Board]:
    """Return a board for each number that two models or more have, about the same prompts and by the same annotator.

    All pairs of all boards are corrected for together. A number of which neither end is better puts nobody in order.
    """
    by_number: dict[tuple[str, ...], list[Entrant]] = {}
    for entrant in entrants:
        if _ranks(entrant.number):
            by_number.setdefault(_key(entrant.number), []).append(entrant)
    chosen = [group for group in by_number.values() if len(group) > 1]
    found = standings([_ranking(group) for group in chosen])
    return [
        Board(
            title=_title(group[0].number),
            seen_by=group[0].number.annotator,
            lower=bool(group[0].number.lower_is_better),
            apart=standing.apart,
            lines=[_line(place.place, group[int(place.generator)]) for place in standing.places],
        )
        for group, standing in zip(chosen, found, strict=True)
    ]


def _ranks(number: Number) -> bool:
    """Return whether a number puts models in order; a second distance from the same reference would only repeat it."""
    directed = number.lower_is_better is not None and number.level == "overall" and not number.group
    return (
        directed
        and number.metric != "kl_divergence"
        and number.low is not None
        and number.high is not None
        and bool(number.prompt_set)
    )


def _key(number: Number) -> tuple[str, ...]:
    about = (number.method, number.metric, number.attribute, number.item, number.reference)
    return (*about, number.language, number.variant, number.seen_by, number.prompt_set)


def _ranking(group: Sequence[Entrant]) -> Ranking:
    models = [
        Ranked(str(place), each.number.value, each.number.low or 0.0, each.number.high or 0.0, "")
        for place, each in enumerate(group)
    ]
    return Ranking("", models, anchor="", descending=not group[0].number.lower_is_better)


def _title(number: Number) -> str:
    known = attribute_table().get(number.attribute)
    about = word(known.title) if known else human(number.attribute)
    what = _metric(number.metric)
    return ", ".join([f"{number.method}: {what}", *filter(None, (about, number.language, number.variant))])


def _metric(metric: str) -> str:
    match metric:
        case "total_variation":
            return t("distance of all pictures from the reference")
        case "mean_total_variation":
            return t("distance of a typical prompt from the reference")
        case _:
            return score_kind(metric).title.replace("_", " ")


def _line(place: str, entrant: Entrant) -> Line:
    number = entrant.number
    low, high = (decimal(bound or 0.0, 3) for bound in (number.low, number.high))
    interval = t("{low} to {high}", low=low, high=high)
    value = decimal(number.value, 3)
    return Line(
        place,
        number.model,
        study=entrant.study,
        folder=entrant.folder,
        value=value,
        interval=interval,
        images=number.n,
        missing=number.missing,
    )

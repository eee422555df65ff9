"""Terms that were asked about and could not be compared: no figures in the reference, or no usable picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.corrected_share import CorrectedShare, deciding
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.selection import Selection
from portrayal.reports.text.sample_words import image_count
from portrayal.reports.text.words import aspect_title, capital, count, join, known

__all__ = ["typical_distance", "uncompared_lines"]

NAMED = 4
"""Terms that are named; further ones are counted."""


def uncompared_lines(data: ReportData, generator: str, selection: Selection) -> list[str]:
    """Say of each attribute that was compared which terms were not, and why."""
    compared: dict[str, set[str]] = {}
    for deviation in selection.compared:
        if deviation.generator == generator and deviation.term:
            compared.setdefault(deviation.topic, set()).add(deviation.term)
    asked = data.asked.get(generator, {})
    return [
        f"{capital(aspect_title(topic, data.attributes))}: {said}."
        for topic, terms in compared.items()
        if (said := "; ".join(_why(data, generator, topic, [term for term in asked if term not in terms])))
    ]


def _why(data: ReportData, generator: str, attribute: str, terms: Sequence[str]) -> Iterator[str]:
    usable = {row.item for row in _term_rows(data, generator, attribute) if row.n}
    without_figures = [term for term in terms if term in usable]
    without_pictures = [term for term in terms if term not in usable]
    if without_figures:
        yield t("the reference has no figures for {terms}", terms=_named(without_figures))
    if without_pictures:
        yield t("there is no usable picture of {terms}", terms=_named(without_pictures))


def _term_rows(data: ReportData, generator: str, attribute: str) -> Iterator[Measurement]:
    for row in data.measurements:
        if (row.metric, row.level, row.generator, row.attribute) == ("share", "term", generator, attribute):
            yield row


def _named(terms: Sequence[str]) -> str:
    named = [t("“{text}”", text=term) for term in terms[:NAMED]]
    more = len(terms) - NAMED
    return join([*named, t("{n} more", n=count(more))] if more > 0 else named)


def typical_distance(data: ReportData, generator: str) -> tuple[float, str, str]:
    """Return how far prompts of a model or of one term lie from their reference at least, by which attribute, of which.

    Deviations in opposite directions do not cancel in it. What the annotator's errors or missing images could have made
    is left out, and so are ways of asking of which there are several: some of them ask for a group themselves.
    """
    distances = [(0.0, "", "")]
    corrected = list(deciding(data.corrections).values())
    for row in data.measurements:
        about = (row.metric, row.generator, row.variant)
        low = known(row.low)
        if about != ("mean_total_variation", generator, "") or row.level not in ("overall", "term") or low is None:
            continue
        errors = data.errors.get((row.annotator, row.attribute))
        lost = row.missing / max(row.missing + image_count(row), 1)
        misread = errors.of_model(generator).overall.most if errors else 0.0
        if low > max(misread, lost, _put_right(row, corrected)):
            distances.append((low, row.attribute, row.item))
    return max(distances)


def _put_right(row: Measurement, corrected: Sequence[CorrectedShare]) -> float:
    """Return how far the annotator's errors in this model's own pictures move its shares, at most.

    Errors of all models together say less: an annotator may misread one model's pictures alone. They may also cancel
    over all prompts; so those of single terms count as well.
    """
    about = (row.generator, row.annotator, row.attribute, row.language, row.variant)
    here = [
        share
        for share in corrected
        if (own := share.seen)
        and (own.generator, own.annotator, own.attribute, own.language, own.variant) == about
        and (not row.item or own.item == row.item)
    ]
    by_place: dict[tuple[str, str], list[float]] = {}
    for share in here:
        seen = share.seen.value or 0.0
        moved = 1.0 if share.value is None else max(abs(seen - share.low), abs(seen - share.high))
        by_place.setdefault((share.seen.level, share.seen.item), []).append(moved)
    places = {place: max(*moved, sum(moved) / 2) for place, moved in by_place.items()}
    terms = [moved for (level, _), moved in places.items() if level == "term"]
    whole = [moved for (level, _), moved in places.items() if level == row.level]
    return max([*whole, sum(terms) / len(terms) if terms else 0.0])

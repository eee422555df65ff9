"""Terms and languages that were asked about and could not be compared, and why; how far prompts lie off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.corrected_share import CorrectedShare, deciding
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.selection import Selection
from portrayal.reports.findings.distance import MEAN_DISTANCES
from portrayal.reports.section import section_of
from portrayal.reports.text.prompt_language import language_title
from portrayal.reports.text.sample_words import image_count
from portrayal.reports.text.words import aspect_title, capital, count, join, known

__all__ = ["typical_distance", "uncompared_languages", "uncompared_lines"]

NAMED = 4
"""Terms that are named; further ones are counted."""


def uncompared_lines(data: ReportData, generator: str, selection: Selection) -> list[str]:
    """Say of each attribute that was compared which terms and languages were not, and why."""
    compared: dict[str, set[str]] = {}
    for deviation in selection.compared:
        if deviation.generator == generator:
            compared.setdefault(deviation.topic, set()).add(deviation.term)
    asked, lines = data.asked.get(generator, {}), []
    for topic, terms in compared.items():
        # Where no comparison is about a single term, none was to be.
        left = [term for term in asked if term not in terms] if any(terms) else []
        reasons = [*_why(data, generator, topic, left), *_in_languages(data, generator, topic, selection)]
        lines += [f"{capital(aspect_title(topic, data.attributes))}: {'; '.join(reasons)}."] if reasons else []
    return lines


def uncompared_languages(data: ReportData, generator: str, selection: Selection) -> list[Measurement]:
    """Return of each language in which no picture of a model is usable for what is compared the row that says so."""
    compared = {(own.topic, own.row.language) for own in selection.compared if own.row and own.generator == generator}
    topics = {topic for topic, _ in compared}
    silent = {
        (row.attribute, row.language): row
        for row in data.measurements
        if (row.metric, row.level, row.generator, row.variant) == ("share", "overall", generator, "")
        and row.language
        and row.attribute in topics
        and not row.n
    }
    return [row for place, row in silent.items() if place not in compared]


def _in_languages(data: ReportData, generator: str, attribute: str, selection: Selection) -> Iterator[str]:
    rows = [row for row in uncompared_languages(data, generator, selection) if row.attribute == attribute]
    if rows:
        languages = join([language_title(row.language) for row in rows])
        neutral = section_of(rows[0].method).neutral(data)
        yield (
            t("no picture of a neutral wording in {languages} is usable", languages=languages)
            if neutral
            else t("no picture of a prompt in {languages} is usable", languages=languages)
        )


def _why(data: ReportData, generator: str, attribute: str, terms: Sequence[str]) -> Iterator[str]:
    rows = list(_term_rows(data, generator, attribute))
    usable, counted = {row.item for row in rows if row.n}, {row.item for row in rows}
    open_ones = {term for term, _, text in data.prompts if text not in data.requesting}
    # Where all prompts of a term ask for a group, a method may count none of them.
    without_question = [term for term in terms if term not in counted and data.requesting and term not in open_ones]
    without_figures = [term for term in terms if term in usable]
    without_pictures = [term for term in terms if term not in (*usable, *without_question)]
    if without_figures:
        yield t("the reference has no figures for {terms}", terms=_named(without_figures))
    if without_pictures:
        yield t("there is no usable picture of {terms}", terms=_named(without_pictures))
    if without_question:
        yield t("every prompt about {terms} asks for a group itself", terms=_named(without_question))


def _term_rows(data: ReportData, generator: str, attribute: str) -> Iterator[Measurement]:
    for row in data.measurements:
        if (row.metric, row.level, row.generator, row.attribute) == ("share", "term", generator, attribute):
            yield row


def _named(terms: Sequence[str]) -> str:
    named = [t("“{text}”", text=term) for term in terms[:NAMED]]
    more = len(terms) - NAMED
    return join([*named, t("{n} more", n=count(more))] if more > 0 else named)


def typical_distance(data: ReportData, generator: str) -> tuple[float, str, str]:
    """Return how far prompts of a model, a language or a term lie from their reference at least, by what, of which.

    Deviations in opposite directions do not cancel in it. What the annotator's errors or missing images could have made
    is left out, and so are ways of asking of which there are several: some of them ask for a group themselves.
    """
    distances = [(0.0, "", "")]
    corrected = list(deciding(data.corrections).values())
    for row in data.measurements:
        low = known(row.low)
        about = row.metric in MEAN_DISTANCES and (row.generator, row.variant) == (generator, "")
        if not about or row.level not in ("overall", "term") or low is None:
            continue
        low /= MEAN_DISTANCES[row.metric]
        errors = data.errors.get((row.annotator, row.attribute))
        lost = row.missing / max(row.missing + image_count(row), 1)
        known_errors = errors.of_model(generator) if errors else None
        misread = 0.0 if known_errors is None else 1.0 if known_errors.one_sided else known_errors.overall.most
        if low > max(misread, lost, _put_right(row, corrected)):
            item = row.item or (language_title(row.language) if row.language else "")
            distances.append((low, row.attribute, item))
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

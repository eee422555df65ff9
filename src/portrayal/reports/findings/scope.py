"""What a page speaks of: what was asked, who looked and how well, compared with what, and when."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from portrayal.language.translation import t, word
from portrayal.reports.data import ReportData
from portrayal.reports.drawn_in_rounds import state_words
from portrayal.reports.findings.deviations.selection import Selection
from portrayal.reports.section import section_of
from portrayal.reports.text.words import aspect_title, capital, count, join, percent, up_to

__all__ = ["compared_with", "labelled_by", "looked_at_by", "scope", "what_was_asked_for"]

WORDINGS = 3


def scope(data: ReportData, selection: Selection, measured: Container[str] | None = None) -> list[tuple[str, str]]:
    """Return it as titles and sentences; errors of annotators are those about attributes that are ``measured``."""
    asked = what_was_asked_for(data.prompts)
    about_these = t("The numbers are about these prompts; others may show something else.")
    said = [asked, *([about_these] if data.has_numbers() else [])]
    return [
        *([(t("Asked"), " ".join(said))] if asked else []),
        *([(t("Drawn in rounds"), state_words(data.rounds))] if data.rounds else []),
        *((t("Looked at by"), said) for said in looked_at_by(data, measured)),
        *((t("Labelled by"), said) for said in labelled_by(data)),
        *_references(data, selection),
        *_compared(data, selection),
        *_made(data),
    ]


def what_was_asked_for(prompts: Sequence[tuple[str, str, str]]) -> str:
    """Return how many prompts there are and how they are worded, from their terms, categories and texts."""
    if not prompts:
        return ""
    terms = len({term for term, _, _ in prompts})
    wordings = list(dict.fromkeys(_wording(term, text) for term, _, text in prompts))
    said = t("{n|prompt|prompts} about {terms|term|terms}", n=len(prompts), terms=terms)
    shown = [t("“{text}”", text=text) for text in wordings[:WORDINGS]]
    if len(wordings) > WORDINGS:
        return said + t(", such as {wordings}.", wordings=join(shown))
    return said + t(", worded {wordings}.", wordings=join(shown))


def _wording(term: str, text: str) -> str:
    """Return a prompt with its term left open.

    >>> _wording("nurse", "a photo of one nurse")
    'a photo of one …'
    """
    place = text.casefold().find(term.casefold()) if term else -1
    return text if place < 0 else f"{text[:place]}…{text[place + len(term) :]}"


def looked_at_by(data: ReportData, measured: Container[str] | None) -> Iterator[str]:
    """Yield of each annotator that looked who it is, and how often it errs about what is ``measured``."""
    lookers = [name for name in data.annotators if data.judged.get(name)]
    for name in lookers:
        known = [
            (attribute, errors)
            for (who, attribute), errors in data.errors.items()
            if who == name and (measured is None or attribute in measured) and errors.overall.of
        ]
        if not known:
            said = t("{annotator}. How often it errs on such pictures is not known.", annotator=_kind(data, name))
        else:
            parts = [
                t(
                    "{attribute}: {misread} of {of} misread {where}, so it may err in {most}",
                    attribute=aspect_title(attribute, data.attributes),
                    misread=count(errors.overall.misread),
                    of=count(errors.overall.of),
                    where=_where(errors.source),
                    most=up_to(errors.overall.most),
                )
                for attribute, errors in known
            ]
            said = t("{annotator}. Its errors: {errors}.", annotator=_kind(data, name), errors="; ".join(parts))
        yield said


def labelled_by(data: ReportData) -> list[str]:
    """Say who labelled how many of how many images, and what these labels are good for; nothing where nobody did."""
    labelled = data.labelled
    if labelled is None:
        return []
    part, of = labelled.labelled, labelled.images
    values: dict[str, str | int] = {"annotator": labelled.annotator, "labelled": count(part), "n": of}
    if labelled.is_all:
        return [
            t("{annotator} labelled all of {n|image|images}; these labels count where others read the same.", **values)
        ]
    share = percent(part / max(of, 1), of)
    said = t("{annotator} labelled {labelled} of {n|image|images} ({share}).", share=share, **values)
    uses = [share for share in data.corrections if share.seen.annotator != labelled.annotator]
    if any(share.decides for share in uses):
        return [
            f"{said} {t('These labels correct what was read in all of them, and are no comparisons of their own.')}"
        ]
    if any(share.chosen for share in uses):
        return [f"{said} {t('These were not chosen at random, so the labels correct nothing.')}"]
    if any(share.uneven for share in uses):
        return [f"{said} {t('The annotator errs unevenly, so that so few labels correct nothing.')}"]
    return [f"{said} {t('These are too few to correct what was read.')}"]


def _kind(data: ReportData, name: str) -> str:
    """Return who looked, and whether that is a program or brought labels from outside."""
    if name in data.brought:
        return t("{annotator} (labels from outside, by people or another tool)", annotator=name)
    return t("{annotator} (a program, not a person)", annotator=name)


def _where(source: str) -> str:
    if source == "labels":
        return t("in pictures that people labelled")
    return t("in pictures whose people are known") if source == "planted" else t("in the portraits it was tested on")


def _references(data: ReportData, selection: Selection) -> Iterator[tuple[str, str]]:
    for name, title in compared_with(data, selection):
        source = word(data.reference_sources.get(name, ""))
        said = t("{title}, as whoever set up this study chose (in study.toml).", title=capital(title))
        yield t("Compared with"), said + (f" {source}" if source not in ("", title) else "")


def compared_with(data: ReportData, selection: Selection) -> list[tuple[str, str]]:
    """Return the names and titles of the references that numbers were compared with."""
    if not selection.compared:
        return []
    names = dict.fromkeys(row.reference for row in data.measurements if row.reference in data.reference_sources)
    return [(name, word(data.reference_titles.get(name) or name)) for name in names]


def _compared(data: ReportData, selection: Selection) -> Iterator[tuple[str, str]]:
    if not selection.compared:
        return
    topics = dict.fromkeys(
        aspect_title(deviation.topic, data.attributes) for deviation in selection.compared if deviation.topic
    )
    broad = sum(deviation.broad for deviation in selection.compared)
    said = t("{n|comparison|comparisons}", n=len(selection.compared))
    said += t(" of {topics}", topics=join(list(topics))) if topics else ""
    if 0 < broad < len(selection.compared):
        methods = {own.row.method for own in selection.compared if own.row and own.broad}
        said += (
            t(", {broad} of them over all neutral wordings", broad=count(broad))
            if any(section_of(method).neutral(data) for method in methods)
            else t(", {broad} of them over all prompts", broad=count(broad))
        )
    if len(selection.compared) == 1:
        corrected = t("If it did not deviate, 49 of 50 such pages would report no deviation.")
    else:
        corrected = t(
            "They are corrected for together: if nothing deviated, 49 of 50 such pages would report no deviation."
        )
    yield t("Comparisons"), f"{said}. {corrected}"


def _made(data: ReportData) -> Sequence[tuple[str, str]]:
    made = ", ".join(filter(None, [data.date, f"Portrayal {data.version}" if data.version else ""]))
    return [(t("Page made"), made + ".")] if made else []

"""What was asked of whom, how many images came of it, and how many of these tell anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from portrayal.language.translation import spoken, t
from portrayal.records import Attribute, UncoveringReference
from portrayal.reports.counted_rows import is_partly_labelled
from portrayal.reports.data import ReportData
from portrayal.reports.lookup import Lookup, Source, main_metric
from portrayal.reports.sections.missing_images import planned
from portrayal.reports.sections.repeated_pictures import repeat_lines
from portrayal.reports.text.words import DASH, aspect_title, attribute_title, count, join

__all__ = ["Asked", "what_was_asked"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked and how much of it can be used."""

    prompts: int
    terms: int
    planned: int
    made: int
    per_prompt: str
    """Images of a prompt by a generator: a number, or from the fewest to the most."""
    columns: list[str]
    rows: list[tuple[str, int, int, int, list[int | None]]]
    """Generator, prompts, images asked, images made, images usable by column."""
    uneven: bool
    """Whether generators have images of different numbers of prompts."""
    uncovering: list[str]
    """Which references cover none of the terms, in sentences."""
    same: list[str]
    """Which pictures are the same, in sentences."""
    revised: list[str]
    """Which generators changed prompts, in sentences."""


def what_was_asked(data: ReportData, lookup: Lookup) -> Asked:
    """Return how many prompts and images there are, by generator, and what is to be minded about them."""
    pairs = [pair for pair in lookup.pairs(data) if not is_partly_labelled(data, pair[1])]
    columns = [_small(attribute) + (f" ({name})" if len(data.annotators) > 1 else "") for attribute, name in pairs]
    rows = []
    for generator in data.generators:
        usable: list[int | None] = []
        for attribute, name in pairs:
            groups = (*attribute.groups, "")  # what is said of no group: there are no data
            shares = [
                lookup.get(main_metric(attribute), Source(generator, name), attribute.name, group) for group in groups
            ]
            usable.append(max((row.n for row in shares if row), default=None))
        prompts = data.prompts_of.get(generator, len(data.prompts))
        made = data.outcomes.get(generator, {}).get("made", 0)
        rows.append((generator, prompts, planned(data, generator), made, usable))
    fewest, most = data.fewest_per_prompt, data.images_per_prompt
    return Asked(
        len(data.prompts),
        len({term for term, _, _ in data.prompts}),
        planned=sum(row[2] for row in rows),
        made=sum(row[3] for row in rows),
        per_prompt=count(most) if fewest is None or fewest == most else f"{count(fewest)}{DASH}{count(most)}",
        columns=columns,
        rows=rows,
        uneven=any(row[1] != len(data.prompts) for row in rows),
        uncovering=[_uncovering(reference, data) for reference in data.uncovering],
        same=[*repeat_lines(data), *_shared(data)],
        revised=list(_revised(data)),
    )


def _shared(data: ReportData) -> Iterator[str]:
    """Say which two generators made the same pictures."""
    for one, two, number in data.shared:
        yield t("{one} and {two} share {n|picture|pictures}, byte for byte.", one=one, two=two, n=number)


def _revised(data: ReportData) -> Iterator[str]:
    """Say which generators drew something else than they were asked for, as far as they tell."""
    for generator, number in data.revised.items():
        yield t(
            "{generator} says that it changed the prompt of {n} of {made|image|images} before drawing. "
            "What is measured then is its answer to the changed prompt, which the gallery shows.",
            generator=generator,
            n=count(number),
            made=data.outcomes.get(generator, {}).get("made", 0),
        )


def _uncovering(reference: UncoveringReference, data: ReportData) -> str:
    return t(
        "the reference “{name}” for {attributes} covers 0 of {n|term|terms} of this study. "
        "It covers {known|other|others}, such as {examples}.",
        name=reference.name,
        attributes=join([aspect_title(name, data.attributes) for name in reference.attributes]),
        n=reference.terms,
        known=reference.known,
        examples=join([t("“{text}”", text=term) for term in reference.examples]),
    )


def _small(attribute: Attribute) -> str:
    """Return an attribute's title within a sentence; in German its first word may be a noun."""
    title = attribute_title(attribute)
    return title[:1].lower() + title[1:] if spoken() == "en" else title

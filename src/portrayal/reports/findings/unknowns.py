"""What the data cannot tell: what was too little, what is missing, who never answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from portrayal.language.translation import t
from portrayal.reports.data import ReportData
from portrayal.reports.findings.first_screen import FirstScreen
from portrayal.reports.findings.power import reach_words
from portrayal.reports.sections.missing_images import absent
from portrayal.reports.sections.repeated_pictures import repeat_lines
from portrayal.reports.text.words import attribute_title, count, join

__all__ = ["unknowns"]


def unknowns(
    data: ReportData, first: FirstScreen, asked: tuple[int, int], unmeasured: Sequence[str], added: Sequence[str]
) -> list[str]:
    """Return it in sentences.

    ``asked`` are the images asked for and made, ``unmeasured`` attributes without numbers, ``added`` what sections add,
    and what must be said of attributes.
    """
    return [
        *_comparisons(data, first),
        *_images(data, *asked),
        *repeat_lines(data),
        *([t("Prompts have different weights, and means of prompts use them.")] if data.weighted else []),
        *_annotators(data, asked[1]),
        *([t("Not measured in this report: {attributes}.", attributes=join(unmeasured))] if unmeasured else []),
        *_left_out(data),
        *added,
    ]


def _left_out(data: ReportData) -> Iterator[str]:
    """Say what the page was told not to show: nobody must take it for something that was not measured."""
    if data.left_out:
        titles = [attribute_title(data.attributes[name]) for name in data.left_out]
        yield t(
            "Measured, and not shown as study.toml chooses: {attributes}. Corrections count only what is shown.",
            attributes=join(titles),
        )


def _comparisons(data: ReportData, first: FirstScreen) -> Iterator[str]:
    """Say how large a deviation must be to be found, or that nothing was compared."""
    if data.has_numbers() and not first.selection.compared:
        yield t("No number was compared with a reference, so this page shows no deviation.")
    if first.unordered:
        yield _unordered(list(data.made_of.values()))
    for model in first.models:
        if model.verdict.reach:
            said = reach_words(model.verdict.reach)
            yield said if len(first.models) == 1 else f"{model.generator}: {said}"


def _unordered(prompts: Sequence[Set[str]]) -> str:
    """Say why models are not put in order: they were asked, or answered, different prompts."""
    common, every = set.intersection(*map(set, prompts)), set().union(*prompts)
    if not common:
        return t("No prompt has images of every model, so the models are not put in order.")
    if len(common) == len(every):
        return t("Not every model has usable images of the same prompts, so the models are not put in order.")
    return t(
        "Images of every model exist for only {common} of {n|prompt|prompts}, so the models are not put in order.",
        common=count(len(common)),
        n=len(every),
    )


def _images(data: ReportData, planned: int, made: int) -> Iterator[str]:
    if planned > made > 0:
        values: dict[str, str | int] = {"n": planned, "reasons": absent(data, data.generators)}
        yield _missing(planned - made, values, numbers=data.has_numbers())
    for name in data.annotators:
        lost = data.judged.get(name, 0) - data.perceived.get(name, 0)
        if lost > 0 and data.perceived.get(name, 0):
            yield t(
                "{annotator} could judge nothing in {lost} of {n|picture|pictures}.",
                annotator=name,
                lost=count(lost),
                n=data.judged[name],
            )


def _missing(missing: int, values: Mapping[str, str | int], *, numbers: bool) -> str:
    """Say how many images are missing, and that numbers speak of the others, where there are any."""
    if missing == 1:
        if numbers:
            return t("1 of {n|image|images} is missing ({reasons}); the numbers speak of the others.", **values)
        return t("1 of {n|image|images} is missing ({reasons}).", **values)
    lost = count(missing)
    if numbers:
        return t(
            "{missing} of {n|image|images} are missing ({reasons}); the numbers speak of the others.",
            missing=lost,
            **values,
        )
    return t("{missing} of {n|image|images} are missing ({reasons}).", missing=lost, **values)


def _annotators(data: ReportData, made: int) -> Iterator[str]:
    for name in data.annotators:
        if not data.judged.get(name):
            if made:
                yield t("No annotation has come from {annotators} yet.", annotators=name)
        elif not data.perceived.get(name):
            yield t(
                "{annotator} looked at {n|picture|pictures} and could judge none.", annotator=name, n=data.judged[name]
            )

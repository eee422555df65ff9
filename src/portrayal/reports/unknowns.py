"""What the data cannot tell: what was too little, what is missing, who never told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from portrayal.reports.data import ReportData
from portrayal.reports.deviation import Deviation
from portrayal.reports.first import FirstScreen
from portrayal.reports.language import t
from portrayal.reports.missing import absent
from portrayal.reports.repeats import repeats
from portrayal.reports.sensitivity import sensitivity
from portrayal.reports.words import count, join

__all__ = ["unknowns"]


def unknowns(
    data: ReportData,
    found: tuple[Sequence[Deviation], FirstScreen],
    asked: tuple[int, int],
    unmeasured: Sequence[str],
    told: Sequence[str],
) -> list[str]:
    """Return it in sentences.

    ``found`` are all comparisons and what is told of them, ``asked`` the images asked for and made, ``unmeasured``
    attributes without numbers, ``told`` what sections add, and what must be said of attributes.
    """
    return [
        *_comparisons(data, *found),
        *_images(data, *asked),
        *repeats(data),
        *_annotators(data, asked[1]),
        *([t("Not measured in this report: {attributes}.", attributes=join(unmeasured))] if unmeasured else []),
        *told,
    ]


def _comparisons(data: ReportData, deviations: Sequence[Deviation], first: FirstScreen) -> Iterator[str]:
    """Say how large a deviation of a part of the prompts must be to be told, or that nothing was compared."""
    if data.measurements and not deviations:
        yield t("No share was compared with a reference, so this page tells no deviation.")
    if first.unordered:
        yield _unordered(list(data.made_of.values()))
    if said := sensitivity(deviations, first.needed):
        yield said
    if first.contested:
        yield t(
            "{n|deviation told above is|deviations told above are} contested: another annotator does not see it. "
            "Which of them is right these data cannot tell.",
            n=first.contested,
        )


def _unordered(prompts: Sequence[Set[str]]) -> str:
    """Say why models are not put in order: they were asked, or answered, different prompts."""
    common, every = set.intersection(*map(set, prompts)), set().union(*prompts)
    if not common:
        return t("No prompt has images of every model, so the models are not put in order.")
    return t(
        "Images of every model exist for only {common} of {n|prompt|prompts}, so the models are not put in order.",
        common=count(len(common)),
        n=len(every),
    )


def _images(data: ReportData, planned: int, made: int) -> Iterator[str]:
    if planned > made > 0:
        yield t(
            "{missing} of {n|image|images} are missing ({reasons}); the numbers speak of the others.",
            missing=count(planned - made),
            n=planned,
            reasons=absent(data, data.generators),
        )
    for name in data.annotators:
        lost = data.judged.get(name, 0) - data.perceived.get(name, 0)
        if lost > 0 and data.perceived.get(name, 0):
            yield t(
                "{annotator} could tell nothing of {lost} of {n|picture|pictures}.",
                annotator=name,
                lost=count(lost),
                n=data.judged[name],
            )


def _annotators(data: ReportData, made: int) -> Iterator[str]:
    for name in data.annotators:
        if not data.judged.get(name):
            if made:
                yield t("No annotation has come from {annotators} yet.", annotators=name)
        elif not data.perceived.get(name):
            yield t(
                "{annotator} looked at {n|picture|pictures} and could tell nothing of any.",
                annotator=name,
                n=data.judged[name],
            )

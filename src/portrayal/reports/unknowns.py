"""What the data cannot tell: what was too little, what is missing, who never told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from portrayal.reports.data import ReportData
from portrayal.reports.deviation import Deviation
from portrayal.reports.language import t
from portrayal.reports.words import count, join

__all__ = ["unknowns"]


def unknowns(
    data: ReportData,
    deviations: Sequence[Deviation],
    asked: tuple[int, int],
    unmeasured: Sequence[str],
    told: Sequence[str],
) -> list[str]:
    """Return it in sentences.

    ``asked`` are the images asked for and made, ``unmeasured`` attributes without numbers, ``told`` what must be said
    of attributes wherever they are shown.
    """
    return [
        *_comparisons(data, deviations),
        *_images(data, *asked),
        *_annotators(data),
        *([t("Not measured in this report: {attributes}.", attributes=join(unmeasured))] if unmeasured else []),
        *told,
    ]


def _comparisons(data: ReportData, deviations: Sequence[Deviation]) -> Iterator[str]:
    """Say how large a deviation of a single term must be to show, or that nothing was compared."""
    if data.measurements and not deviations:
        yield t("No share was compared with a reference, so this page tells no deviation.")
    single = [own for own in deviations if not own.broad and own.half is not None and own.n]
    if single:
        yield t(
            "A single number rests on {n|image|images} (the median), and chance alone moves it by up to about "
            "{points} points either way. Smaller deviations do not show.",
            n=round(median(own.n for own in single)),
            points=count(round(100 * median(own.half or 0.0 for own in single))),
        )


def _images(data: ReportData, planned: int, made: int) -> Iterator[str]:
    if planned > made:
        yield t(
            "{missing} of {n|image|images} asked for do not exist; the numbers speak of the others.",
            missing=count(planned - made),
            n=planned,
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


def _annotators(data: ReportData) -> Iterator[str]:
    for name in data.annotators:
        if not data.judged.get(name):
            yield t("Nothing has come from {annotators} yet.", annotators=name)
        elif not data.perceived.get(name):
            yield t(
                "{annotator} looked at {n|picture|pictures} and could tell nothing of any.",
                annotator=name,
                n=data.judged[name],
            )

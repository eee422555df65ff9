"""What else could have made a deviation: an annotator that errs, and images that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from portrayal.records import Measurement
from portrayal.reports.data import ReadingErrors
from portrayal.reports.findings.people_words import someone
from portrayal.reports.language import t
from portrayal.reports.words import count, human, percent

if TYPE_CHECKING:
    from portrayal.stats.target import ShareTest

__all__ = ["doubts", "misreading_needed"]


def doubts(row: Measurement, test: ShareTest, errors: ReadingErrors | None) -> Iterator[str]:
    """Say that the annotator's own errors, or the missing images, could have made a deviation."""
    if errors is not None and (said := _misread(row, test, errors)):
        yield said
    if row.missing and (said := _missing(row, test)):
        yield said


def misreading_needed(test: ShareTest) -> float:
    """Return how many of those not meant must be misread for what is surely a deviation to be none.

    Of a share above its target these are others who are taken for the group, else people of the group who are not.

    >>> from portrayal.stats.target import ShareTest
    >>> round(misreading_needed(ShareTest(0.12, 1000, 0.05)), 3)
    0.053
    """
    bounds = test.bounds(0.95)
    if test.deviation > 0:
        return max(bounds.low, 0.0) / max(1 - test.target, 1e-12)
    return max(-bounds.high, 0.0) / max(test.target, 1e-12)


def _misread(row: Measurement, test: ShareTest, errors: ReadingErrors) -> str:
    taken, lost = errors.rates(row.group)
    bounds = test.bounds(0.95)
    # What a model exactly on its reference would show to an annotator that errs as often as it may.
    if test.deviation > 0:
        made = test.target + (1 - test.target) * taken.most - test.target * lost.least
        explained, rate = made >= test.target + bounds.low, taken
    else:
        made = test.target - test.target * lost.most + (1 - test.target) * taken.least
        explained, rate = made <= test.target + bounds.high, lost
    if not explained:
        return ""
    values = {"part": count(rate.misread), "n": count(rate.of), "group": human(row.group), "where": _where(errors)}
    if test.deviation > 0:
        read = t("{part} of {n} people of other groups were read as {group} {where}", **values)
    else:
        read = t("{part} of {n} people were not read as {group} though they are {where}", **values)
    return t(
        "The annotator’s own errors could explain this: {read}, so up to {most} is possible. A model exactly on the "
        "reference would then show {made}.",
        read=read,
        most=percent(rate.most),
        made=percent(min(max(made, 0.0), 1.0)),
    )


def _where(errors: ReadingErrors) -> str:
    return {
        "labels": t("in pictures that people labelled"),
        "planted": t("in pictures whose people are known"),
        "documented": t("in the portraits it was tested on"),
    }[errors.source]


def _missing(row: Measurement, test: ShareTest) -> str:
    """Say that the missing images could take a deviation away; nothing where they could not."""
    asked = row.n + row.missing
    all_others, all_group = row.n * test.share / asked, (row.n * test.share + row.missing) / asked
    if all_others > test.target or all_group < test.target:
        return ""
    filled = all_group if test.deviation < 0 else all_others
    if test.deviation < 0:
        return t(
            "{missing} of {n|picture|pictures} could not be judged. If all of them showed {someone}, the share would "
            "be {share}, and the deviation gone.",
            missing=count(row.missing),
            n=asked,
            someone=someone(row.attribute, row.group),
            share=percent(filled),
        )
    return t(
        "{missing} of {n|picture|pictures} could not be judged. If none of them showed {someone}, the share would be "
        "{share}, and the deviation gone.",
        missing=count(row.missing),
        n=asked,
        someone=someone(row.attribute, row.group),
        share=percent(filled),
    )

"""What else could have made a deviation: an annotator that errs, and images that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.reports.findings.words.people_words import someone
from portrayal.reports.reading_errors import ReadingErrors
from portrayal.reports.text.missing_range import stated_words
from portrayal.reports.text.sample_words import image_count
from portrayal.reports.text.words import count, human, percent, up_to

if TYPE_CHECKING:
    from portrayal.stats.targets.target import CorrectedShareTest, ShareTest

    Tested = ShareTest | CorrectedShareTest

__all__ = [
    "Against",
    "could_be_missing",
    "doubts",
    "explained_by_errors",
    "misreading_needed",
    "rests_on_range",
    "surely_misread",
]


Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Against:
    """What is known that may speak against a deviation: how often the annotator errs, what is left of the share when
    that is put right, and ``ends``: what the missing images could make of the share, if theirs lies ``within`` so much
    of the others'. None: unknown. ``freely`` are the same ends without that range, where one is stated.
    """

    errors: ReadingErrors | None = None
    corrected: CorrectedShare | None = None
    ends: Ends | None = None
    within: float = 1.0
    freely: Ends | None = None


def doubts(row: Measurement, test: Tested, against: Against) -> Iterator[str]:
    """Say that the annotator's own errors, or the missing images, could have made a deviation."""
    errors = against.errors
    if errors is not None and 2 * errors.overall.misread > errors.overall.of:
        yield t(
            "The annotator misreads more people than it reads right: {misread} of {of}.",
            misread=count(errors.overall.misread),
            of=count(errors.overall.of),
        )
    if said := _misread(row, test, against):
        yield said
    if row.missing and (said := _missing(row, test, against.ends, against.within)):
        yield said
    if rests_on_range(test, against):
        yield stated_words(against.within)


def misreading_needed(test: Tested) -> float:
    """Return how many of those not meant must be misread for what is surely a deviation to be none.

    Of a share above its target these are others who are taken for the group, else people of the group who are not.

    >>> from portrayal.stats.targets.target import ShareTest
    >>> round(misreading_needed(ShareTest(0.12, 1000, 0.05)), 3)
    0.053
    """
    bounds = test.bounds(0.95)
    if test.deviation > 0:
        return max(bounds.low, 0.0) / max(1 - test.target, 1e-12)
    return max(-bounds.high, 0.0) / max(test.target, 1e-12)


def explained_by_errors(row: Measurement, test: Tested, against: Against) -> bool:
    """Return whether a model exactly on its reference could look so to an annotator that errs as often as it may.

    Where labels correct a share, its test is of the corrected one, and no errors are left to explain it.
    """
    if against.corrected is not None:
        return False  # they were put right: what is compared is what is left
    return against.errors is not None and _made(row, test, against.errors)[1]


def surely_misread(row: Measurement, errors: ReadingErrors | None) -> tuple[float, float]:
    """Return how many others are surely taken for the group, and how many of the group for others."""
    if errors is None:
        return 0.0, 0.0
    taken, lost = errors.rates(row.group)
    return taken.least, lost.least


def _made(row: Measurement, test: Tested, errors: ReadingErrors) -> tuple[float, bool]:
    """Return what a model exactly on its reference could show at most, and whether that is as far off as was seen."""
    taken, lost = errors.rates(row.group)
    bounds = test.bounds(0.95)
    if test.deviation > 0:
        made = test.target + (1 - test.target) * taken.most - test.target * lost.least
        return made, made >= test.target + bounds.low
    made = test.target - test.target * lost.most + (1 - test.target) * taken.least
    return made, made <= test.target + bounds.high


def _misread(row: Measurement, test: Tested, against: Against) -> str:
    errors = against.errors
    if errors is None or not explained_by_errors(row, test, against):
        return ""
    made, _ = _made(row, test, errors)
    rate = errors.rates(row.group)[0 if test.deviation > 0 else 1]
    if not rate.of:
        return _never_tried(row, test, errors)
    values = {"part": count(rate.misread), "n": count(rate.of), "group": human(row.group), "where": _where(errors)}
    if test.deviation > 0:
        read = t("{part} of {n} people of other groups were read as {group} {where}", **values)
    else:
        read = t("{part} of {n} people were not read as {group} though they are {where}", **values)
    return t(
        "The annotator’s own errors could explain this: {read}, so {most} is possible. A model exactly on the "
        "reference would then show {made}.",
        read=read,
        most=up_to(rate.most),
        made=percent(min(max(made, 0.0), 1.0)),
    )


def _never_tried(row: Measurement, test: Tested, errors: ReadingErrors) -> str:
    """Say that the annotator was never seen to read those who would have to be misread."""
    values: dict[str, str | int] = {"n": errors.overall.of, "where": _where(errors), "group": human(row.group)}
    if test.deviation > 0:
        return t(
            "The annotator’s own errors could explain this: of {n|person|people} {where} everybody is {group}, so it "
            "is not known how often it reads others as {group}.",
            **values,
        )
    return t(
        "The annotator’s own errors could explain this: of {n|person|people} {where} nobody is {group}, so it is not "
        "known how often it misreads people who are.",
        **values,
    )


def _where(errors: ReadingErrors) -> str:
    if errors.model:
        return t("in pictures of {model} that people labelled", model=errors.model)
    return {
        "labels": t("in pictures that people labelled"),
        "planted": t("in pictures whose people are known"),
        "documented": t("in the portraits it was tested on"),
    }[errors.source]


def could_be_missing(test: Tested, ends: Ends | None) -> bool:
    """Return whether the missing images could take a deviation away, as far as that is known."""
    return ends is not None and ends[0] <= test.target <= ends[1]


def rests_on_range(test: Tested, against: Against) -> bool:
    """Return whether missing images could take a deviation away, were they not stated to be like the others."""
    return not could_be_missing(test, against.ends) and could_be_missing(test, against.freely)


def _missing(row: Measurement, test: Tested, ends: Ends | None, within: float) -> str:
    """Say that the missing images could take a deviation away; nothing where they could not, or nobody knows."""
    if ends is None or not could_be_missing(test, ends):
        return ""
    values: dict[str, str | int] = {
        "missing": count(row.missing),
        "n": image_count(row) + row.missing,
        "someone": someone(row.attribute, row.group),
        "share": percent(ends[1] if test.deviation < 0 else ends[0]),
    }
    if within < 1:
        among = (row.value or 0.0) + (within if test.deviation < 0 else -within)
        return t(
            "{missing} of {n|picture|pictures} are missing or could not be judged. If {among} of them showed "
            "{someone}, which study.toml takes for possible, the share would be {share}, and the deviation gone.",
            among=percent(min(max(among, 0.0), 1.0)),
            **values,
        )
    if test.deviation < 0:
        return t(
            "{missing} of {n|picture|pictures} are missing or could not be judged. If all of them showed {someone}, "
            "the share would be {share}, and the deviation gone.",
            **values,
        )
    return t(
        "{missing} of {n|picture|pictures} are missing or could not be judged. If none of them showed {someone}, the "
        "share would be {share}, and the deviation gone.",
        **values,
    )

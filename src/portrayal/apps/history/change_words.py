"""A change in words: who is shown how often, before and after."""

from __future__ import annotations

from collections.abc import Mapping

from portrayal.apps.history.changes import Change
from portrayal.language.translation import digits, t, word
from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.words.difference_words import about, difference_size, unsettled_words
from portrayal.reports.text.sample_words import image_count, is_counted
from portrayal.reports.text.words import capital, count, decimal, human, percents, score

__all__ = ["change_basis", "change_sentence"]

_TINY = 0.001
_PEOPLE = {
    ("gender", "male"): "men",
    ("gender", "female"): "women",
    ("age3", "young"): "young people",
    ("age3", "middle_aged"): "middle-aged people",
    ("age3", "elderly"): "elderly people",
    ("tone3", "light"): "people with light skin",
    ("tone3", "medium"): "people with medium skin",
    ("tone3", "dark"): "people with dark skin",
    ("smiling", "not_smiling"): "people who do not smile",
    ("smiling", "smiling"): "people who smile",
}


def change_sentence(change: Change, attributes: Mapping[str, Attribute], *, seen_by: bool = False) -> str:
    """Return the sentence about a change that can be quoted alone, and a second one where missing images matter."""
    said = _sentence(change, attributes, seen_by=seen_by)
    unsettled = unsettled_words(change.difference)
    return f"{said} {capital(unsettled)}." if unsettled else said


def _sentence(change: Change, attributes: Mapping[str, Attribute], *, seen_by: bool) -> str:
    later, earlier = change.difference.one, change.difference.other
    names = {
        "item": capital(about(later, attributes, seen_by=seen_by)),
        "earlier": earlier.generator,
        "later": later.generator,
    }
    if not is_share(later):
        return t(
            "{item}: {metric} went from {before} to {after} between {earlier} and {later}.",
            metric=word(human(later.metric)),
            before=score(earlier.value or 0.0, earlier.low, earlier.high),
            after=score(later.value or 0.0, later.low, later.high),
            **names,
        )
    return _share(later, earlier, {**names, "people": _people(later)})


def _share(later: Measurement, earlier: Measurement, said: Mapping[str, str]) -> str:
    before, after = percents(earlier.value or 0.0, later.value or 0.0, min(earlier.n, later.n))
    if image_count(later) != later.n or image_count(earlier) != earlier.n:
        return t(
            "{item}: {people} went from {before} to {after} of the people drawn between {earlier} and {later} "
            "({n|person|people}, then {m|person|people}).",
            before=before, after=after, n=earlier.n, m=later.n, **said,
        )  # fmt: skip
    if later.prompts > 1:
        return t(
            "{item}: {people} went from {before} to {after} of the pictures between {earlier} and {later} "
            "(mean of {k|prompt|prompts}; {n|picture|pictures}, then {m}).",
            before=before, after=after, k=later.prompts, n=earlier.n, m=count(later.n), **said,
        )  # fmt: skip
    if is_counted(later) and is_counted(earlier):
        before, after = (count(round((row.value or 0.0) * row.n)) for row in (earlier, later))
    return t(
        "{item}: {people} went from {before} of {n|picture|pictures} to {after} of {m} between {earlier} and {later}.",
        before=before, after=after, n=earlier.n, m=count(later.n), **said,
    )  # fmt: skip


def _people(row: Measurement) -> str:
    side, _, plain = row.attribute.rpartition(".")
    known = _PEOPLE.get((plain, row.group))
    people = word(known) if known else t("people perceived as {group}", group=human(row.group))
    if not side:
        return people
    return t("{people} at left", people=people) if side == "left" else t("{people} at right", people=people)


def change_basis(change: Change, tests: int) -> str:
    """Return how large a change is, its interval, and for what its p-value is corrected."""
    p = change.difference.adjusted
    corrected = t(
        "p {p}, corrected for {n|comparison|comparisons} of this release and for all releases",
        p=t("below {p}", p=digits("0.001")) if p < _TINY else decimal(p, 3),
        n=tests,
    )
    return f"{difference_size(change.difference)}; {corrected}"

"""A change in words: who is shown how often, before and after."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from portrayal.apps.history.changes import Change
from portrayal.language.translation import digits, t, word
from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.difference import Difference, DifferenceVerdict
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.words.difference_words import about, difference_size
from portrayal.reports.text.sample_words import image_count
from portrayal.reports.text.words import capital, count, decimal, human, percents, score

__all__ = ["change_basis", "change_sentence", "unchanged_sentence"]

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
    if not change.difference.unsettled:
        return said
    missing = change.difference.one.missing + change.difference.other.missing
    return f"{said} {capital(t('{n|missing image|missing images} could change this', n=missing))}."


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
    if _whole(later) and _whole(earlier):
        before, after = (count(round((row.value or 0.0) * row.n)) for row in (earlier, later))
    return t(
        "{item}: {people} went from {before} of {n|picture|pictures} to {after} of {m} between {earlier} and {later}.",
        before=before, after=after, n=earlier.n, m=count(later.n), **said,
    )  # fmt: skip


def _whole(row: Measurement) -> bool:
    """Return whether a share is that of so many whole pictures; annotators may give each a probability."""
    seen = (row.value or 0.0) * row.n
    return abs(seen - round(seen)) < 1e-6


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


def unchanged_sentence(steps: Sequence[Difference], earlier: str, later: str, margin: float) -> str:
    """Return that nothing was found to change between two releases, and what would have been found.

    It is about the shares over all prompts or, where the releases answered different ones, about single terms.
    """
    shares = [each for each in steps if is_share(each.one)]
    overall = [each for each in shares if each.one.level == "overall"]
    told = overall or shares
    names = {"earlier": earlier, "later": later}
    if not told:
        return t("Nothing of {earlier} and {later} could be compared.", **names)
    where = t("over all prompts") if overall else t("in any term that both answered")
    largest = max(each.detectable for each in told)
    if all(each.verdict is DifferenceVerdict.TOO_FEW for each in told) or not math.isfinite(largest):
        return t("Too few images to tell whether anything changed between {earlier} and {later}.", **names)
    if any(each.unsettled for each in told):
        missing = max(each.one.missing + each.other.missing for each in told)
        return t(
            "No change between {earlier} and {later} was found {where}, but {n|missing image|missing images} could "
            "hide one.",
            where=where, n=missing, **names,
        )  # fmt: skip
    if all(each.verdict is DifferenceVerdict.EQUIVALENT for each in told):
        within = count(round(100 * margin))
        return t("{later} is within {x} points of {earlier} {where}.", x=within, where=where, **names)
    return t(
        "No change between {earlier} and {later} was found {where}: one of {x} points or more would probably have "
        "shown.",
        where=where, x=count(max(math.ceil(100 * largest - 1e-9), 1)), **names,
    )  # fmt: skip

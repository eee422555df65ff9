"""The one sentence about a difference between two sides that can be quoted alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from portrayal.language.translation import t, word
from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.words.difference_words import about, unsettled_words
from portrayal.reports.findings.words.people_words import someone
from portrayal.reports.text.sample_words import image_count, is_counted
from portrayal.reports.text.words import capital, count, human, percents, score

__all__ = ["answer", "answer_sentence"]


def answer_sentence(
    difference: Difference,
    attributes: Mapping[str, Attribute],
    phrases: Mapping[str, str] = MappingProxyType({}),
    *,
    seen_by: bool = False,
) -> str:
    """Return the answer as a sentence, and a second one where missing images could change it."""
    said = f"{answer(difference, attributes, phrases, seen_by=seen_by)}."
    unsettled = unsettled_words(difference)
    return f"{said} {capital(unsettled)}." if unsettled else said


def answer(
    difference: Difference,
    attributes: Mapping[str, Attribute],
    phrases: Mapping[str, str] = MappingProxyType({}),
    *,
    seen_by: bool = False,
) -> str:
    """Return the one sentence about a difference that can be quoted alone.

    ``phrases`` say whose pictures they are, where sides are no models.
    """
    one, other = difference.one, difference.other
    item, names = capital(about(one, attributes, seen_by=seen_by)), {"one": one.generator, "other": other.generator}
    if is_share(one):
        of = {side: phrases.get(name) or t("by {model}", model=name) for side, name in names.items()}
        return _shares(one, other, {"item": item, **of})
    return t(
        "{item}: {metric} {score} for {one}, {other_score} for {other}",
        item=item,
        metric=word(human(one.metric)),
        score=score(one.value or 0.0, one.low, one.high),
        other_score=score(other.value or 0.0, other.low, other.high),
        **names,
    )


def _shares(one: Measurement, other: Measurement, names: Mapping[str, str]) -> str:
    """Return the shares of both sides: in counts where these are of one prompt, else as means over prompts."""
    share, other_share = percents(one.value or 0.0, other.value or 0.0, min(one.n, other.n))
    if image_count(one) != one.n or image_count(other) != other.n:
        return t(
            "{item}: {share} of the people in pictures {one} are perceived as {group}, {other_share} of those {other} "
            "({n|person|people} and {m|person|people})",
            **names,
            share=share,
            other_share=other_share,
            group=human(one.group),
            n=one.n,
            m=other.n,
        )
    said = {**names, "someone": someone(one.attribute, one.group)}
    if one.prompts > 1:
        return t(
            "{item}: {someone} in {share} of the pictures {one}, in {other_share} {other} "
            "(mean of {k|prompt|prompts}; {n} and {m|picture|pictures})",
            **said,
            share=share,
            other_share=other_share,
            k=one.prompts,
            n=count(one.n),
            m=other.n,
        )
    if not (is_counted(one) and is_counted(other)):
        return t(
            "{item}: {someone} in {share} of {n|picture|pictures} {one}, in {other_share} of {m} {other}",
            **said,
            share=share,
            n=one.n,
            other_share=other_share,
            m=count(other.n),
        )
    return t(
        "{item}: {someone} in {seen} of {n|picture|pictures} {one}, in {other_seen} of {m} {other}",
        **said,
        seen=count(round((one.value or 0.0) * one.n)),
        n=one.n,
        other_seen=count(round((other.value or 0.0) * other.n)),
        m=count(other.n),
    )

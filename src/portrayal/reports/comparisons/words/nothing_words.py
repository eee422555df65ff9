"""Two sides between which no difference was found, in words: never without what would have been."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from portrayal.language.translation import t, word
from portrayal.records import Attribute
from portrayal.reports.comparisons.difference import Difference, DifferenceVerdict, size_to_show
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.words.difference_words import about
from portrayal.reports.text.missing_range import stated_points, stated_words
from portrayal.reports.text.words import aspect_title, count, human, join

if TYPE_CHECKING:
    from portrayal.reports.comparisons.compared_sides import ComparedSides

__all__ = ["further_pairs", "nothing_found", "nothing_sure", "small_words"]

NAMED = 3
"""Terms that are named; more are counted."""


def small_words(pairs: Sequence[tuple[str, str]], margin: float) -> str:
    """Return that every difference found between such sides is small: one that was not found need not be."""
    x = stated_points(margin)
    if len(pairs) > 1:
        return t("Every difference that was found between models is smaller than {x} points.", x=x)
    [(one, other)] = pairs
    return t(
        "Every difference that was found between {one} and {other} is smaller than {x} points.",
        one=one,
        other=other,
        x=x,
    )


def nothing_sure(pair: ComparedSides) -> str:
    """Return that two sides differ, and no single comparison is sure enough to be quoted alone."""
    return t(
        "Between {one} and {other} {n|comparison differs|comparisons differ} by more than chance explains, but no "
        "single one is sure enough to be quoted by itself.",
        one=pair.one,
        other=pair.other,
        n=len(pair.different),
    )


def further_pairs(pairs: Sequence[ComparedSides]) -> list[str]:
    """Return of how many further pairs without a difference none was found, and of how many nothing is known."""
    told = sum(any(each.verdict is not DifferenceVerdict.TOO_FEW for each in pair.differences) for pair in pairs)
    said = []
    if told:
        said.append(
            t(
                "Of {n|further pair|further pairs} no difference was found either; beside each comparison stands what "
                "would have shown.",
                n=told,
            )
        )
    if unknown := len(pairs) - told:
        said.append(
            t(
                "Of {n|further pair|further pairs} nothing is known: too few images, or nothing that could be "
                "compared.",
                n=unknown,
            )
        )
    return said


def nothing_found(pair: ComparedSides, margin: float, attributes: Mapping[str, Attribute]) -> str:
    """Return that no difference was found between two sides, and what would have been; or that images are too few.

    The sentence names what was looked at: it is quoted alone, and other attributes may differ.
    """
    names = {"one": pair.one, "other": pair.other}
    if not pair.differences:
        return t("Nothing in {one} and {other} could be compared.", **names)
    shares = [each for each in pair.differences if is_share(each.one)]
    if not shares:
        return _of_scores(pair.differences, names)
    overall = [each for each in shares if each.one.level == "overall"]
    asked = overall or shares
    few = {each.one.attribute for each in asked if each.verdict is DifferenceVerdict.TOO_FEW}
    told = [each for each in asked if each.one.attribute not in few]
    if not told:
        return _too_few(asked, names, margin)
    names["where"] = t("over all prompts") if overall else _where(told, attributes)
    names["attributes"] = _titles((each.one.attribute for each in told), attributes)
    stated = min(each.stated for each in told)
    said = [_nothing(told, names, margin), stated_words(stated) if stated < 1 else ""]
    if few:
        said.append(
            t("For {attributes} there are too few images to tell.", attributes=_titles(sorted(few), attributes))
        )
    return " ".join(filter(None, said))


def _where(told: Sequence[Difference], attributes: Mapping[str, Attribute]) -> str:
    """Return of which terms and categories it is said, where not of all prompts: others may differ."""
    rows = {(each.one.item, each.one.language, each.one.variant): each.one for each in told}
    if len(rows) > NAMED:
        return t("for any one of {n|term or category|terms and categories}", n=len(rows))
    return t("for {items}", items=join([about(row, attributes) for row in rows.values()]))


def _titles(names: Iterable[str], attributes: Mapping[str, Attribute]) -> str:
    return join(list(dict.fromkeys(aspect_title(name, attributes) for name in names)))


def _of_scores(scores: Sequence[Difference], names: Mapping[str, str]) -> str:
    """Return the same where there are scores alone, each of which has a scale of its own."""
    told = [each for each in scores if each.verdict is not DifferenceVerdict.TOO_FEW]
    if not told:
        return t("Too few images to tell whether {one} and {other} differ.", **names)
    metrics = list(dict.fromkeys(word(human(each.one.metric)) for each in told))
    return t(
        "No difference between {one} and {other} was found in {scores}; beside each comparison stands how large one "
        "had to be to show.",
        scores=join(metrics),
        **names,
    )


def _too_few(asked: Sequence[Difference], names: Mapping[str, str], margin: float) -> str:
    needed = max((each.needed for each in asked), default=0)
    if not needed:
        return t("Too few images to tell whether {one} and {other} differ.", **names)
    return t(
        "Too few images to tell whether {one} and {other} differ: about {n|image|images} of each would probably "
        "show {x} points, after the correction for all comparisons.",
        n=needed,
        x=stated_points(size_to_show(margin)),
        **names,
    )


def _nothing(told: Sequence[Difference], names: Mapping[str, str], margin: float) -> str:
    if any(each.unsettled for each in told):
        return t(
            "No difference between {one} and {other} in {attributes} was found {where}, but "
            "{n|missing image|missing images} could hide one.",
            n=max(each.one.missing + each.other.missing for each in told),
            **names,
        )
    if all(each.verdict is DifferenceVerdict.EQUIVALENT for each in told):
        return t(
            "In {attributes}, {one} and {other} are within {x} points of each other {where}.",
            x=stated_points(margin),
            **names,
        )
    largest = max(each.detectable for each in told)
    return t(
        "No difference between {one} and {other} in {attributes} was found {where}: one of {x} points or "
        "more would probably have shown.",
        x=count(max(math.ceil(100 * largest - 1e-9), 1)),
        **names,
    )

"""Two sides between which no difference was found, in words: never without what would have been."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from portrayal.language.translation import t
from portrayal.records import Attribute
from portrayal.reports.comparisons.difference import Difference, DifferenceVerdict
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.text.missing_range import stated_words
from portrayal.reports.text.words import aspect_title, count, join

if TYPE_CHECKING:
    from portrayal.reports.comparisons.models_compared import ComparedSides

__all__ = ["nothing_found"]


def nothing_found(pair: ComparedSides, margin: float, attributes: Mapping[str, Attribute]) -> str:
    """Return that no difference was found between two sides, and what would have been; or that images are too few.

    The sentence names what was looked at: it is quoted alone, and other attributes may differ.
    """
    names = {"one": pair.one, "other": pair.other}
    shares = [each for each in pair.differences if is_share(each.one)]
    overall = [each for each in shares if each.one.level == "overall"] or shares
    told = [each for each in overall if each.verdict is not DifferenceVerdict.TOO_FEW]
    if not overall or not told:
        needed = max((each.needed for each in overall), default=0)
        if not needed:
            return t("Too few images to tell whether {one} and {other} differ.", **names)
        return t(
            "Too few images to tell whether {one} and {other} differ: about {n|image|images} of each would probably "
            "show {x} points, after the correction for all comparisons.",
            n=needed,
            x=count(round(100 * min(2 * margin, 0.9))),
            **names,
        )
    looked_at = dict.fromkeys(aspect_title(each.one.attribute, attributes) for each in overall)
    names["attributes"] = join(list(looked_at))
    if any(each.unsettled for each in told):
        missing = max(each.one.missing + each.other.missing for each in told)
        return t(
            "No difference between {one} and {other} in {attributes} was found over all prompts, but "
            "{n|missing image|missing images} could hide one.",
            n=missing,
            **names,
        )
    stated = min(each.stated for each in told)
    return " ".join(filter(None, [_nothing(overall, told, names, margin), stated_words(stated) if stated < 1 else ""]))


def _nothing(overall: Sequence[Difference], told: Sequence[Difference], names: Mapping[str, str], margin: float) -> str:
    if all(each.verdict is DifferenceVerdict.EQUIVALENT for each in overall):
        return t(
            "{one} and {other} are within {x} points of each other over all prompts in {attributes}.",
            x=count(round(100 * margin)),
            **names,
        )
    largest = max(each.detectable for each in told)
    return t(
        "No difference between {one} and {other} in {attributes} was found over all prompts: one of {x} points or "
        "more would probably have shown.",
        x=count(max(round(100 * largest), 1)),
        **names,
    )

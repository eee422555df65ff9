"""A difference between two sides, in words: the numbers, what they rest on, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping

from portrayal.language.translation import t, word
from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.difference import Difference, DifferenceVerdict, size_to_show
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.words.difference_line import DifferenceLine
from portrayal.reports.comparisons.words.wide_differences import wide_sign
from portrayal.reports.findings.words.people_words import share_text
from portrayal.reports.section import section_of
from portrayal.reports.text.missing_range import stated_points
from portrayal.reports.text.words import (
    DASH,
    aspect_title,
    count,
    decimal,
    human,
    p_value,
    score,
    signed,
    span,
)

__all__ = [
    "DifferenceLine",
    "about",
    "basis",
    "could_change",
    "difference_ends",
    "difference_size",
    "line_of",
    "plain_basis",
    "unsettled_words",
    "verdict_words",
]


def about(row: Measurement, attributes: Mapping[str, Attribute], *, seen_by: bool = False) -> str:
    """Return what a row is about, as its method says it: a term, a category or all prompts, in which language."""
    item = section_of(row.method).item(row) if row.item or row.language or row.variant else t("all prompts")
    if not is_share(row) and row.attribute:
        item = f"{item}, {aspect_title(row.attribute, attributes)}"
    return t("{item}, seen by {annotator}", item=item, annotator=row.annotator) if seen_by else item


def basis(difference: Difference, looked_at: int) -> str:
    """Return the difference with its interval and p-value, and what they rest on.

    That missing images could change it stands in the sentence itself, which is quoted alone.
    """
    corrected = t("p {p}, corrected for {n|comparison|comparisons}", p=_p(difference.adjusted), n=looked_at)
    return "; ".join([difference_size(difference), corrected, *_pairs(difference), *_granted(difference)])


def plain_basis(difference: Difference) -> str:
    """Return the same without the p-value, for readers who do not need one."""
    return "; ".join([difference_size(difference), *_pairs(difference), *_granted(difference)])


def difference_ends(difference: Difference) -> str:
    """Return the difference with its interval, in points or as scores, for a cell of a table."""
    shares = is_share(difference.one)
    ends = span(_signed(difference.low, shares=shares), _signed(difference.high, shares=shares))
    return f"{_signed(difference.value, shares=shares)} ({ends})"


def difference_size(difference: Difference) -> str:
    """Return the difference with its interval."""
    shares = is_share(difference.one)
    ends = _ends(difference)
    values = {"difference": _signed(difference.value, shares=shares), "interval": ends}
    if shares:
        return t("difference {difference} points, 95 % interval {interval}", **values)
    return t("difference {difference}, 95 % interval {interval}", **values)


def _pairs(difference: Difference) -> list[str]:
    """Return how many pairs it rests on, and how many pictures have no partner."""
    pairs = difference.pairs
    if pairs is None:
        return []
    same = t("the same {n|picture|pictures} seen by both", n=pairs.n)
    said = [same if pairs.same else t("{n|pair|pairs} drawn with the same seed", n=pairs.n)]
    return [*said, t("{n|picture has|pictures have} no partner", n=pairs.alone)] if pairs.alone else said


def unsettled_words(difference: Difference) -> str:
    """Return that missing images could change what is said of a difference of shares, where they could."""
    return could_change(difference) if difference.unsettled else ""


def could_change(difference: Difference) -> str:
    """Return that the missing images of both sides could change what is said."""
    missing = difference.one.missing + difference.other.missing
    return t("{n|missing image|missing images} could change this", n=missing)


def _granted(difference: Difference) -> list[str]:
    """Return what is taken for granted of missing images, or that it is not known how far they move a score."""
    missing = difference.one.missing + difference.other.missing
    if not is_share(difference.one):
        tested = difference.verdict is not DifferenceVerdict.TOO_FEW
        unknown = t("nobody knows how far {n|missing image|missing images} would move a score", n=missing)
        return [unknown] if missing and tested else []
    if not difference.unsettled and difference.stated < 1:
        stated = t(
            "if shares among {n|missing image|missing images} lie at most {x} points from those among the others, as "
            "this study states without measuring it",
            n=missing,
            x=stated_points(difference.stated),
        )
        return [stated]
    return []


def verdict_words(difference: Difference, margin: float) -> str:
    """Return the verdict: one of five, always the same words, and whether missing images could change it."""
    said = [_verdict(difference, margin), unsettled_words(difference), *_granted(difference)]
    return "; ".join(filter(None, said))


def _verdict(difference: Difference, margin: float) -> str:
    shares, small = is_share(difference.one), difference.is_within(margin)
    match difference.verdict:
        case DifferenceVerdict.MORE:
            return t("more, by less than {x} points", x=stated_points(margin)) if small else t("more")
        case DifferenceVerdict.LESS:
            if small:
                return t("fewer, by less than {x} points", x=stated_points(margin))
            return t("fewer") if shares else t("less")
        case DifferenceVerdict.EQUIVALENT:
            return t("within {x} points of each other", x=stated_points(margin))
        case DifferenceVerdict.NONE_FOUND:
            # Rounded up: one so large would have shown.
            if shares:
                size = _points(math.ceil(100 * difference.detectable - 1e-9) / 100)
                return t("no difference found: one of {x} points or more would probably have shown", x=size)
            size = _rounded_up(difference.detectable)
            return t("no difference found: one of {x} or more would probably have shown", x=size)
    if not difference.needed:
        return t("too few images to tell")
    size = stated_points(size_to_show(margin))
    return t(
        "too few images to tell: about {n|image|images} of each would probably show {x} points, after the correction "
        "for all comparisons",
        n=difference.needed,
        x=size,
    )


def line_of(
    difference: Difference, attributes: Mapping[str, Attribute], margin: float, *, seen_by: bool = False
) -> DifferenceLine:
    """Return a difference as a row of a table."""
    one, other = difference.one, difference.other
    shares = is_share(one)
    known = not math.isnan(difference.low)
    return DifferenceLine(
        about=about(one, attributes, seen_by=seen_by),
        group=human(one.group) if shares else word(human(one.metric)),
        one=share_text(one) if shares else _score(one),
        other=share_text(other) if shares else _score(other),
        difference=_signed(difference.value, shares=shares),
        interval=_ends(difference) if known else "",
        p=_p(difference.adjusted),
        verdict=verdict_words(difference, margin),
        code=difference.verdict.value,
    )


def _ends(difference: Difference) -> str:
    shares = is_share(difference.one)
    ends = span(_signed(difference.low, shares=shares), _signed(difference.high, shares=shares))
    return ends + wide_sign(difference)


def _signed(value: float, *, shares: bool) -> str:
    return signed(100 * value) if shares else signed(value, 2)


def _rounded_up(size: float) -> str:
    """Return a size of scores with two digits that count, since the scale of scores may be any.

    >>> _rounded_up(0.0012345), _rounded_up(0.171), _rounded_up(12.3)
    ('0.0013', '0.18', '12.30')
    """
    places = 2 if not 0 < size < 0.1 else 1 - math.floor(math.log10(size))
    return decimal(math.ceil(size * 10**places - 1e-9) / 10**places, places)


def _points(share: float) -> str:
    return count(max(round(100 * share), 1))


def _score(row: Measurement) -> str:
    return score(row.value or 0.0, row.low, row.high)


def _p(value: float) -> str:
    if math.isnan(value):
        return DASH
    return p_value(value)

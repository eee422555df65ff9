"""Which of two sides that differ lies nearer to the reference: the second question, after what differs."""

from __future__ import annotations

import math
from collections.abc import Mapping

from portrayal.language.translation import t
from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.words.difference_words import about, could_change
from portrayal.reports.findings.words.people_words import someone
from portrayal.reports.text.missing_range import stated_points
from portrayal.reports.text.sample_words import image_count
from portrayal.reports.text.words import capital, count, known, percent
from portrayal.stats.shares.missing import filled

__all__ = ["nearer"]

_SAME = 1e-9


def nearer(each: Difference, attributes: Mapping[str, Attribute], margin: float, *, seen_by: bool = False) -> str:
    """Return which side lies nearer to the reference of both, as far as that can be said; else nothing.

    How far the one is off more than the other has an interval made of both (Zou and Donner 2008): above 0 the other one
    is nearer, and inside the margin both are equally far. A second sentence says where missing images could change it.
    """
    one, other = each.one, each.other
    target = known(one.target)
    if not is_share(one) or target is None or abs((known(other.target) or 0.0) - target) > _SAME:
        return ""
    (near, least, most), (far, other_least, other_most) = (_distance(row, target) for row in (one, other))
    gap = near - far
    low, high = gap - math.hypot(near - least, other_most - far), gap + math.hypot(most - near, far - other_least)
    said = {
        "item": capital(about(one, attributes, seen_by=seen_by)),
        "someone": someone(one.attribute, one.group),
        "target": percent(target, min(one.n, other.n)),
    }
    within = -margin <= low and high <= margin
    ends = _with_missing(one, target), _with_missing(other, target)
    if (low > 0 or high < 0) and not (within and _points(one, target) == _points(other, target)):
        first, second = (other, one) if low > 0 else (one, other)
        nearest, further = ends[::-1] if low > 0 else ends
        sentence = t(
            "{item}: {one} is nearer to the reference ({someone} in {target}): {x|point|points} away, {other} {y}.",
            one=first.generator,
            other=second.generator,
            x=_points(first, target),
            y=count(_points(second, target)),
            **said,
        )
        return _settled(sentence, each, holds=nearest[1] < further[0])
    if not _opposite(one, other, target):
        return ""
    said |= {"one": one.generator, "other": other.generator}
    if within:
        sentence = t(
            "{item}: {one} and {other} are about equally far from the reference ({someone} in {target}), within "
            "{x} points and in opposite directions.",
            x=stated_points(margin),
            **said,
        )
        apart = max(ends[0][1] - ends[1][0], ends[1][1] - ends[0][0])
        return _settled(sentence, each, holds=apart <= margin)
    sentence = t(
        "{item}: {one} and {other} are on opposite sides of the reference ({someone} in {target}); which of them is "
        "nearer is not clear.",
        **said,
    )
    return _settled(sentence, each, holds=min(ends[0][0], ends[1][0]) > 0)


def _settled(sentence: str, each: Difference, *, holds: bool) -> str:
    missing = each.one.missing + each.other.missing
    return sentence if holds or not missing else f"{sentence} {capital(could_change(each))}."


def _with_missing(row: Measurement, target: float) -> tuple[float, float]:
    """Return how far the share of all images could lie from the target, at least and at most."""
    low, high = filled(row.value or 0.0, image_count(row), row.missing, prompts=row.prompts)
    far = abs(low - target), abs(high - target)
    return 0.0 if low <= target <= high else min(far), max(far)


def _distance(row: Measurement, target: float) -> tuple[float, float, float]:
    """Return how far a share lies from the target, at least and at most."""
    ends = [abs((row.low or 0.0) - target), abs((row.high or 0.0) - target)]
    holds = (row.low or 0.0) <= target <= (row.high or 0.0)
    return abs((row.value or 0.0) - target), 0.0 if holds else min(ends), max(ends)


def _opposite(one: Measurement, other: Measurement, target: float) -> bool:
    """Return whether both surely lie on other sides of the target."""
    below, above = sorted((one, other), key=lambda row: row.value or 0.0)
    return (below.high or 0.0) < target < (above.low or 0.0)


def _points(row: Measurement, target: float) -> int:
    return round(100 * abs((row.value or 0.0) - target))

"""From what was seen to a verdict: with its interval, why it is not decided, and how many images would decide it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from portrayal.apps.check.decisions.further_images import FurtherNumbers, FurtherShares, images_to_decide
from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.decisions.seen_images import SeenImages
from portrayal.apps.check.decisions.seen_number import SeenNumber
from portrayal.apps.check.decisions.share_difference import share_difference
from portrayal.stats.intervals import Interval, t_value

__all__ = [
    "NO_ADVICE",
    "Judged",
    "Reason",
    "judge_ratio",
    "judge_score",
    "judge_score_difference",
    "judge_share",
    "judge_share_difference",
    "ratio_interval",
]


NO_ADVICE, LEAST_CAP = 50, 5_000
"""More further images than so many times those that there are, and than so many in all, are no advice."""


class Reason(StrEnum):
    """Why nothing is decided."""

    NONE = ""
    FEW = "few_images"
    MISSING = "missing_images"
    NO_IMAGES = "no_usable_images"
    NO_INTERVAL = "no_interval"
    NO_BASELINE = "no_baseline"
    NEAR_LIMIT = "near_limit"


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict: the number, the interval that it rests on, the limits, and what would decide it.

    ``further`` is how many further independent images would decide four times in five; None: no number would, or none
    is needed.
    """

    verdict: Verdict
    limits: Limits
    value: float | None = None
    low: float | None = None
    high: float | None = None
    reason: Reason = Reason.NONE
    further: float | None = None
    chance: float | None = None


def judge_share(images: SeenImages, limits: Limits, tail: float) -> Judged:
    """Return the verdict on a share.

    >>> judge_share(SeenImages(10, 90), Limits(0.3, 0.7), 0.025).verdict.value
    'fail'
    """
    interval, verdict = images.interval(tail), images.judge(limits, tail)
    if verdict is not Verdict.UNDECIDED:
        return Judged(verdict, limits, images.value, interval.low, interval.high)
    further, chance = _further_images(images, limits, tail)
    reason = Reason.FEW if images.complete.judge(limits, tail) is Verdict.UNDECIDED else Reason.MISSING
    if chance is not None and reason is Reason.FEW:
        reason = Reason.NEAR_LIMIT
    return Judged(verdict, limits, images.value, interval.low, interval.high, reason, further, chance)


def _further_images(images: SeenImages, limits: Limits, tail: float) -> tuple[float | None, float | None]:
    """Return how many further images are advised; where none are since a share lies near its limit, a chance.

    It is that of ``NO_ADVICE`` times as many images. Else it is for those that are missing: however many more there
    are, as large a part of them goes missing.
    """
    further = FurtherShares(images, limits, tail)
    needed = images_to_decide(further.decided)
    advised = _advised(needed, images.images)
    near = advised is None and (needed is not None or images == images.complete)
    return advised, further.decided(round(NO_ADVICE * images.images)) if near else None


def _advised(further: float | None, images: float) -> float | None:
    """Return a number of further images that is worth advising.

    Of what lies on its limit the number grows with the images themselves: it would be asked for again and again.
    """
    return None if further is None or further > max(NO_ADVICE * images, LEAST_CAP) else further


def ratio_interval(group: float, others: Sequence[float], missing: float, tail: float) -> Interval:
    """Return the bounds of how often a group is shown, for each time that the most shown one is.

    ``group`` and ``others`` are as many independent images as show each. Of the images that show one of two groups, the
    share of the one is a share like any other, and the ratio follows from it. The ratio to the most shown group is the
    least of those to all others, whichever that is: for so many chances to be too low the high bound pays.
    """
    pairs = [SeenImages(group, other, missing) for other in others if group + other > 0]
    bounds = [pair.interval(tail, tail / len(pairs)) for pair in pairs]
    return Interval(min(_ratio(pair.low) for pair in bounds), min(_ratio(pair.high) for pair in bounds))


def judge_ratio(group: float, others: Sequence[float], missing: float, least: float, tail: float) -> Judged:
    """Return the verdict on how often a group is shown, as a part of how often the most shown one is."""
    limits, pairs = Limits(least), [SeenImages(group, other, missing) for other in others if group + other > 0]
    interval, each = ratio_interval(group, others, missing, tail), tail / len(pairs)
    low, high = interval.low, interval.high
    value = min(min(group / other if other > 0 else 1.0 for other in others), 1.0)
    verdict = limits.judge(low, high)
    if verdict is not Verdict.UNDECIDED:
        return Judged(verdict, limits, value, low, high)
    most = max(pairs, key=lambda pair: pair.others)
    part = Limits(least / (1 + least), 1.0)
    further, chance = _further_images(most, part, each)
    of_all = group + sum(others)
    decided = all(pair.complete.judge(part, each) is Verdict.PASS for pair in pairs)
    decided = decided or most.complete.judge(part, each) is Verdict.FAIL
    reason = Reason.MISSING if missing and decided else Reason.FEW
    if chance is not None and reason is Reason.FEW:
        reason = Reason.NEAR_LIMIT
    further = None if further is None else further * of_all / most.images
    return Judged(verdict, limits, value, low, high, reason, further, chance)


def _ratio(share: float) -> float:
    """Return by how much the one is shown for each of the other; the most shown one has 1."""
    return min(share / (1 - share), 1.0) if share < 1 else 1.0


def judge_score(number: SeenNumber, limits: Limits, tail: float, *, too_much_missing: bool) -> Judged:
    """Return the verdict on a score. How far missing images move one is not known: with too many it is undecided."""
    interval = number.interval(tail)
    return _judge_number(number.value, interval, limits, too_much_missing, _further(number, limits, tail))


def judge_score_difference(
    one: SeenNumber, other: SeenNumber, limits: Limits, tail: float, *, too_much_missing: bool
) -> Judged:
    """Return the verdict on how much two scores differ, from the intervals of both (Zou and Donner 2008)."""
    mine, theirs, value = one.interval(tail), other.interval(tail), one.value - other.value
    below = math.hypot(one.value - mine.low, theirs.high - other.value)
    above = math.hypot(mine.high - one.value, other.value - theirs.low)
    further = FurtherNumbers(value, one.error, one.images, limits, t_value(1 - 2 * tail), fixed=other.error)
    return _judge_number(value, Interval(value - below, value + above), limits, too_much_missing, further)


def judge_share_difference(one: SeenImages, other: SeenImages, limits: Limits, tail: float) -> Judged:
    """Return the verdict on how much two shares differ; missing images of both sides are bounded."""
    interval, value = share_difference(one, other, tail), one.value - other.value
    verdict = limits.judge(interval.low, interval.high)
    if verdict is not Verdict.UNDECIDED:
        return Judged(verdict, limits, value, interval.low, interval.high)
    whole = share_difference(one.complete, other.complete, tail)
    error, fixed = _error(one), _error(other)
    z = whole.width / 2 / math.hypot(error, fixed)
    unknown = (interval.width - whole.width) / 2
    further = FurtherNumbers(value, error=error, images=one.images, limits=limits, z=z, fixed=fixed, unknown=unknown)
    settled = limits.judge(whole.low, whole.high) is not Verdict.UNDECIDED
    advised = _advised(images_to_decide(further.decided), one.images)
    chance = further.decided(round(NO_ADVICE * one.images)) if advised is None else None
    reason = Reason.MISSING if settled else Reason.FEW
    return Judged(verdict, limits, value, interval.low, interval.high, reason, advised, chance)


def _error(seen: SeenImages) -> float:
    """Return the standard error of a share; one of 0 or 1 counts as if half an image were otherwise."""
    smoothed = (seen.seen + 0.5) / (seen.images + 1)
    return math.sqrt(smoothed * (1 - smoothed) / seen.images)


def _judge_number(
    value: float, interval: Interval, limits: Limits, too_much_missing: bool, further: FurtherNumbers
) -> Judged:
    verdict = limits.judge(interval.low, interval.high)
    if verdict is not Verdict.UNDECIDED and not too_much_missing:
        return Judged(verdict, limits, value, interval.low, interval.high)
    if too_much_missing:
        return Judged(
            Verdict.UNDECIDED, limits=limits, value=value, low=interval.low, high=interval.high, reason=Reason.MISSING
        )
    images = _advised(images_to_decide(further.decided), further.images)
    near = images is None and not further.fixed
    chance = further.decided(round(NO_ADVICE * further.images)) if images is None else None
    reason = Reason.NEAR_LIMIT if near else Reason.FEW
    return Judged(verdict, limits, value, interval.low, interval.high, reason, images, chance)


def _further(number: SeenNumber, limits: Limits, tail: float) -> FurtherNumbers:
    return FurtherNumbers(number.value, number.error, number.images, limits, t_value(1 - 2 * tail))

"""From what was seen to a verdict: with its interval, why it is not decided, and how many images would decide it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from portrayal.apps.check.decisions.further_images import FurtherNumbers, FurtherShares, images_to_decide
from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.decisions.seen_images import SeenImages
from portrayal.apps.check.decisions.seen_number import SeenNumber
from portrayal.stats.intervals import Interval, t_value

__all__ = ["Judged", "Reason", "judge_count", "judge_difference", "judge_ratio", "judge_score", "judge_share"]


class Reason(StrEnum):
    """Why nothing is decided."""

    NONE = ""
    FEW = "few_images"
    MISSING = "missing_images"
    NO_IMAGES = "no_usable_images"
    NO_INTERVAL = "no_interval"
    NO_BASELINE = "no_baseline"


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


def judge_share(images: SeenImages, limits: Limits, tail: float) -> Judged:
    """Return the verdict on a share.

    >>> judge_share(SeenImages(10, 90), Limits(0.3, 0.7), 0.025).verdict.value
    'fail'
    """
    interval, verdict = images.interval(tail), images.judge(limits, tail)
    if verdict is not Verdict.UNDECIDED:
        return Judged(verdict, limits, images.value, interval.low, interval.high)
    further = images_to_decide(FurtherShares(images, limits, tail).decided)
    reason = Reason.FEW if images.complete.judge(limits, tail) is Verdict.UNDECIDED else Reason.MISSING
    return Judged(verdict, limits, images.value, interval.low, interval.high, reason, further)


def judge_ratio(group: float, others: Sequence[float], missing: float, least: float, tail: float) -> Judged:
    """Return the verdict on how often a group is shown, as a part of how often the most shown one is.

    ``group`` and ``others`` are as many independent images as show each. Of the images that show one of two groups, the
    share of the one is a share like any other, and the ratio follows from it. The group passes if it does beside each
    other group, and fails if it surely does beside any: for so many chances to fail each gets a part of the tail.
    """
    limits, pairs = Limits(least), [SeenImages(group, other, missing) for other in others if group + other > 0]
    each = tail / max(len(pairs), 1)
    intervals = [pair.interval(tail, each) for pair in pairs]
    low, high = (min(map(_ratio, bounds)) for bounds in zip(*((i.low, i.high) for i in intervals), strict=True))
    value = min(min(group / other if other > 0 else 1.0 for other in others), 1.0)
    verdict = limits.judge(low, high)
    if verdict is not Verdict.UNDECIDED:
        return Judged(verdict, limits, value, low, high)
    most = max(pairs, key=lambda pair: pair.others)
    part = Limits(least / (1 + least), 1.0)
    further = images_to_decide(FurtherShares(most, part, each).decided)
    of_all = group + sum(others)
    decided = all(pair.complete.judge(part, each) is Verdict.PASS for pair in pairs)
    decided = decided or most.complete.judge(part, each) is Verdict.FAIL
    reason = Reason.MISSING if missing and decided else Reason.FEW
    return Judged(
        verdict, limits, value, low, high, reason, None if further is None else further * of_all / most.images
    )


def _ratio(share: float) -> float:
    """Return by how much the one is shown for each of the other; the most shown one has 1."""
    return min(share / (1 - share), 1.0) if share < 1 else 1.0


def judge_score(number: SeenNumber, limits: Limits, tail: float, *, too_much_missing: bool) -> Judged:
    """Return the verdict on a score. How far missing images move one is not known: with too many it is undecided."""
    interval = number.interval(tail)
    return _judge_number(number.value, interval, limits, too_much_missing, _further(number, limits, tail))


def judge_difference(
    one: SeenImages | SeenNumber, other: SeenImages | SeenNumber, limits: Limits, tail: float, *, too_much_missing: bool
) -> Judged:
    """Return the verdict on ``one`` less ``other``: the bounds of both sides, of which each fails half as often.

    That is wider than an interval of differences need be, and holds for any number of images.
    """
    mine, theirs = one.interval(tail / 2), other.interval(tail / 2)
    interval, value = Interval(mine.low - theirs.high, mine.high - theirs.low), one.value - other.value
    error, unknown, reason = _error(one), theirs.width / 2, Reason.FEW
    if isinstance(one, SeenImages) and isinstance(other, SeenImages):
        seen, others = one.complete.interval(tail / 2), other.complete.interval(tail / 2)
        unknown += (mine.width - seen.width) / 2  # more images do not bring back those that are missing
        if limits.judge(seen.low - others.high, seen.high - others.low) is not Verdict.UNDECIDED:
            reason = Reason.MISSING
    further = FurtherNumbers(value, error, one.images, limits, t_value(1 - tail), fixed=unknown)
    judged = _judge_number(value, interval, limits, too_much_missing, further)
    return replace(judged, reason=reason) if judged.reason is Reason.FEW else judged


def _error(seen: SeenImages | SeenNumber) -> float:
    if isinstance(seen, SeenNumber):
        return seen.error
    smoothed = (seen.seen + 0.5) / (seen.images + 1)
    return math.sqrt(smoothed * (1 - smoothed) / seen.images)


def judge_count(share: float, most: float) -> Judged:
    """Return the verdict on the share of images that is missing: it is counted, so that nothing is uncertain."""
    limits = Limits(0.0, most)
    return Judged(limits.judge(share, share), limits, share, share, share)


def _judge_number(
    value: float, interval: Interval, limits: Limits, too_much_missing: bool, further: FurtherNumbers
) -> Judged:
    verdict = limits.judge(interval.low, interval.high)
    if verdict is not Verdict.UNDECIDED and not too_much_missing:
        return Judged(verdict, limits, value, interval.low, interval.high)
    if too_much_missing:
        return Judged(Verdict.UNDECIDED, limits, value, interval.low, interval.high, Reason.MISSING)
    images = images_to_decide(further.decided)
    return Judged(verdict, limits, value, interval.low, interval.high, Reason.FEW, images)


def _further(number: SeenNumber, limits: Limits, tail: float) -> FurtherNumbers:
    return FurtherNumbers(number.value, number.error, number.images, limits, t_value(1 - 2 * tail))

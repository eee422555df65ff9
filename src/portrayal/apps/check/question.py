"""What is to be decided: one scenario, of one model, as one annotator saw it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.apps.check.decisions.further_images import FurtherShares
from portrayal.apps.check.decisions.judging import (
    Judged,
    Reason,
    judge_ratio,
    judge_score,
    judge_score_difference,
    judge_share,
    judge_share_difference,
)
from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.decisions.seen_images import SeenImages
from portrayal.apps.check.decisions.seen_number import SeenNumber
from portrayal.apps.check.numbers import Numbers
from portrayal.apps.check.policy.scenario import (
    BaselineMeasure,
    ImpactRatioMeasure,
    Measure,
    MissingMeasure,
    ScoreMeasure,
    ShareMeasure,
)
from portrayal.records import Measurement, metric_range
from portrayal.stats.intervals import t_value

__all__ = ["Question", "Row", "chance_decided", "judge_question", "sure_worth"]


@dataclass(frozen=True, slots=True)
class Row:
    """A row, and the numbers that it is one of."""

    row: Measurement
    numbers: Numbers

    @property
    def missing_share(self) -> float:
        """Which share of the images asked for is missing."""
        return self.numbers.missing_share(self.row)

    @property
    def lost(self) -> SeenImages:
        """The images that are missing, of those asked for: how often images go missing is a share as any other.

        Those that are not drawn or not looked at yet may be there in the end, or not.
        """
        asked = self.numbers.asked_for(self.row)
        lost = min(self.row.missing, asked) - self.waiting
        return SeenImages(max(lost, 0), max(asked - self.row.missing, 0), missing=self.waiting)

    @property
    def waiting(self) -> int:
        """How many images are not drawn, or not looked at, yet."""
        return self.numbers.waiting(self.row)


@dataclass(frozen=True, slots=True)
class Question:
    """A scenario, by its place, of a model and an annotator; for an impact ratio also of a group.

    ``one`` is None where no usable image is there. ``groups`` are the rows of the other groups, ``other`` that of the
    baseline; ``no_other`` says why there is none. ``nothing`` is the row that says so where no image is usable.
    """

    scenario: int
    measure: Measure
    model: str
    annotator: str
    group: str = ""
    one: Row | None = None
    groups: Sequence[Row] = ()
    other: Row | None = None
    no_other: str = ""
    nothing: Row | None = None


def judge_question(question: Question, tail: float) -> Judged:
    """Return the answer; every bound of an interval may fail with a chance of ``tail``."""
    measure, one = question.measure, question.one
    limits = _limits(measure)
    if one is None:
        return Judged(Verdict.UNDECIDED, limits, reason=Reason.NO_IMAGES)
    match measure:
        case MissingMeasure() if not one.lost.images:
            return Judged(Verdict.UNDECIDED, limits, reason=Reason.MISSING)
        case MissingMeasure():
            return judge_share(one.lost, limits, tail)
        case ShareMeasure():
            return judge_share(_images(one, tail), limits, tail)
        case ImpactRatioMeasure():
            return _ratio(one, question.groups, measure.at_least, tail)
        case ScoreMeasure() if (number := _number(one.row)) is not None:
            too_much = one.missing_share > measure.most_missing
            return judge_score(number, limits, tail, too_much_missing=too_much)
        case BaselineMeasure():
            return _beside_baseline(measure, one, question.other, tail)
    return Judged(Verdict.UNDECIDED, limits, one.row.value, reason=Reason.NO_INTERVAL)


def chance_decided(question: Question, tail: float, further: int) -> float | None:
    """Return how likely so many further independent images decide about a share; None: it is no share."""
    if question.one is None or not isinstance(question.measure, ShareMeasure):
        return None
    return FurtherShares(_images(question.one, tail), _limits(question.measure), tail).decided(further)


def _limits(measure: Measure) -> Limits:
    match measure:
        case ShareMeasure():
            return Limits(*measure.limits)
        case ImpactRatioMeasure():
            return Limits(measure.at_least)
        case MissingMeasure():
            return Limits(0.0, measure.at_most)
        case ScoreMeasure():
            least, most = measure.at_least, measure.at_most
            return Limits(-math.inf if least is None else least, math.inf if most is None else most)
        case BaselineMeasure():
            least = -math.inf if measure.worse == "more" else -measure.margin
            return Limits(least, math.inf if measure.worse == "less" else measure.margin)
    raise TypeError(f"no such measure: {measure!r}")


def _beside_baseline(measure: BaselineMeasure, one: Row, other: Row | None, tail: float) -> Judged:
    limits = _limits(measure)
    if other is None:
        return Judged(Verdict.UNDECIDED, limits, reason=Reason.NO_BASELINE)
    if measure.is_share:
        return judge_share_difference(_images(one, tail), _images(other, tail), limits, tail)
    numbers = _number(one.row), _number(other.row)
    if numbers[0] is None or numbers[1] is None:
        return Judged(Verdict.UNDECIDED, limits, reason=Reason.NO_INTERVAL)
    too_much = max(one.missing_share, other.missing_share) > measure.most_missing
    return judge_score_difference(numbers[0], numbers[1], limits, tail, too_much_missing=too_much)


def _ratio(one: Row, groups: Sequence[Row], least: float, tail: float) -> Judged:
    rows = (one, *groups)
    worth = min(min(sure_worth(each, tail), float(each.row.n)) for each in rows)
    moved = one.numbers.moved(one.row)
    missing = worth * moved / max(1 - moved, 1e-9)
    shown = [worth * float(each.row.value or 0.0) for each in rows]
    return judge_ratio(shown[0], shown[1:], missing, least, tail)


def _images(row: Row, tail: float) -> SeenImages:
    worth, moved = sure_worth(row, tail), row.numbers.moved(row.row)
    share = min(max(float(row.row.value or 0.0), 0.0), 1.0)
    seen = SeenImages(share * worth, (1 - share) * worth)
    if row.row.prompts > 1:
        return SeenImages(seen.seen, seen.others, moved=moved)
    return SeenImages(seen.seen, seen.others, missing=worth * moved / max(1 - moved, 1e-9))


def sure_worth(row: Row, tail: float) -> float:
    """Return as how many independent images a share counts in an interval of more confidence than the usual one.

    Where prompts differ, images are worth more than there are, by how much the images themselves tell; what is known
    of few images is paid for by Student's distribution, and more so where more confidence is asked for.
    """
    worth, least = float(row.row.worth or 0.0), row.numbers.least_worth(row.row)
    if worth <= least:
        return worth
    freedom = max(min(row.row.n, worth) - row.row.prompts, 1.0)
    confidence = min(1 - 2 * tail, 1 - 1e-12)
    paid = (t_value(confidence) * t_value(0.95, freedom)) / (t_value(confidence, freedom) * t_value(0.95))
    return max(worth * min(paid, 1.0) ** 2, least)


def _number(row: Measurement) -> SeenNumber | None:
    bounds = (row.value, row.low, row.high)
    if any(bound is None or not math.isfinite(bound) for bound in bounds):
        return None
    low, high = float(row.low or 0.0), float(row.high or 0.0)
    value = row.value if row.corrected is None or not math.isfinite(row.corrected) else row.corrected
    return SeenNumber(min(max(float(value or 0.0), low), high), low, high, max(row.n, 1), *metric_range(row.metric))

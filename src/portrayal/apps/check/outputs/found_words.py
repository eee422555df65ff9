"""What was found, in words: the number of an answer with what it rests on, and its interval."""

from __future__ import annotations

from portrayal.apps.check.checking import Answer
from portrayal.apps.check.outputs.numbers_text import between, percent, points, score
from portrayal.apps.check.policy.scenario import (
    BaselineMeasure,
    ImpactRatioMeasure,
    MissingMeasure,
    ScoreMeasure,
    ShareMeasure,
)
from portrayal.apps.check.question import Row
from portrayal.language.numbers import count
from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.text.wide_intervals import SIGN, few_on_a_side

__all__ = ["found_words", "interval_words", "wide_sign"]


def found_words(answer: Answer) -> str:
    """Return the number of an answer, with its interval and what it rests on."""
    question, judged = answer.question, answer.judged
    measure, one = question.measure, question.one
    if one is None:
        none = t("no usable image")
        return none if question.nothing is None else f"{none}: {_lost(question.nothing)}"
    row = one.row
    match measure:
        case MissingMeasure():
            return f"{_lost(one, waits=not answer.waits_for)}{interval_words(answer, 'percent')}"
        case ImpactRatioMeasure():
            most = t("shown as often as any other group or more often, ratio 1")
            ratio = t("shown {ratio} times as often as the most shown group", ratio=score(judged.value or 0.0))
            return f"{most if judged.value == 1 else ratio}{interval_words(answer)}"
        case BaselineMeasure():
            if question.other is None:
                return _number(row, measure.is_share)
            other = t("{number} in the baseline", number=_number(question.other.row, measure.is_share))
            return f"{_number(row, measure.is_share)}, {other}{_difference(answer, measure.is_share)}"
        case ScoreMeasure():
            return f"{score(judged.value or 0.0)}{interval_words(answer)}"
    return f"{_number(row, True)}{interval_words(answer, 'percent')}"


def _lost(one: Row, *, waits: bool = False) -> str:
    """Return how many images are missing; of those that are not there yet nobody knows it."""
    asked, waiting = one.numbers.asked_for(one.row), one.waiting
    lost, known = one.row.missing - waiting, asked - waiting
    said = t("{missing} of {n|image|images} missing", missing=count(lost), n=known)
    said += f" ({percent(lost / known)})" if known else ""
    if not (waiting and waits):
        return said
    return t("{lost}, {waiting} still to be drawn or looked at", lost=said, waiting=count(waiting))


def _number(row: Measurement, is_share: bool) -> str:
    """Return a share as a count where it is one, else in per cent."""
    value = row.value or 0.0
    if not is_share:
        return score(value)
    seen = value * row.n
    whole = row.prompts <= 1 and abs(seen - round(seen)) < 1e-6
    if not whole:
        return t("{share} of {n|image|images}", share=percent(value), n=row.n)
    return t("{seen} of {n|image|images} ({share})", seen=count(round(seen)), n=row.n, share=percent(value))


def _difference(answer: Answer, is_share: bool) -> str:
    value, unit = answer.judged.value or 0.0, "points" if is_share else ""
    said = t("; difference {size}", size=points(value) if is_share else score(value))
    return f"{said}{interval_words(answer, unit)}"


def interval_words(answer: Answer, text: str = "") -> str:
    """Return the interval, after a comma; nothing where there is none."""
    low, high = answer.judged.low, answer.judged.high
    if low is None or high is None:
        return ""
    say = {"percent": percent, "points": points}.get(text, score)
    return t(", interval {bounds}", bounds=between(say(low), say(high))) + wide_sign(answer)


def wide_sign(answer: Answer) -> str:
    """Return the sign of a group that few images show, or nearly all do: as in the report."""
    counted = isinstance(answer.question.measure, ShareMeasure | ImpactRatioMeasure)
    return SIGN if counted and answer.question.one and few_on_a_side(answer.question.one.row) else ""

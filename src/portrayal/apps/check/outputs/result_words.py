"""A check in plain words: the first sentence, a line for each answer, and what the intervals mean."""

from __future__ import annotations

import math

from portrayal.apps.check.checking import Answer, PolicyResult, ScenarioResult
from portrayal.apps.check.decisions.judging import NO_ADVICE, Reason
from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.outputs.numbers_text import between, count, no_worse, percent, points, score, wanted
from portrayal.apps.check.policy.scenario import (
    BaselineMeasure,
    ImpactRatioMeasure,
    MissingMeasure,
    ScoreMeasure,
    ShareMeasure,
)
from portrayal.records import Measurement
from portrayal.reports.text.wide_intervals import SIGN, few_on_a_side

__all__ = ["answer_lines", "answer_words", "first_sentence", "remarks"]

_A_HAIR = 0.01
"""What lies so near a limit is said to lie on it, where images are few."""
ORDER = (Verdict.FAIL, Verdict.UNDECIDED, Verdict.PASS)


def first_sentence(result: PolicyResult) -> str:
    """Return the answer to who asks whether it may ship."""
    total, passed = len(result.scenarios), result.counted(Verdict.PASS)
    if result.verdict is Verdict.PASS:
        passes = f"all {total:,} scenarios pass" if total > 1 else "the scenario passes"
        if not (late := sum(each.overdue for each in result.scenarios)):
            return f"Ready: {passes}."
        reviews = "a review is" if late == 1 else f"{late:,} reviews are"
        return f"{passes[0].upper()}{passes[1:]}, but {reviews} overdue: hold {'it' if late == 1 else 'them'} first."
    failed, short = result.counted(Verdict.FAIL), sum(each.needs_images for each in result.scenarios)
    near = sum(_may_be_decided(each) for each in result.scenarios)
    open_ones = result.counted(Verdict.UNDECIDED) - short - near
    parts = []
    if failed:
        parts.append((failed, "fails", "fail"))
    if short:
        images = f"about {count(result.more_images, 'more image')}"
        parts.append((short, f"needs {images}", f"need {images}"))
    if near:
        undecided = "undecided, which more images alone may not change"
        parts.append((near, f"is {undecided}", f"are {undecided}"))
    if open_ones:
        undecided = "undecided, which more images alone will not change"
        parts.append((open_ones, f"is {undecided}", f"are {undecided}"))
    if passed:
        parts.append((passed, "passes", "pass"))
    (first, *_), *others = parts
    of = f"{first:,} of {count(total, 'scenario')} {parts[0][1] if first == 1 else parts[0][2]}"
    rest = [f"{number:,} {one if number == 1 else many}" for number, one, many in others]
    return f"{'Not ready' if failed else 'Not decided'}: {', '.join([of, *rest])}."


def _may_be_decided(result: ScenarioResult) -> bool:
    """Return whether images could decide an undecided scenario, though no number of them is advised."""
    if result.verdict is not Verdict.UNDECIDED:
        return False
    by_chance = [each for each in result.undecided if each.more_images is None]
    beside = isinstance(result.scenario.measure, BaselineMeasure)
    reasons = (Reason.NEAR_LIMIT, Reason.FEW) if beside else (Reason.NEAR_LIMIT,)
    return bool(by_chance) and all(each.judged.reason in reasons for each in by_chance)


def answer_lines(result: PolicyResult) -> list[tuple[Verdict, ScenarioResult, Answer, str]]:
    """Return every answer with its words, what fails first."""
    several = len({answer.question.annotator for each in result.scenarios for answer in each.answers}) > 1
    lines = [
        (answer.judged.verdict, each, answer, answer_words(answer, name_annotator=several))
        for each in result.scenarios
        for answer in each.answers
    ]
    return sorted(lines, key=lambda line: ORDER.index(line[0]))


def answer_words(answer: Answer, *, name_annotator: bool = False) -> str:
    """Return what was found, what was wanted, and why nothing was decided."""
    question = answer.question
    who = f"{question.model}, seen by {question.annotator}" if name_annotator and question.annotator else question.model
    parts = [f"{who}: {_about(answer)}{_found(answer)}", f"wanted {_wanted(answer)}"]
    if answer.judged.verdict is Verdict.UNDECIDED:
        parts.append(_why(answer))
    return "; ".join(parts)


def remarks(result: PolicyResult) -> list[str]:
    """Return what holds for all: what the intervals are, and which reviews are overdue."""
    rate = result.file.policy.policy.error_rate
    uncertain = sum(len(each.answers) for each in result.scenarios)
    lines = [result.not_over] if result.not_over else []
    if uncertain:
        other = "" if uncertain == 1 and rate == 0.05 else ", unlike those of 95 % in the report"
        lines.append(
            f"Each interval holds in {_confidence(result.confidence)} of cases{other}: {count(uncertain, 'answer')} "
            f"must be right together. At most {percent(rate)} of such checks have any wrong pass or fail by chance."
        )
        perceived = [a.question for each in result.scenarios if each.scenario.missing is None for a in each.answers]
        who = " and ".join(sorted({question.annotator for question in perceived} - {""}))
        seen_by = f" ({who})" if who else ""
        if perceived:
            lines.append(f"Decided on what was perceived{seen_by}: errors of the annotator are not allowed for.")
    if any(_interval(answer) and _sign(answer) for each in result.scenarios for answer in each.answers):
        lines.append(f"{SIGN} Few images show the group, or few do not: this interval is wider than it need be.")
    for each in result.scenarios:
        if each.overdue:
            owner = each.scenario.owner or result.file.policy.policy.owner
            asked = f" ({owner})" if owner else ""
            lines.append(f"Review overdue since {each.scenario.review}: {each.scenario.id}{asked}.")
    return lines


def _confidence(confidence: float) -> str:
    """Return a confidence in per cent with as many decimals as it takes to tell how far it lies from 100.

    >>> _confidence(0.95), _confidence(0.9875), _confidence(0.99996)
    ('95 %', '98.75 %', '99.996 %')
    """
    places = max(2 - math.floor(math.log10(100 * (1 - confidence))), 1)
    return f"{100 * confidence:.{places}f}".rstrip("0").rstrip(".") + " %"


def _about(answer: Answer) -> str:
    measure = answer.question.measure
    place = measure.item or "all prompts"
    further = [part for part in (measure.language, measure.variant) if part]
    attribute, group = getattr(measure, "attribute", ""), answer.question.group or getattr(measure, "group", "")
    if isinstance(measure, MissingMeasure) and answer.question.one:
        attribute = attribute or answer.question.one.row.attribute
    perceived = f"perceived {attribute.replace('+', ' × ')}" if attribute else ""
    metric = getattr(measure, "metric", "")
    return ", ".join(filter(None, [place, *further, metric, " ".join(filter(None, [perceived, group]))])) + ": "


def _found(answer: Answer) -> str:
    question, judged = answer.question, answer.judged
    measure, one = question.measure, question.one
    if one is None:
        return "no usable image"
    row = one.row
    match measure:
        case MissingMeasure():
            asked, interval = count(one.numbers.asked_for(row), "image"), _interval(answer, "percent")
            return f"{row.missing:,} of {asked} missing ({percent(one.missing_share)}){interval}"
        case ImpactRatioMeasure():
            most = "shown as often as any other group or more often, ratio 1"
            ratio = f"shown {score(judged.value or 0.0)} times as often as the most shown group"
            return f"{most if judged.value == 1 else ratio}{_interval(answer)}"
        case BaselineMeasure() if question.other is None:
            return _number(row, measure.is_share)
        case BaselineMeasure():
            other = f"{_number(question.other.row, measure.is_share)} in the baseline" if question.other else ""
            return f"{_number(row, measure.is_share)}, {other}{_difference(answer, measure.is_share)}"
        case ScoreMeasure():
            return f"{score(judged.value or 0.0)}{_interval(answer)}"
    return f"{_number(row, True)}{_interval(answer, 'percent')}"


def _number(row: Measurement, is_share: bool) -> str:
    """Return a share as a count where it is one, else in per cent."""
    value = row.value or 0.0
    if not is_share:
        return score(value)
    seen = value * row.n
    whole = row.prompts <= 1 and abs(seen - round(seen)) < 1e-6
    return (
        f"{round(seen):,} of {count(row.n, 'image')} ({percent(value)})"
        if whole
        else (f"{percent(value)} of {count(row.n, 'image')}")
    )


def _difference(answer: Answer, is_share: bool) -> str:
    value = answer.judged.value or 0.0
    return (
        f"; difference {points(value) if is_share else score(value)}{_interval(answer, 'points' if is_share else '')}"
    )


def _interval(answer: Answer, text: str = "") -> str:
    low, high = answer.judged.low, answer.judged.high
    if low is None or high is None:
        return ""
    say = {"percent": percent, "points": points}.get(text, score)
    return f", interval {between(say(low), say(high))}{_sign(answer)}"


def _sign(answer: Answer) -> str:
    """Return the sign of a group that few images show, or nearly all do: as in the report."""
    counted = isinstance(answer.question.measure, ShareMeasure | ImpactRatioMeasure)
    return SIGN if counted and answer.question.one and few_on_a_side(answer.question.one.row) else ""


def _wanted(answer: Answer) -> str:
    measure = answer.question.measure
    if isinstance(measure, BaselineMeasure):
        return no_worse(measure)
    scores = isinstance(measure, ScoreMeasure | ImpactRatioMeasure)
    return wanted(answer.judged.limits, "score" if scores else "percent")


def _why(answer: Answer) -> str:
    question, more = answer.question, answer.more_images
    would = f"about {count(more, 'more image')} would probably decide it" if more is not None else ""
    if would and _on_limit(answer):
        would += ", unless the true number is the limit itself, which no number of images can decide"
    match answer.judged.reason:
        case Reason.NO_IMAGES:
            return "nothing to decide on"
        case Reason.NO_INTERVAL:
            return "it has no interval, so that nobody knows how sure it is"
        case Reason.NO_BASELINE:
            return question.no_other
        case Reason.MISSING:
            turn = f"{count(question.one.row.missing if question.one else 0, 'missing image')} could turn it"
            return f"{turn}; {would}, if no larger part of them goes missing" if would else turn
        case Reason.NEAR_LIMIT:
            chance = math.floor(100 * (answer.judged.chance or 0.0))
            where = "on its limit: even" if _on_limit(answer) else "so near its limit that even"
            return f"it lies {where} {NO_ADVICE} times as many images would decide it with a chance of only {chance} %"
    if would:
        return would
    if isinstance(question.measure, BaselineMeasure):
        return "more images of this study alone will hardly decide it"
    missing = question.one is not None and question.one.row.missing and not isinstance(question.measure, MissingMeasure)
    return (
        "too many images are missing for more to decide it"
        if missing
        else ("more images will hardly decide it: it lies too near the limit")
    )


def _on_limit(answer: Answer) -> bool:
    """Return whether a number lies exactly on a limit, up to half an image where it is a share.

    That no share is below 0 or above 1 is no limit, and few images lie on none: the next count is far away.
    """
    judged, one = answer.judged, answer.question.one
    if judged.value is None or one is None:
        return False
    if one.row.worth is None or isinstance(answer.question.measure, ImpactRatioMeasure):
        return judged.limits.holds_at(judged.value, 0.0)
    ends = (0.0, 1.0) if not isinstance(answer.question.measure, BaselineMeasure) else ()
    limits = [limit for limit in (judged.limits.least, judged.limits.most) if limit not in ends]
    within = min(0.5 / max(one.row.n, 1), _A_HAIR)
    return any(Limits(limit).holds_at(judged.value, within) for limit in limits)

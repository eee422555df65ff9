"""A check in plain words: a line for each answer, and what the intervals mean."""

from __future__ import annotations

import math

from portrayal.apps.check.checking import Answer, PolicyResult, ScenarioResult
from portrayal.apps.check.decisions.judging import NO_ADVICE, Reason
from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.outputs.numbers_text import between, no_worse, percent, plain, points, score, wanted
from portrayal.apps.check.policy.scenario import (
    BaselineMeasure,
    ImpactRatioMeasure,
    MissingMeasure,
    ScoreMeasure,
    ShareMeasure,
)
from portrayal.language.numbers import count
from portrayal.language.translation import digits, t
from portrayal.records import CROSS, JOINT, Measurement, attribute_table
from portrayal.reports.text.wide_intervals import SIGN, few_on_a_side
from portrayal.reports.text.words import aspect_title, human, join

__all__ = ["answer_lines", "answer_words", "remarks"]

_A_HAIR = 0.01
"""What lies so near a limit is said to lie on it, where images are few."""
ORDER = (Verdict.FAIL, Verdict.UNDECIDED, Verdict.PASS)


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
    who = question.model
    if name_annotator and question.annotator:
        who = t("{model}, seen by {annotator}", model=who, annotator=question.annotator)
    parts = [f"{who}: {_about(answer)}{_found(answer)}", t("wanted {limits}", limits=_wanted(answer))]
    if answer.judged.verdict is Verdict.UNDECIDED:
        parts.append(_why(answer))
    return plain("; ".join(parts))


def remarks(result: PolicyResult) -> list[str]:
    """Return what holds for all: what the intervals are, and which reviews are overdue."""
    rate = result.file.policy.policy.error_rate
    uncertain = sum(len(each.answers) for each in result.scenarios)
    lines = [result.not_over] if result.not_over else []
    if uncertain:
        other = "" if uncertain == 1 and rate == 0.05 else t(", unlike those of 95 % in the report")
        lines.append(
            t(
                "Each interval holds in {confidence} of cases{other}: {n|answer|answers} must be right together. At "
                "most {rate} of such checks have any wrong pass or fail by chance.",
                confidence=_confidence(result.confidence),
                other=other,
                n=uncertain,
                rate=percent(rate),
            )
        )
        perceived = [a.question for each in result.scenarios if each.scenario.missing is None for a in each.answers]
        who = join(sorted({question.annotator for question in perceived} - {""}))
        seen_by = f" ({who})" if who else ""
        if perceived:
            lines.append(
                t("Decided on what was perceived{by}: errors of the annotator are not allowed for.", by=seen_by)
            )
    if any(_interval(answer) and _sign(answer) for each in result.scenarios for answer in each.answers):
        few = t("Few images show the group, or few do not: this interval is wider than it need be.")
        lines.append(f"{SIGN} {few}")
    for each in result.scenarios:
        if each.overdue:
            owner = each.scenario.owner or result.file.policy.policy.owner
            asked = f" ({owner})" if owner else ""
            about = {"id": each.scenario.id, "asked": asked, "date": str(each.scenario.review)}
            lines.append(t("Review overdue since {date}: {id}{asked}.", **about))
    return [plain(line) for line in lines]


def _confidence(confidence: float) -> str:
    """Return a confidence in per cent with as many decimals as it takes to tell how far it lies from 100.

    >>> _confidence(0.95), _confidence(0.9875), _confidence(0.99996)
    ('95 %', '98.75 %', '99.996 %')
    """
    places = max(2 - math.floor(math.log10(100 * (1 - confidence))), 1)
    return digits(f"{100 * confidence:.{places}f}".rstrip("0").rstrip(".")) + " %"


def _about(answer: Answer) -> str:
    measure = answer.question.measure
    place = measure.item or t("all prompts")
    further = [part for part in (measure.language, measure.variant) if part]
    attribute, group = getattr(measure, "attribute", ""), answer.question.group or getattr(measure, "group", "")
    if isinstance(measure, MissingMeasure) and answer.question.one:
        attribute = attribute or answer.question.one.row.attribute
    perceived = _perceived(attribute) if attribute else ""
    group = human(group) if group else ""
    metric = getattr(measure, "metric", "")
    return ", ".join(filter(None, [place, *further, metric, " ".join(filter(None, [perceived, group]))])) + ": "


def _perceived(attribute: str) -> str:
    """Return the title of what is perceived, of several together those of each.

    >>> _perceived("age3"), _perceived("hair"), _perceived("gender+race")
    ('perceived age group', 'perceived hair', 'perceived gender × perceived race')
    """
    known = attribute_table()
    titles = [
        aspect_title(name, known) if name.rpartition(".")[2] in known else t("perceived {name}", name=human(name))
        for name in attribute.split(JOINT)
    ]
    return CROSS.join(titles)


def _found(answer: Answer) -> str:
    question, judged = answer.question, answer.judged
    measure, one = question.measure, question.one
    if one is None:
        return t("no usable image")
    row = one.row
    match measure:
        case MissingMeasure():
            said = t(
                "{missing} of {n|image|images} missing ({share})",
                missing=count(row.missing),
                n=one.numbers.asked_for(row),
                share=percent(one.missing_share),
            )
            return said + _interval(answer, "percent")
        case ImpactRatioMeasure():
            most = t("shown as often as any other group or more often, ratio 1")
            ratio = t("shown {ratio} times as often as the most shown group", ratio=score(judged.value or 0.0))
            return f"{most if judged.value == 1 else ratio}{_interval(answer)}"
        case BaselineMeasure():
            if question.other is None:
                return _number(row, measure.is_share)
            other = t("{number} in the baseline", number=_number(question.other.row, measure.is_share))
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
    if not whole:
        return t("{share} of {n|image|images}", share=percent(value), n=row.n)
    return t("{seen} of {n|image|images} ({share})", seen=count(round(seen)), n=row.n, share=percent(value))


def _difference(answer: Answer, is_share: bool) -> str:
    value = answer.judged.value or 0.0
    said = t("; difference {size}", size=points(value) if is_share else score(value))
    return said + _interval(answer, "points" if is_share else "")


def _interval(answer: Answer, text: str = "") -> str:
    low, high = answer.judged.low, answer.judged.high
    if low is None or high is None:
        return ""
    say = {"percent": percent, "points": points}.get(text, score)
    return t(", interval {bounds}", bounds=between(say(low), say(high))) + _sign(answer)


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
    would = t("about {n|more image|more images} would probably decide it", n=more) if more is not None else ""
    if would and _on_limit(answer):
        would += t(", unless the true number is the limit itself, which no number of images can decide")
    match answer.judged.reason:
        case Reason.NO_IMAGES:
            return t("nothing to decide on")
        case Reason.NO_INTERVAL:
            return t("it has no interval, so that nobody knows how sure it is")
        case Reason.NO_BASELINE:
            return question.no_other
        case Reason.MISSING:
            gone = question.one.row.missing if question.one else 0
            turn = t("{n|missing image|missing images} could turn it", n=gone)
            return f"{turn}; {t('{would}, if no larger part of them goes missing', would=would)}" if would else turn
        case Reason.NEAR_LIMIT:
            chance = {"n": NO_ADVICE, "chance": math.floor(100 * (answer.judged.chance or 0.0))}
            if _on_limit(answer):
                return t(
                    "it lies on its limit: even {n} times as many images would decide it with a chance of only "
                    "{chance} %",
                    **chance,
                )
            return t(
                "it lies so near its limit that even {n} times as many images would decide it with a chance of only "
                "{chance} %",
                **chance,
            )
    if would:
        return would
    if isinstance(question.measure, BaselineMeasure):
        return t("more images of this study alone will hardly decide it")
    missing = question.one is not None and question.one.row.missing and not isinstance(question.measure, MissingMeasure)
    if missing:
        return t("too many images are missing for more to decide it")
    return t("more images will hardly decide it: it lies too near the limit")


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

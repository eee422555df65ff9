"""A check in plain words: a line for each answer, and what the intervals mean."""

from __future__ import annotations

import math

from portrayal.apps.check.checking import Answer, PolicyResult, ScenarioResult
from portrayal.apps.check.decisions.judging import NO_ADVICE, Reason
from portrayal.apps.check.decisions.limits import Limits, Verdict
from portrayal.apps.check.outputs.found_words import found_words
from portrayal.apps.check.outputs.numbers_text import no_worse, plain, wanted
from portrayal.apps.check.policy.scenario import (
    BaselineMeasure,
    ImpactRatioMeasure,
    MissingMeasure,
    ScoreMeasure,
)
from portrayal.language.translation import t
from portrayal.records import CROSS, JOINT, attribute_table
from portrayal.reports.text.words import aspect_title, human

__all__ = ["answer_lines", "answer_words"]

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
    parts = [f"{who}: {_about(answer)}{found_words(answer)}", t("wanted {limits}", limits=_wanted(answer))]
    if answer.judged.verdict is Verdict.UNDECIDED:
        parts.append(_why(answer))
    return plain("; ".join(parts))


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


def _wanted(answer: Answer) -> str:
    measure = answer.question.measure
    if isinstance(measure, BaselineMeasure):
        return no_worse(measure)
    scores = isinstance(measure, ScoreMeasure | ImpactRatioMeasure)
    return wanted(answer.judged.limits, "score" if scores else "percent")


def _why(answer: Answer) -> str:
    question, more = answer.question, answer.more_images
    would = t("about {n|more image|more images} would probably decide it", n=more) if more is not None else ""
    if waiting := answer.waits_for:
        return t("{n|image is|images are} still to be drawn or looked at: finish the run first", n=waiting)
    if would and _on_limit(answer):
        would += t(", unless the true number is the limit itself, which no number of images can decide")
    match answer.judged.reason:
        case Reason.NO_IMAGES:
            return t("nothing to decide on; portrayal status says why images are missing")
        case Reason.NO_INTERVAL:
            return t("it has no interval, so that nobody knows how sure it is")
        case Reason.NO_BASELINE:
            return question.no_other
        case Reason.MISSING:
            gone = question.one.row.missing if question.one else 0
            turn = t("{n|missing image|missing images} could turn it", n=gone)
            return f"{turn}; {t('{would}, if no larger part of them goes missing', would=would)}" if would else turn
        case Reason.NEAR_LIMIT:
            about = {"n": NO_ADVICE, "chance": _chance(answer)}
            if _on_limit(answer):
                return t(
                    "it lies on its limit: even {n} times as many images would decide it with a chance of only "
                    "{chance} %",
                    **about,
                )
            return t(
                "it lies so near its limit that even {n} times as many images would decide it with a chance of only "
                "{chance} %",
                **about,
            )
    if would:
        return would
    if isinstance(question.measure, BaselineMeasure):
        return t(
            "even {n} times as many images of this study would decide it with a chance of only {chance} %: the "
            "baseline needs more images, too",
            n=NO_ADVICE,
            chance=_chance(answer),
        )
    missing = question.one is not None and question.one.row.missing and not isinstance(question.measure, MissingMeasure)
    if missing:
        return t("too many images are missing for more to decide it")
    return t("more images will hardly decide it: it lies too near the limit")


def _chance(answer: Answer) -> int:
    """Return with how many chances in a hundred as many images as are advised at most would decide."""
    return math.floor(100 * (answer.judged.chance or 0.0))


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

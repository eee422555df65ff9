"""What holds for all answers of a check: what the intervals are, and which reviews are overdue."""

from __future__ import annotations

import math

from portrayal.apps.check.checking import PolicyResult
from portrayal.apps.check.outputs.found_words import interval_words, wide_sign
from portrayal.apps.check.outputs.numbers_text import percent, plain
from portrayal.language.translation import digits, t
from portrayal.reports.text.wide_intervals import SIGN
from portrayal.reports.text.words import join

__all__ = ["remarks"]


def remarks(result: PolicyResult) -> list[str]:
    """Return what holds for all: what the intervals are, and which reviews are overdue."""
    uncertain = sum(len(each.answers) for each in result.scenarios)
    lines = [result.not_over] if result.not_over else []
    if uncertain:
        lines.append(_rates(result, uncertain))
        perceived = [a.question for each in result.scenarios if each.scenario.missing is None for a in each.answers]
        who = join(sorted({question.annotator for question in perceived} - {""}))
        seen_by = f" ({who})" if who else ""
        if perceived:
            lines.append(
                t("Decided on what was perceived{by}: errors of the annotator are not allowed for.", by=seen_by)
            )
    if any(interval_words(answer) and wide_sign(answer) for each in result.scenarios for answer in each.answers):
        few = t("Few images show the group, or few do not: this interval is wider than it need be.")
        lines.append(f"{SIGN} {few}")
    for each in result.scenarios:
        if each.overdue:
            owner = each.scenario.owner or result.file.policy.policy.owner
            asked = f" ({owner})" if owner else ""
            about = {"id": each.scenario.id, "asked": asked, "date": str(each.scenario.review)}
            lines.append(t("Review overdue since {date}: {id}{asked}.", **about))
    return [plain(line) for line in lines]


def _rates(result: PolicyResult, answers: int) -> str:
    """Return how often each interval holds, and how often any answer is wrong."""
    rate, confidence = result.file.policy.policy.error_rate, result.confidence
    looks = max((row.looks for row in result.numbers.rows), default=1) > 1
    other = ""
    if abs(confidence - 0.95) >= 1e-9:
        other = t(", unlike those in the report") if looks else t(", unlike those of 95 % in the report")
    together = [t("{n|answer|answers} must be right together", n=answers)] if answers > 1 else []
    together += [t("every look at an adaptive run has its part of the error rate")] if looks else []
    why = f": {join(together)}" if together else ""
    holds = t(
        "Each interval holds in {confidence} of cases{other}{why}.",
        confidence=_confidence(confidence),
        other=other,
        why=why,
    )
    if answers > 1:
        wrong = t("At most {rate} of such checks have any wrong pass or fail by chance.", rate=percent(rate))
    else:
        wrong = t("At most {rate} of such checks have a wrong pass or fail by chance.", rate=percent(rate))
    return f"{holds} {wrong}"


def _confidence(confidence: float) -> str:
    """Return a confidence in per cent with as many decimals as it takes to tell how far it lies from 100.

    >>> _confidence(0.95), _confidence(0.9875), _confidence(0.99996)
    ('95 %', '98.75 %', '99.996 %')
    """
    places = max(2 - math.floor(math.log10(100 * (1 - confidence))), 1)
    return digits(f"{100 * confidence:.{places}f}".rstrip("0").rstrip(".")) + " %"

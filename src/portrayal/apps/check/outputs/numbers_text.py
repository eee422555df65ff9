"""Numbers of a check as people read them, in the language that is spoken; a terminal gets plain spaces."""

from __future__ import annotations

import math
from typing import Literal

from portrayal.apps.check.decisions.limits import Limits
from portrayal.apps.check.policy.scenario import BaselineMeasure
from portrayal.language.translation import NBSP, digits, t

__all__ = ["between", "no_worse", "percent", "plain", "points", "score", "wanted"]


def plain(text: str) -> str:
    """Return a text with plain spaces, which a terminal and a file of somebody else's can search.

    >>> plain(t("{n|image|images}", n=1200))
    '1,200 images'
    """
    return text.replace(NBSP, " ")


def percent(share: float) -> str:
    """Return a share in per cent, with a decimal where there is one.

    >>> percent(0.5), percent(0.0314)
    ('50 %', '3.1 %')
    """
    return f"{_short(100 * share, 1)} %"


def points(difference: float) -> str:
    """Return a difference of shares in points.

    >>> points(-0.123)
    '-12.3 points'
    """
    return t("{points} points", points=_short(100 * difference, 1, "+"))


def score(number: float) -> str:
    """Return a score with three decimals at most.

    >>> score(0.25), score(-1 / 3)
    ('0.25', '-0.333')
    """
    return _short(number, 3)


def between(low: str, high: str) -> str:
    """Return both bounds; a unit that both have is said once.

    >>> between("3 %", "22 %")
    '3 to 22 %'
    """
    unit = high.partition(" ")[2]
    return t("{low} to {high}", low=low.removesuffix(f" {unit}") if unit else low, high=high)


def wanted(limits: Limits, text: Literal["percent", "score"] = "score") -> str:
    """Return what a number may be, in words; limits as they were written, since rounded they would be others.

    >>> wanted(Limits(0.3, 0.7), "percent"), wanted(Limits(most=0.2))
    ('30 to 70 %', 'at most 0.2')
    >>> wanted(Limits(0.0, 1.0), "percent"), wanted(Limits(0.4, 1.0), "percent")
    ('at most 100 %', 'at least 40 %')
    >>> wanted(Limits(0.0, 0.0003), "percent"), wanted(Limits(0.125, 0.375), "percent"), wanted(Limits(most=0.0004))
    ('at most 0.03 %', '12.5 to 37.5 %', 'at most 0.0004')
    """

    def say(limit: float) -> str:
        return f"{_as_written(100 * limit)} %" if text == "percent" else _as_written(limit)

    ends = (0.0, 1.0) if text == "percent" else (-math.inf, math.inf)
    if limits.least <= ends[0]:
        return t("at most {share}", share=say(limits.most))
    if limits.most >= ends[1]:
        return t("at least {share}", share=say(limits.least))
    return between(say(limits.least), say(limits.most))


def no_worse(measure: BaselineMeasure) -> str:
    """Return what a difference from the baseline may be, in words.

    >>> no_worse(BaselineMeasure(attribute="gender", group="female", worse="less", margin=0.1))
    'at most 10 points less than the baseline'
    >>> no_worse(BaselineMeasure(metric="index", worse="more", margin=0)), no_worse(
    ...     BaselineMeasure(metric="index", worse="different", margin=0.2))
    ('no more than the baseline', 'at most 0.2 from the baseline')
    """
    size = _as_written(measure.margin)
    if measure.is_share:
        size = t("{points} points", points=_as_written(100 * measure.margin))
    match measure.worse:
        case "different":
            return t("at most {size} from the baseline", size=size)
        case "less" if measure.margin:
            return t("at most {size} less than the baseline", size=size)
        case "less":
            return t("no less than the baseline")
        case _ if measure.margin:
            return t("at most {size} more than the baseline", size=size)
    return t("no more than the baseline")


def _as_written(number: float) -> str:
    return digits(f"{number:.10g}")


def _short(number: float, places: int, sign: str = "") -> str:
    text = f"{number:{sign},.{places}f}".rstrip("0").rstrip(".")
    return "0" if text.strip("+-") in ("", "0") else digits(text)

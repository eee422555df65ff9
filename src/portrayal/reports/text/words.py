"""Names and scores as a reader wants them, beside the numbers that :mod:`portrayal.language` writes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from portrayal.language.numbers import DASH, MINUS, count, decimal, percent, percent_range, percents, signed
from portrayal.language.translation import NBSP, digits, spoken, t, word
from portrayal.records import CROSS, Attribute, attribute_table, reason_parts, reason_text

__all__ = [
    "ARROW",
    "DASH",
    "MINUS",
    "NBSP",
    "SCORE_DIGITS",
    "aspect_title",
    "attribute_title",
    "capital",
    "count",
    "decimal",
    "human",
    "images",
    "join",
    "known",
    "p_value",
    "page_digits",
    "percent",
    "percent_range",
    "percents",
    "plural",
    "points",
    "running",
    "score",
    "score_digits",
    "signed",
    "span",
    "titled",
    "up_to",
]

ARROW = " \N{RIGHTWARDS ARROW} "
"""From a value to the same corrected for few images."""
PERCEIVED = "perceived "
SCORE_DIGITS = 3
"""Decimals of a score in charts."""
_TINY = 0.001
_HALF_A_POINT = 0.005


def known(value: float | None) -> float | None:
    """Return ``value``, or None where it is no number that could be drawn."""
    return value if value is not None and math.isfinite(value) else None


def human(name: str) -> str:
    """Return a group, or a reason with its detail, as words.

    >>> human("middle_aged"), human("refused: content_policy")
    ('middle aged', 'refused: content policy')
    """
    if CROSS in name:
        return CROSS.join(human(group) for group in name.split(CROSS))
    code, detail = reason_parts(name)
    return reason_text(word(code.replace("_", " ")), human(detail) if detail else "")


def attribute_title(attribute: Attribute) -> str:
    """Return the words for an attribute, as they stand within a sentence."""
    return CROSS.join(titled(title) for title in attribute.title.split(CROSS))


def aspect_title(name: str, attributes: Mapping[str, Attribute]) -> str:
    """Return the words for an attribute, or for that of one of two people.

    >>> aspect_title("left.gender", {})
    'perceived gender of the person at left'
    """
    side, _, plain = name.rpartition(".")
    attribute = attributes.get(plain) or attribute_table().get(plain)
    title = attribute_title(attribute) if attribute else human(plain)
    if not side:
        return title
    at_left = t("{title} of the person at left", title=title)
    return at_left if side == "left" else t("{title} of the person at right", title=title)


def titled(title: str) -> str:
    """Return the words of a title that came with the data; one of a user's own keeps its name."""
    known = word(title)
    if spoken() == "en" or known != title or not title.startswith(PERCEIVED):
        return known
    return t("{name} (perceived)", name=title.removeprefix(PERCEIVED))


def running(text: str) -> str:
    """Return a title as it stands within a sentence; only English lowers its nouns."""
    return text.lower() if spoken() == "en" else text


def capital(text: str) -> str:
    """Return ``text`` with its first letter raised and the others left alone."""
    return text[:1].upper() + text[1:]


def plural(number: int, one: str, many: str = "") -> str:
    """Return a count and its noun.

    >>> plural(1, "prompt").replace(NBSP, " ")
    '1 prompt'
    """
    return t(f"{{n|{one}|{many or one + 's'}}}", n=number)


def images(number: int) -> str:
    """Return a number of images in words."""
    return plural(number, "image")


def join(parts: Sequence[str]) -> str:
    """Return ``parts`` as an enumeration in a sentence."""
    if len(parts) < 2:
        return "".join(parts)
    return t("{several} and {last}", several=", ".join(parts[:-1]), last=parts[-1])


def score_digits(low: float | None, high: float | None) -> int:
    """Return how many decimals of a score its interval lets stand: two of the interval's own, from 2 to 6.

    >>> score_digits(0.86, 0.88), score_digits(0.8711, 0.8713)
    (3, 5)
    """
    width = (known(high) or 0.0) - (known(low) or 0.0)
    if known(low) is None or known(high) is None or width <= 0:
        return 3
    return min(max(math.ceil(-math.log10(width)) + 1, 2), 6)


def page_digits(low: float | None, high: float | None) -> int:
    """Return how many decimals of a score a page prints: never fewer than its charts, so that a score has one form.

    >>> page_digits(0.80, 0.93), page_digits(0.8711, 0.8713)
    (3, 5)
    """
    return max(score_digits(low, high), SCORE_DIGITS)


def score(value: float, low: float | None, high: float | None, corrected: float | None = None, sign: str = "") -> str:
    """Return a score with its interval and its sign in brackets, where there is one, after what this is around.

    >>> score(0.8712, 0.86, 0.88), score(0.85, 0.86, 0.88, 0.87)
    ('0.871 (0.860–0.880)', '0.850 → 0.870 (0.860–0.880)')
    """
    places = page_digits(low, high)
    told = decimal(value, places) if known(corrected) is None else arrow(value, corrected, places)
    if low is None or high is None or known(low) is None or known(high) is None:
        return told
    return f"{told} ({span(decimal(low, places), decimal(high, places))}{sign})"


def arrow(value: float, corrected: float | None, places: int) -> str:
    """Return a value and, where it is another, the estimate that is corrected for few images.

    >>> arrow(0.93, 0.946, 3), arrow(0.93, 0.9301, 3)
    ('0.930 → 0.946', '0.930')
    """
    texts = [decimal(number, places) for number in (value, corrected) if number is not None]
    return ARROW.join(dict.fromkeys(texts))


def points(difference: float) -> str:
    """Return a difference of shares in percentage points.

    >>> [points(share).replace(NBSP, " ") for share in (0.124, -0.01)]
    ['+12 points', '−1 point']
    """
    text = signed(100 * difference)
    return f"{text}{NBSP}{t('point') if text[1:] == '1' else t('points')}"


def p_value(p: float) -> str:
    """Return a p-value; one that would round to nought says below what it is.

    >>> p_value(0.0312), p_value(4e-9)
    ('0.031', 'below 0.001')
    """
    return t("below {p}", p=digits("0.001")) if p < _TINY else decimal(p, 3)


def up_to(share: float) -> str:
    """Return how large a share may be at most, as part of a sentence.

    >>> [up_to(share).replace(NBSP, " ") for share in (0.061, 0.004, 0.999)]
    ['up to 6 %', 'less than 1 %', 'up to 100 %']
    """
    if 0 < share < _HALF_A_POINT:
        return t("less than {share}", share=percent(0.01))
    return t("up to {share}", share=percent(1.0 if share > 1 - _HALF_A_POINT else share))


def span(low: str, high: str) -> str:
    """Return an interval of two texts; a dash beside a minus sign would be misread."""
    both = low + high
    return t("{low} to {high}", low=low, high=high) if MINUS in both or "+" in both else f"{low}{DASH}{high}"

"""Numbers and names as a reader wants them: rounded to what the data can carry, never a bare float."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = [
    "capital",
    "count",
    "decimal",
    "human",
    "images",
    "join",
    "known",
    "outside",
    "percent",
    "percent_range",
    "plural",
    "points",
    "score",
    "score_digits",
    "signed",
    "span",
]

NBSP = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
FINE_N = 1000
"""From this many images on, a tenth of a percent is smaller than the interval and may be printed."""


def known(value: float | None) -> float | None:
    """Return ``value``, or None where it is no number that could be drawn."""
    return value if value is not None and math.isfinite(value) else None


def human(name: str) -> str:
    """Return a group or reason as words.

    >>> human("middle_aged")
    'middle aged'
    """
    return name.replace("_", " ")


def capital(text: str) -> str:
    """Return ``text`` with its first letter raised and the others left alone."""
    return text[:1].upper() + text[1:]


def count(number: int) -> str:
    """Return a whole number with thousands separated."""
    return f"{number:,}"


def plural(number: int, one: str, many: str = "") -> str:
    """Return a count and its noun.

    >>> plural(1, "prompt").replace(NBSP, " ")
    '1 prompt'
    """
    return f"{count(number)}{NBSP}{one if number == 1 else many or one + 's'}"


def images(number: int) -> str:
    """Return a number of images in words."""
    return plural(number, "image")


def join(parts: Sequence[str], last: str = "and") -> str:
    """Return ``parts`` as an enumeration in a sentence."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def _share_digits(share: float, n: int) -> str:
    """Return a share's digits; a share that is neither none nor all never reads as 0 or 100."""
    digits = 1 if n >= FINE_N else 0
    step = 10.0**-digits
    text = f"{100 * share:.{digits}f}"
    # Asked of the text, not of the share: how a half is rounded is the formatting's business.
    if share > 0 and float(text) == 0:
        return f"<{step:g}"
    if share < 1 and float(text) == 100:
        return f">{100 - step:g}"
    return text


def percent(share: float, n: int = 0) -> str:
    """Return a share as a percentage.

    >>> percent(0.314).replace(NBSP, " "), percent(0.001).replace(NBSP, " ")
    ('31 %', '<1 %')
    """
    return f"{_share_digits(share, n)}{NBSP}%"


def percent_range(low: float, high: float, n: int = 0) -> str:
    """Return an interval of shares.

    >>> percent_range(0.24, 0.39).replace(NBSP, " ")
    '24–39 %'
    """
    digits = 1 if n >= FINE_N else 0
    return f"{100 * low:.{digits}f}{DASH}{100 * high:.{digits}f}{NBSP}%"


def decimal(value: float, digits: int = 2) -> str:
    """Return a number with a true minus sign."""
    text = f"{abs(value):,.{digits}f}"
    return f"{MINUS}{text}" if value < 0 and float(text.replace(",", "")) else text


def score_digits(low: float | None, high: float | None) -> int:
    """Return how many decimals of a score its interval lets stand: two of the interval's own, from 2 to 6.

    >>> score_digits(0.86, 0.88), score_digits(0.8711, 0.8713)
    (3, 5)
    """
    width = (known(high) or 0.0) - (known(low) or 0.0)
    if known(low) is None or known(high) is None or width <= 0:
        return 3
    return min(max(math.ceil(-math.log10(width)) + 1, 2), 6)


def outside(value: float | None, low: float | None, high: float | None) -> bool:
    """Return whether an interval does not hold its own value, as one may that corrects for too few images."""
    value, low, high = known(value), known(low), known(high)
    return value is not None and low is not None and high is not None and not low <= value <= high


def score(value: float, low: float | None, high: float | None) -> str:
    """Return a score with its interval in brackets, where there is one.

    >>> score(0.8712, 0.86, 0.88)
    '0.871 (0.860–0.880)'
    """
    digits = score_digits(low, high)
    if low is None or high is None or known(low) is None or known(high) is None:
        return decimal(value, digits)
    return f"{decimal(value, digits)} ({span(decimal(low, digits), decimal(high, digits))})"


def signed(value: float, digits: int = 0) -> str:
    """Return a number that always shows its sign."""
    text = decimal(value, digits)
    return text if text.startswith(MINUS) or not float(text.replace(",", "")) else f"+{text}"


def points(difference: float) -> str:
    """Return a difference of shares in percentage points."""
    return f"{signed(100 * difference)}{NBSP}points"


def span(low: str, high: str) -> str:
    """Return an interval of two texts; a dash beside a minus sign would be misread."""
    return f"{low} to {high}" if MINUS in low + high or "+" in low + high else f"{low}{DASH}{high}"

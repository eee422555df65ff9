"""Numbers as the language that is spoken writes them: rounded to what the data can carry, never a bare float."""

from __future__ import annotations

import math

from portrayal.language.translation import NBSP, digits

__all__ = [
    "DASH",
    "FINE_N",
    "MINUS",
    "count",
    "decimal",
    "percent",
    "percent_as_written",
    "percent_range",
    "percents",
    "rounded_up",
    "signed",
]

DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
FINE_N = 1000
"""From this many images on, a tenth of a percent is smaller than the interval and may be printed."""


def count(number: int) -> str:
    """Return a whole number with thousands separated."""
    return digits(f"{number:,}")


def rounded_up(number: float) -> int:
    """Return a number that is reckoned from assumptions, such as images still needed: rounded up to two digits.

    >>> rounded_up(123.4), rounded_up(8.2)
    (130, 9)
    """
    step: int = 10 ** max(len(str(math.ceil(number))) - 2, 0)
    return math.ceil(number / step) * step


def _share_digits(share: float, n: int, more: int = 0) -> str:
    """Return a share's digits; a share that is neither none nor all never reads as 0 or 100."""
    places = (1 if n >= FINE_N else 0) + more
    step = 10.0**-places
    text = f"{100 * share:.{places}f}"
    # Asked of the text, not of the share: how a half is rounded is the formatting's business.
    if share > 0 and float(text) == 0:
        return f"<{digits(f'{step:g}')}"
    if share < 1 and float(text) == 100:
        return f">{digits(f'{100 - step:g}')}"
    return digits(text)


def percent(share: float, n: int = 0) -> str:
    """Return a share as a percentage.

    >>> percent(0.314).replace(NBSP, " "), percent(0.001).replace(NBSP, " ")
    ('31 %', '<1 %')
    """
    return f"{_share_digits(share, n)}{NBSP}%"


def percent_as_written(share: float) -> str:
    """Return a share that somebody wrote down, such as a limit, as a percentage that is not rounded.

    >>> percent_as_written(0.3).replace(NBSP, " "), percent_as_written(0.125).replace(NBSP, " ")
    ('30 %', '12.5 %')
    """
    return f"{digits(f'{100 * share:.10g}')}{NBSP}%"


def percents(one: float, other: float, n: int = 0) -> tuple[str, str]:
    """Return two shares as percentages, with as many digits as it takes for different ones to read differently.

    >>> [text.replace(NBSP, " ") for text in percents(0.0124, 0.0093)]
    ['1.2 %', '0.9 %']
    """
    for more in range(4):
        texts = [_share_digits(share, n, more) for share in (one, other)]
        if texts[0] != texts[1] or abs(one - other) < 1e-9:
            break
    return f"{texts[0]}{NBSP}%", f"{texts[1]}{NBSP}%"


def percent_range(low: float, high: float, n: int = 0) -> str:
    """Return an interval of shares, whose ends read differently.

    >>> percent_range(0.24, 0.39).replace(NBSP, " "), percent_range(0.2161, 0.2234).replace(NBSP, " ")
    ('24–39 %', '21.6–22.3 %')
    """
    places = 1 if n >= FINE_N else 0
    ends = [f"{100 * end:.{places}f}" for end in (low, high)]
    while ends[0] == ends[1] and high - low > 1e-9 and places < 4:
        places += 1
        ends = [f"{100 * end:.{places}f}" for end in (low, high)]
    return f"{digits(ends[0])}{DASH}{digits(ends[1])}{NBSP}%"


def decimal(value: float, places: int = 2) -> str:
    """Return a number with a true minus sign."""
    text = f"{abs(value):,.{places}f}"
    return f"{MINUS}{digits(text)}" if value < 0 and _counts(text) else digits(text)


def _counts(text: str) -> bool:
    """Return whether any digit of a number is not nought."""
    return any(letter in "123456789" for letter in text)


def signed(value: float, places: int = 0) -> str:
    """Return a number that always shows its sign."""
    text = decimal(value, places)
    return text if text.startswith(MINUS) or not _counts(text) else f"+{text}"

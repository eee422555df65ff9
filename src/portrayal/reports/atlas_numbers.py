"""Numbers of the atlas as text: enough digits that an interval is one, and a margin never reads as nothing."""

from __future__ import annotations

import math

from portrayal.reports.words import decimal, score_digits, signed, span

__all__ = ["margin", "value_with_interval"]

DIGITS = 3
_MOST_DIGITS = 6


def value_with_interval(
    value: float, low: float | None, high: float | None, *, sign: bool = False, digits: int = DIGITS
) -> str:
    """Return a number with its interval in brackets; one whose ends are the same is none, and is left out.

    >>> value_with_interval(0.5, 0.4, 0.6), value_with_interval(22.0, 22.0, 22.0), value_with_interval(0.5, None, None)
    ('0.500 (0.400–0.600)', '22.000', '0.500')
    """
    write = signed if sign else decimal
    places = digits if low is None or high is None else max(digits, score_digits(low, high) if high > low else 0)
    text = write(value, places)
    if low is None or high is None:
        return text
    ends = write(low, places), write(high, places)
    return text if ends[0] == ends[1] else f"{text} ({span(*ends)})"


def margin(value: float) -> str:
    """Return a size rounded up, with two digits that count.

    >>> margin(0.0312), margin(0.00031), margin(4.21), margin(0.0)
    ('0.032', '0.00031', '4.3', '0')
    """
    if value <= 0:
        return decimal(0, 0)
    places = min(max(1 - math.floor(math.log10(value)), 0), _MOST_DIGITS)
    step = 10.0**places
    return decimal(math.ceil(value * step - 1e-9) / step, places)

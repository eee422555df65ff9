"""A clock for how long something lasts: it begins at the time of day and never jumps when that is set anew."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["steady_clock"]


def steady_clock() -> Callable[[], float]:
    """Return a clock that shows the time of day at this moment, in seconds since 1970, and from then on only runs.

    So what one server wrote down can be compared with what the next one reads. What is kept as a date is the time of
    day itself: this clock stands still while the machine sleeps.
    """
    offset = time.time() - time.monotonic()
    return lambda: offset + time.monotonic()

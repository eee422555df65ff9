"""Limits the rate of requests to a service: how fast, and when again, all threads together may ask."""

from __future__ import annotations

import email.utils
import random
import threading
import time
from collections.abc import Mapping

__all__ = ["RateLimiter", "retry_after", "spread"]

_LONGEST_GAP = 15.0
"""Seconds: a service that does not say how long to wait is asked four times a minute at least."""

_SLOWER, _FASTER = 1.5, 0.9


class RateLimiter:
    """Lets callers through one by one, ``spacing`` seconds apart, and none during a pause.

    A service that limits its rate does not say what the limit is. So each time it says "too fast" the gap between two
    callers grows by half, from ``first`` seconds on, and each answer shortens it a little.
    """

    def __init__(self, spacing: float, first: float) -> None:
        self.spacing, self.first = spacing, first
        self._gap = spacing
        self._free_at = self._slowed = 0.0
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type[RateLimiter], tuple[float, float]]:
        # A lock does not travel; in another process the limiter is a new one.
        return RateLimiter, (self.spacing, self.first)

    def wait(self) -> float:
        """Return when it is the caller's turn, and what time it is then."""
        while True:
            with self._lock:
                now = time.monotonic()
                left = self._free_at - now
                if left <= 0:
                    self._free_at = now + self._gap
                    return now
            time.sleep(spread(left))

    def pause(self, seconds: float) -> None:
        """Let nobody through for so long."""
        with self._lock:
            self._pause(seconds)

    def slow_down(self, since: float, after: float | None) -> None:
        """Heed that a caller who came through at ``since`` was told to come back ``after`` so many seconds, if told."""
        with self._lock:
            if since >= self._slowed:  # who was under way at the last time says nothing new
                self._slowed = time.monotonic()
                told = _LONGEST_GAP if after is None else self._gap + after
                self._gap = max(self._gap, min(_LONGEST_GAP, _SLOWER * told, max(self.first, _SLOWER * self._gap)))
            self._pause(self._gap if after is None else after)

    def speed_up(self) -> None:
        """Heed that the service took a request."""
        with self._lock:
            shorter = self._gap * _FASTER
            self._gap = max(self.spacing, shorter if shorter > self.first / 10 else 0.0)

    def _pause(self, seconds: float) -> None:
        self._free_at = max(self._free_at, time.monotonic() + seconds)


def spread(seconds: float) -> float:
    """Return somewhat more than ``seconds``, so that those who wait together do not come back at the same moment."""
    return seconds + random.uniform(0, min(1.0, seconds / 10))  # noqa: S311


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds an answer asks to wait: in milliseconds, in seconds or as a date.

    >>> retry_after({"retry-after-ms": "250"}), retry_after({"retry-after": "3"}), retry_after({"retry-after": "soon"})
    (0.25, 3.0, None)
    """
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            return max(0.0, float(headers[name]) / unit)
        except (KeyError, ValueError):
            continue
    try:
        date = email.utils.parsedate_to_datetime(headers["retry-after"])
        return max(0.0, date.timestamp() - time.time())
    except (KeyError, ValueError, TypeError, OverflowError):
        return None

"""What the tests of this room share: a clock that only waiting moves."""

from __future__ import annotations

import threading

import pytest

from portrayal.services import rate_limiter


class Clock:
    """Stands for the module ``time``: it shows the same until somebody sleeps, and then so much more."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._now = 1_000_000.0
        self._lock = threading.Lock()

    def monotonic(self) -> float:
        with self._lock:
            return self._now

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.slept.append(seconds)
            self._now += seconds

    time = monotonic


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Let callers wait for their turn by a clock that takes no time."""
    found = Clock()
    monkeypatch.setattr(rate_limiter, "time", found)
    return found

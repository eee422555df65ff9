from __future__ import annotations

from types import SimpleNamespace

import pytest

from portrayal.web import steady_clock as module
from portrayal.web.steady_clock import steady_clock


def test_it_begins_at_the_time_of_day_and_does_not_jump_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    day, running = [5_000.0], [70.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: day[0], monotonic=lambda: running[0]))
    clock = steady_clock()
    assert clock() == 5_000.0
    day[0], running[0] = 12_200.0, 75.0
    assert clock() == 5_005.0
    day[0] = 10.0
    assert clock() == 5_005.0

from __future__ import annotations

import itertools
import pickle
import threading
import time
from email.utils import formatdate

import pytest

from portrayal.services.rate_limiter import RateLimiter, retry_after


def passed(limiter: RateLimiter, threads: int) -> list[float]:
    """Return when each of several threads got through, in seconds from now."""
    start, times = time.monotonic(), list[float]()

    def go() -> None:
        limiter.wait()
        times.append(time.monotonic() - start)

    runners = [threading.Thread(target=go) for _ in range(threads)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    return sorted(times)


def test_an_open_gate_holds_nobody_up() -> None:
    assert passed(RateLimiter(0, 1), 20)[-1] < 0.5


def test_callers_come_through_one_by_one() -> None:
    times = passed(RateLimiter(0.05, 1), 5)
    assert all(later - earlier > 0.045 for earlier, later in itertools.pairwise(times))


def test_a_closed_gate_holds_all_threads() -> None:
    limiter = RateLimiter(0, 1)
    limiter.pause(0.2)
    limiter.pause(0.05)
    assert passed(limiter, 5)[0] >= 0.2


def test_a_gate_travels_to_another_process() -> None:
    copy = pickle.loads(pickle.dumps(RateLimiter(0.25, 0.5)))
    assert (copy.spacing, copy.first) == (0.25, 0.5)


def test_too_fast_makes_the_gap_longer_and_answers_shorten_it() -> None:
    limiter = RateLimiter(0, 0.04)
    together = [limiter.wait() for _ in range(3)]
    for since in together:  # one burst, one lesson
        limiter.slow_down(since, None)
    gaps = [later - earlier for earlier, later in itertools.pairwise(passed(limiter, 4))]
    assert all(0.035 < gap < 0.2 for gap in gaps)
    limiter.slow_down(limiter.wait(), None)
    assert min(b - a for a, b in itertools.pairwise(passed(limiter, 3))) > 0.055
    for _ in range(30):
        limiter.speed_up()
    limiter.wait()
    assert passed(limiter, 20)[-1] < 0.2


def test_a_service_that_names_a_time_is_not_given_a_longer_gap() -> None:
    limiter = RateLimiter(0, 10)
    limiter.slow_down(limiter.wait(), 0.02)
    times = passed(limiter, 3)
    assert times[0] >= 0.015
    assert times[-1] < 0.5


def test_an_upper_limit_of_ones_own_stays() -> None:
    limiter = RateLimiter(0.05, 0.01)
    limiter.slow_down(limiter.wait(), 0.0)
    limiter.speed_up()
    assert min(b - a for a, b in itertools.pairwise(passed(limiter, 3))) > 0.045


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "-1"}, 0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": ""}, None),
        ({"retry-after-ms": "20", "retry-after": "7"}, 0.02),
        ({"retry-after-ms": "x", "retry-after": "7"}, 7),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_to_wait_for() -> None:
    found = retry_after({"retry-after": formatdate(time.time() + 30, usegmt=True)})
    assert found == pytest.approx(30, abs=2)
    assert retry_after({"retry-after": formatdate(0, usegmt=True)}) == 0

from __future__ import annotations

import itertools
import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from typing import TYPE_CHECKING, Any

import pytest

from portrayal.services.rate_limiter import RateLimiter, retry_after

if TYPE_CHECKING:
    from tests.services.conftest import Clock


def about(seconds: float) -> Any:
    """Return so much and up to a tenth more: those who wait do not come back together."""
    return pytest.approx(1.05 * seconds, rel=0.05)


def gaps(limiter: RateLimiter, callers: int) -> list[float]:
    """Return how long each caller but the first came through after the one before."""
    return [later - earlier for earlier, later in itertools.pairwise(limiter.wait() for _ in range(callers))]


def test_an_open_gate_holds_nobody_up(clock: Clock) -> None:
    assert gaps(RateLimiter(0, 1), 20) == [0.0] * 19
    assert clock.slept == []


def test_threads_come_through_one_by_one() -> None:
    limiter = RateLimiter(0.05, 1)
    with ThreadPoolExecutor(5) as pool:
        times = sorted(pool.map(lambda _: limiter.wait(), range(5)))
    assert all(later - earlier > 0.0499 for earlier, later in itertools.pairwise(times))


def test_a_closed_gate_holds_all_threads() -> None:
    limiter, start = RateLimiter(0, 1), time.monotonic()
    limiter.pause(0.2)
    limiter.pause(0.05)
    with ThreadPoolExecutor(5) as pool:
        assert min(pool.map(lambda _: limiter.wait(), range(5))) - start >= 0.2


def test_a_gate_travels_to_another_process() -> None:
    copy = pickle.loads(pickle.dumps(RateLimiter(0.25, 0.5)))
    assert (copy.spacing, copy.first) == (0.25, 0.5)


def test_too_fast_makes_the_gap_longer_and_answers_shorten_it(clock: Clock) -> None:
    limiter = RateLimiter(0, 4)
    together = [limiter.wait() for _ in range(3)]
    clock.sleep(0.1)  # until the first answer comes
    limiter.slow_down(together[0], None)
    assert gaps(limiter, 4) == [about(4)] * 3
    for since in together[1:]:  # one burst, one lesson
        limiter.slow_down(since, None)
    assert gaps(limiter, 4) == [about(4)] * 3
    limiter.slow_down(limiter.wait(), None)
    assert gaps(limiter, 3) == [about(6)] * 2
    for _ in range(30):
        limiter.speed_up()
    limiter.wait()
    assert gaps(limiter, 20) == [0.0] * 19


def test_a_service_that_names_a_time_is_not_given_a_longer_gap(clock: Clock) -> None:
    limiter = RateLimiter(0, 10)
    start = limiter.wait()
    limiter.slow_down(start, 2.0)
    assert limiter.wait() - start == about(2)
    assert gaps(limiter, 3) == [about(3)] * 2


@pytest.mark.usefixtures("clock")
def test_an_upper_limit_of_ones_own_stays() -> None:
    limiter = RateLimiter(5, 1)
    limiter.slow_down(limiter.wait(), 0.0)
    limiter.speed_up()
    assert min(gaps(limiter, 3)) > 4.99


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


def test_a_date_to_wait_for(clock: Clock) -> None:
    assert retry_after({"retry-after": formatdate(clock.time() + 30, usegmt=True)}) == 30
    assert retry_after({"retry-after": formatdate(0, usegmt=True)}) == 0

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from portrayal.engines import ThreadEngine, concurrency
from portrayal.services.account import Account, UnlimitedAccount


class Local:
    """A part of this machine."""


class Service:
    """Free of charge, several at a time."""

    parallel = 4


class Shop:
    """Its calls cost money."""

    name = "shop@1"

    def __init__(self, parallel: int | None = None) -> None:
        self.account: Account = UnlimitedAccount()
        self.parallel = parallel

    def price(self, text: str) -> float:
        return 0.5 * len(text)


@pytest.mark.parametrize(
    ("part", "threads"),
    [
        (Local(), 0),
        (Service(), 4),
        (Shop(parallel=3), 3),
        (Shop(parallel=0), 1),
        (Shop(), 1),  # a plugin that says nothing of threads is asked for one image after the other
    ],
)
def test_concurrency(part: object, threads: int) -> None:
    assert concurrency(part) == threads


def flat(results: Iterator[list[int]]) -> list[int]:
    return [result for ready in results for result in ready]


def built(work: Callable[[int], int]) -> Callable[[], Callable[[int], int]]:
    return lambda: work


@pytest.mark.parametrize("workers", [1, 3, 50])
def test_every_batch_has_one_result(workers: int) -> None:
    assert sorted(flat(ThreadEngine(workers).map(built(lambda n: n * n), range(20)))) == [n * n for n in range(20)]


def test_results_come_as_they_are_ready() -> None:
    first_may_end = threading.Event()

    def work(number: int) -> int:
        if number == 0:
            first_may_end.wait()
        return number

    results = ThreadEngine(2).map(built(work), range(4))
    assert next(results) == [1]
    first_may_end.set()
    assert sorted(flat(results)) == [0, 2, 3]


def test_never_more_at_a_time_than_workers() -> None:
    inside, most, lock, three = 0, 0, threading.Lock(), threading.Barrier(3)

    def work(number: int) -> int:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        three.wait()
        with lock:
            inside -= 1
        return number

    assert len(flat(ThreadEngine(3).map(built(work), range(12)))) == 12
    assert most == 3


def test_after_an_error_what_is_under_way_is_still_given_and_nothing_more_is_begun(
    problem_told: threading.Event,
) -> None:
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        if number == 1:
            raise ValueError("broke")
        problem_told.wait()
        return number

    got: list[int] = []
    results = ThreadEngine(3).map(built(work), range(100))
    with pytest.raises(ValueError, match="broke"):
        got.extend(result for ready in results for result in ready)
    assert sorted(got) == [0, 2]
    assert sorted(begun) == [0, 1, 2]


def test_closing_early_ends_the_threads() -> None:
    before = threading.active_count()
    results = ThreadEngine(4).map(built(lambda n: n), range(100))
    next(results)
    results.close()
    while threading.active_count() > before:
        time.sleep(0.01)

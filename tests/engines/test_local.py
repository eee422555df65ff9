from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest
from tests.samples.deadly import POISON, doubler

from portrayal.engines import LocalEngine, cpu_count
from portrayal.errors import PortrayalError

# Workers are spawned and import what they run by name, so the work is put together from builtins:
# called without arguments, it builds a function of one batch.
POWERS_OF_TWO = partial(partial, pow, 2)
EVALUATE = partial(partial, eval)
DIE = "__import__('os')._exit(9)"
PROCESS = "__import__('os').getpid()"
SLOW_FIRST = [*(f"__import__('time').sleep({wait}) or {wait}" for wait in (0.3, 0.0, 0.1, 0.0))]
BUILD_FAILS = partial(eval, "1 / 0")


def watched(batches: list[str], taken: list[str]) -> Iterator[str]:
    for batch in batches:
        taken.append(batch)
        yield batch


def children() -> set[int | None]:
    return {child.pid for child in multiprocessing.active_children()}


def test_one_worker_and_two_give_identical_results_in_order() -> None:
    batches = list(range(40))
    assert list(LocalEngine(1).map(POWERS_OF_TWO, batches)) == [2**batch for batch in batches]
    assert list(LocalEngine(2).map(POWERS_OF_TWO, batches)) == [2**batch for batch in batches]


def test_order_is_kept_when_the_first_batch_takes_longest() -> None:
    assert list(LocalEngine(2).map(EVALUATE, SLOW_FIRST)) == [0.3, 0.0, 0.1, 0.0]


@pytest.mark.parametrize("workers", [1, 2])
def test_no_batches_give_no_results(workers: int) -> None:
    assert list(LocalEngine(workers).map(POWERS_OF_TWO, [])) == []


def test_the_worker_is_built_once_in_this_process_when_there_is_one() -> None:
    assert set(LocalEngine(1).map(EVALUATE, [PROCESS] * 3)) == {os.getpid()}
    assert list(LocalEngine(0).map(EVALUATE, [PROCESS])) == [os.getpid()]


def test_work_runs_elsewhere_when_there_are_several() -> None:
    pids = set(LocalEngine(2).map(EVALUATE, [PROCESS] * 8))
    assert os.getpid() not in pids
    assert len(pids) <= 2


@pytest.mark.parametrize(("workers", "ahead"), [(1, 1), (2, 4)])
def test_few_batches_are_taken_before_a_result_is_given(workers: int, ahead: int) -> None:
    taken: list[str] = []
    results = LocalEngine(workers).map(EVALUATE, watched(["1"] * 20, taken))
    assert taken == []
    for given in range(1, 21):
        next(results)
        assert len(taken) == min(20, given - 1 + ahead)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_in_the_work_comes_through_after_the_results_before_it(workers: int) -> None:
    results = LocalEngine(workers).map(EVALUATE, ["1", "2", "1 / 0", "4"])
    assert [next(results), next(results)] == [1, 2]
    with pytest.raises(ZeroDivisionError):
        next(results)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_in_the_batches_comes_through(workers: int) -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        list(LocalEngine(workers).map(POWERS_OF_TWO, broken()))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_that_cannot_be_built_says_why(workers: int, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError):
        list(LocalEngine(workers).map(BUILD_FAILS, [1, 2]))
    assert capfd.readouterr() == ("", "")


def test_what_a_worker_cannot_import_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    module = ModuleType("only_here")
    exec("def build(): return len", vars(module))
    monkeypatch.setitem(sys.modules, "only_here", module)
    with pytest.raises(PortrayalError) as caught:
        list(LocalEngine(2).map(vars(module)["build"], [[1], [2]]))
    assert str(caught.value) == (
        "a worker process cannot import what it is to run (No module named 'only_here'); put it into a module that can "
        "be imported, or write workers = 1"
    )
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_workers_that_die_of_a_batch_every_time_are_one_line() -> None:
    before = children()
    with pytest.raises(PortrayalError) as caught:
        list(LocalEngine(2).map(EVALUATE, ["1", DIE, "3"] * 4))
    assert str(caught.value) == (
        "worker processes die again and again (a worker process ended with 9), perhaps for want of memory; what was "
        "done is kept: run again with fewer workers"
    )
    assert children() == before


def test_a_batch_whose_worker_was_killed_is_done_by_another(tmp_path: Path) -> None:
    once = f"open({str(tmp_path / 'x')!r}, 'x')"  # the second time the file is there
    dies_once = f"__import__('os').path.exists({str(tmp_path / 'x')!r}) or [{once}, {DIE}]"
    assert list(LocalEngine(2).map(EVALUATE, ["1", dies_once, "3"])) == [1, True, 3]


@pytest.mark.slow
def test_a_poisoned_item_is_set_aside_and_all_others_are_done_in_order() -> None:
    told: list[tuple[list[int], str]] = []

    def aside(batch: list[int], how: str) -> list[int]:
        told.append((batch, how))
        return [0]

    batches = [[1, 2, 3], [4, POISON, 5, 6], [7, 8], [9]]
    found = [item for result in LocalEngine(2).map(doubler, batches, aside) for item in result]
    assert found == [2, 4, 6, 8, 0, 10, 12, 14, 16, 18]
    assert told == [([POISON], "a worker process ended with -9")]


def test_closing_early_ends_the_workers_and_takes_no_more_batches() -> None:
    before = children()
    taken: list[str] = []
    results = LocalEngine(2).map(EVALUATE, watched([PROCESS] * 50, taken))
    next(results)
    assert 1 <= len(children() - before) <= 2
    results.close()
    assert children() == before
    assert len(taken) == 4


def test_cores_that_may_be_used_are_counted() -> None:
    assert 1 <= cpu_count() <= (os.cpu_count() or 1)

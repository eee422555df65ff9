from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from portrayal.engines import DeviceEngine, answering
from portrayal.errors import PortrayalError

pytestmark = pytest.mark.slow

# As in test_local.py: put together from what worker processes can import.
EVALUATE = partial(answering, eval)
PROCESS = "__import__('os').getpid()"
DIE = "__import__('os')._exit(9)"
SLEEP = "__import__('time').sleep"


def children() -> set[int | None]:
    return {child.pid for child in multiprocessing.active_children()}


def test_results_come_in_order_from_a_process_for_each_device() -> None:
    before = children()
    slow_first = [f"({place}, {PROCESS}, {SLEEP}({0.5 if place == 0 else 0.0}))" for place in range(40)]
    found = list(DeviceEngine().map([EVALUATE, EVALUATE], slow_first))
    assert [place for place, _, _ in found] == list(range(40))
    assert len({process for _, process, _ in found} - {os.getpid()}) == 2
    assert children() == before


def test_a_fast_device_waits_for_a_slow_one_when_it_is_far_ahead() -> None:
    taken: list[int] = []

    def batches() -> Iterator[str]:
        for place in range(100):
            taken.append(place)
            yield f"{SLEEP}({1.5 if place == 0 else 0.0}) or {place}"

    results = DeviceEngine().map([EVALUATE, EVALUATE], batches())
    assert next(results) == 0
    assert len(taken) < 30
    assert list(results) == list(range(1, 100))


def test_no_batches_start_no_process() -> None:
    assert list(DeviceEngine().map([EVALUATE, EVALUATE], [])) == []


def test_batches_of_a_process_that_died_go_to_another(tmp_path: Path) -> None:
    first = f"[p := __import__('pathlib').Path('{tmp_path}/x'), p.exists() or [p.touch(), {DIE}]] and 'done'"
    assert list(DeviceEngine().map([EVALUATE, EVALUATE], ["1", first, "3", "4"])) == [1, "done", 3, 4]


def test_a_batch_that_kills_every_process_is_one_line() -> None:
    before = children()
    with pytest.raises(PortrayalError, match="processes that work on a device die again and again"):
        list(DeviceEngine().map([EVALUATE, EVALUATE], ["1", DIE, "3"]))
    assert children() == before


def test_an_error_comes_through_and_ends_the_processes() -> None:
    before = children()
    with pytest.raises(ZeroDivisionError):
        list(DeviceEngine().map([EVALUATE, EVALUATE], ["1", "1 / 0", "3"]))
    assert children() == before


def test_closing_early_ends_the_processes() -> None:
    before = children()
    results = DeviceEngine().map([EVALUATE, EVALUATE], ["1"] * 50)
    assert next(results) == 1
    results.close()
    assert children() == before

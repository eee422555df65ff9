"""The pool on real processes that answer, fail, and die at the worst moments; tasks are builtins, to be importable."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import pytest

from portrayal.processes import WorkerDiedError, WorkerPool

PROCESS = "__import__('os').getpid()"
DIE = "__import__('os')._exit(9)"
HALF_AN_ANSWER = """
import os, signal
from multiprocessing.connection import Connection

def half(self, answer):
    os.write(self.fileno(), len(answer).to_bytes(4, "big") + bytes(answer[:1]))
    os.kill(os.getpid(), signal.SIGKILL)

Connection._send_bytes = half
"""
UNCLOSED = """
from portrayal.processes import WorkerPool
pool = WorkerPool(1)
print(pool.submit(pow, 2, 5).result())
"""


def pids() -> set[int | None]:
    return {child.pid for child in multiprocessing.active_children()}


def test_results_exceptions_and_where_they_were_raised() -> None:
    before = pids()
    with WorkerPool(2) as pool:
        assert list(pool.map(pow, [2, 3, 4], [5, 6, 7])) == [32, 729, 16384]
        with pytest.raises(ZeroDivisionError) as caught:
            pool.submit(eval, "1 / 0").result()
        assert pool.submit(pow, 2, 5).result() == 32
    assert 'File "<string>", line 1, in <module>' in "".join(caught.value.__notes__)
    assert pids() == before


def test_no_more_processes_than_asked_for_and_only_as_needed() -> None:
    with WorkerPool(3) as pool:
        first = pool.submit(eval, PROCESS).result()
        assert pool.submit(eval, PROCESS).result() == first
        found = {future.result() for future in [pool.submit(eval, PROCESS) for _ in range(20)]}
    assert len(found | {first}) <= 3


@pytest.mark.parametrize("dying", [DIE, HALF_AN_ANSWER], ids=["before it answers", "in the middle of its answer"])
def test_only_the_task_of_a_process_that_dies_is_lost(dying: str) -> None:
    with WorkerPool(2) as pool:
        futures = [pool.submit(exec, dying if number == 3 else "") for number in range(8)]
        for number, future in enumerate(futures):
            if number == 3:
                with pytest.raises(WorkerDiedError):
                    future.result()
            else:
                assert future.result() is None


def test_a_process_killed_while_it_waits_is_replaced() -> None:
    with WorkerPool(1) as pool:
        first = pool.submit(eval, PROCESS).result()
        os.kill(first, signal.SIGKILL)
        answers: list[int] = []
        while not answers:  # the task may be handed to it just before its end is noticed
            try:
                answers.append(pool.submit(eval, PROCESS).result())
            except WorkerDiedError:
                continue
    assert answers != [first]


def test_every_process_dies_and_the_pool_still_ends() -> None:
    with WorkerPool(2, exit) as pool:  # cannot even be set up
        for future in [pool.submit(pow, 2, 2) for _ in range(4)]:
            with pytest.raises(WorkerDiedError):
                future.result()


def test_what_cannot_be_sent_back_is_an_error_of_that_task() -> None:
    with WorkerPool(1) as pool:
        with pytest.raises(Exception, match="pickle"):
            pool.submit(eval, "lambda: 0").result()
        with pytest.raises(RuntimeError, match="ValueError: <function"):
            pool.submit(exec, "raise ValueError(lambda: 0)").result()
        assert pool.submit(pow, 2, 2).result() == 4


def test_shut_down_it_drops_what_has_not_begun_and_takes_no_more() -> None:
    pool = WorkerPool(1)
    futures = [pool.submit(eval, "__import__('time').sleep(0.05)") for _ in range(50)]
    futures[0].result()
    pool.shutdown(cancel_futures=True)
    assert all(future.done() for future in futures)
    assert any(future.cancelled() for future in futures)
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(pow, 2, 2)
    pool.shutdown()


def test_what_waits_is_done_before_it_ends_unless_told_otherwise() -> None:
    with WorkerPool(2) as pool:
        futures = [pool.submit(pow, 2, number) for number in range(40)]
    assert [future.result() for future in futures] == [2**number for number in range(40)]


@pytest.mark.slow
def test_more_tasks_wait_than_a_pipe_could_tell_of() -> None:
    with WorkerPool(1) as pool:
        blocked = pool.submit(eval, "__import__('time').sleep(0.5)")
        futures = [pool.submit(abs, number) for number in range(30_000)]
        assert blocked.result() is None
        assert futures[-1].result() == 29_999


def test_several_threads_may_ask() -> None:
    found: list[int] = []
    with WorkerPool(2) as pool:
        threads = [
            threading.Thread(target=lambda n=n: found.extend(pool.map(pow, [n] * 10, [2] * 10))) for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(found) == sorted([n * n for n in range(4)] * 10)


def test_a_program_that_forgets_it_ends_all_the_same() -> None:
    ran = subprocess.run([sys.executable, "-c", UNCLOSED], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr, ran.returncode) == ("32\n", "", 0)


def test_a_pool_ends_although_a_task_that_waited_was_cancelled() -> None:
    pool = WorkerPool(1)
    under_way = pool.submit(eval, "__import__('time').sleep(0.5)")
    while not under_way.running():
        threading.Event().wait(0.01)
    assert pool.submit(pow, 2, 5).cancel()
    ending = threading.Thread(target=pool.shutdown, daemon=True)
    ending.start()
    ending.join(60)
    assert not ending.is_alive()

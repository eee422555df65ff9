"""Work on this machine: in this process, or spread over worker processes."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from portrayal.errors import PortrayalError

__all__ = ["Build", "LocalEngine", "cpu_count"]

B = TypeVar("B")
R = TypeVar("R")
Build = Callable[[], Callable[[B], R]]
"""Makes the worker function; called once in each worker, so that heavy models load once."""


def cpu_count() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalEngine:
    """Maps a pure function over batches; results come in the order of the batches, few are held at a time."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(self, build: Build[B, R], batches: Iterable[B]) -> Generator[R, None, None]:
        """Yield the result of each batch; closing it early ends the workers.

        With several workers, ``build`` and the batches must be picklable.
        """
        if self.workers <= 1:
            work = build()
            for batch in batches:
                yield work(batch)
        else:
            yield from self._map_in_processes(build, batches)

    def _map_in_processes(self, build: Build[B, R], batches: Iterable[B]) -> Generator[R, None, None]:
        # Spawned, not forked: a fork copies locks that other libraries' threads may hold.
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.workers, context, initializer=_start_worker, initargs=(build,))
        waiting: deque[Future[R]] = deque()
        try:
            for batch in batches:
                with _workers_deaf_to_ctrl_c():
                    waiting.append(pool.submit(_work_in_worker, batch))
                if len(waiting) >= 2 * self.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise PortrayalError(
                "a worker process died, perhaps for want of memory; what was done is kept: run again with fewer workers"
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _workers_deaf_to_ctrl_c() -> Iterator[None]:
    """Block SIGINT while workers are started: they inherit that, and so survive a Ctrl-C before they can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it unblocks the signal when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_worker: Callable[[Any], Any]


def _start_worker(build: Build[Any, Any]) -> None:
    global _worker  # a pool hands its workers' state over no other way
    # Ctrl-C goes to the parent, which lets the batches in flight finish.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _worker = build()
    except Exception as error:
        # Raised again with the first batch: a pool would only report that a worker died.
        _worker = partial(_refuse, error)


def _refuse(error: Exception, _batch: Any) -> Any:
    raise error


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work_in_worker(batch: Any) -> Any:
    return _worker(batch)

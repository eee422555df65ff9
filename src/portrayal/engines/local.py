"""Work on this machine: in this process, or spread over worker processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from portrayal.engines.deaths import Deaths, SetAside, Task
from portrayal.engines.shared import SharedPickle, shared_pickle
from portrayal.errors import PortrayalError
from portrayal.processes import WorkerDiedError, WorkerPool, result_of

__all__ = ["Build", "LocalEngine"]

B = TypeVar("B")
R = TypeVar("R")
Build = Callable[[], Callable[[B], R]]
"""Makes the worker function; called once in each worker, so that heavy models load once."""


class LocalEngine:
    """Maps a pure function over batches; results come in the order of the batches, few are held at a time.

    One worker is this process, unless it is to be ``apart``: then a batch that kills it does not end the program.
    """

    def __init__(self, workers: int, *, apart: bool = False) -> None:
        self.workers, self._here = workers, workers <= 1 and not apart

    def map(
        self, build: Build[B, R], batches: Iterable[B], set_aside: SetAside[B, R] | None = None
    ) -> Generator[R, None, None]:
        """Yield the result of each batch; closing it early ends the workers.

        With worker processes, ``build`` and the batches must be picklable. A batch whose worker dies is tried again;
        with ``set_aside`` it is cut into parts, each with a result of its own, see :mod:`portrayal.engines.deaths`.
        """
        if self._here:
            work = build()
            for batch in batches:
                yield work(batch)
        else:
            yield from self._map_in_processes(build, batches, Deaths(set_aside, self.workers))

    def _map_in_processes(
        self, build: Build[B, R], batches: Iterable[B], deaths: Deaths[B, R]
    ) -> Generator[R, None, None]:
        with shared_pickle(build) as shared:
            pool = WorkerPool(self.workers, partial(_start_worker, shared))
            waiting: _Waiting[B, R] = deque()
            try:
                for batch in batches:
                    waiting.append((Task(batch), pool.submit(_work_in_worker, batch)))
                    while len(waiting) >= 2 * self.workers:
                        yield from _take_first(waiting, pool, deaths)
                while waiting:
                    yield from _take_first(waiting, pool, deaths)
                yield from deaths.ended()
            finally:
                pool.shutdown(cancel_futures=True)


_Waiting = deque[tuple[Task[B], Future[R]]]


def _take_first(waiting: _Waiting[B, R], pool: WorkerPool, deaths: Deaths[B, R]) -> list[R]:
    """Wait for the first result, and return it; what its worker died of takes its place instead."""
    task, future = waiting.popleft()
    try:
        result = result_of(future)
    except WorkerDiedError as error:
        again = deaths.died(task, str(error))
        waiting.extendleft((part, pool.submit(_work_in_worker, part.batch)) for part in reversed(again))
        return []
    return [*deaths.worked(), result]


_worker: Callable[[Any], Any]


def _start_worker(shared: SharedPickle) -> None:
    global _worker  # a pool hands its workers' state over no other way
    try:
        _worker = _load(shared)()
    except Exception as error:
        # Raised again with the first batch: a pool would only report that a worker died.
        _worker = partial(_refuse, error)


def _load(shared: SharedPickle) -> Build[Any, Any]:
    try:
        build: Build[Any, Any] = shared.load()
    except Exception as error:  # importing what it names may fail in any way
        raise PortrayalError(
            f"a worker process cannot import what it is to run ({error}); put it into a module that can be imported, "
            "or write workers = 1"
        ) from None
    return build


def _refuse(error: Exception, _batch: Any) -> Any:
    raise error


def _work_in_worker(batch: Any) -> Any:
    return _worker(batch)

"""Work on this machine: in this process, or spread over worker processes."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from portrayal.errors import PortrayalError
from portrayal.processes import WorkerDiedError, WorkerPool, result_of

__all__ = ["Build", "LocalEngine"]

B = TypeVar("B")
R = TypeVar("R")
Build = Callable[[], Callable[[B], R]]
"""Makes the worker function; called once in each worker, so that heavy models load once."""


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
        pool = WorkerPool(self.workers, partial(_start_worker, pickle.dumps(build)))
        waiting: deque[Future[R]] = deque()
        try:
            for batch in batches:
                waiting.append(pool.submit(_work_in_worker, batch))
                if len(waiting) >= 2 * self.workers:
                    yield result_of(waiting.popleft())
            while waiting:
                yield result_of(waiting.popleft())
        except WorkerDiedError:
            raise PortrayalError(
                "a worker process died, perhaps for want of memory; what was done is kept: run again with fewer workers"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


_worker: Callable[[Any], Any]


def _start_worker(pickled: bytes) -> None:
    global _worker  # a pool hands its workers' state over no other way
    try:
        _worker = _load(pickled)()
    except Exception as error:
        # Raised again with the first batch: a pool would only report that a worker died.
        _worker = partial(_refuse, error)


def _load(pickled: bytes) -> Build[Any, Any]:
    try:
        build: Build[Any, Any] = pickle.loads(pickled)  # noqa: S301 - our own parent wrote it
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

"""A pool of worker processes in which each has a pipe of its own.

Those of ``concurrent.futures`` write into one queue under one lock: one that is killed while it holds the lock, or in
the middle of a message, leaves the others and the parent waiting for ever.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pipe, connection
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any, ParamSpec, TypeVar

from portrayal.errors import message_of
from portrayal.processes.worker import WorkerProcess, settle_in

__all__ = ["WorkerDiedError", "WorkerPool"]

P = ParamSpec("P")
R = TypeVar("R")


class WorkerDiedError(Exception):
    """The process that worked on a task ended before it answered, as when it is killed or runs out of memory."""


@dataclass(slots=True)
class _Worker:
    process: WorkerProcess
    pipe: Connection
    future: Future[Any] | None = None
    """What it works on; None: it waits."""


class WorkerPool(Executor):
    """Runs tasks in up to ``workers`` processes, which are started as they are needed and replaced when they die.

    They import what they run by name: nothing that is defined in a script, in a notebook or on a command line.

    Parameters
    ----------
    workers
        How many processes there are at most.
    set_up
        Called first in each of them.
    """

    def __init__(self, workers: int, set_up: Callable[[], None] | None = None) -> None:
        self._most, self._set_up = workers, set_up
        self._workers: list[_Worker] = []
        self._waiting: deque[tuple[Future[Any], bytes]] = deque()
        self._changing = threading.Lock()
        self._closing = self._called = False
        self._woken, self._wake = Pipe(duplex=False)
        self._thread = threading.Thread(target=self._serve, name="worker pool", daemon=True)
        self._thread.start()
        atexit.register(self.shutdown)  # else the interpreter would wait for processes that wait for tasks

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Return what will hold the result; its exception is `WorkerDiedError` if the process ends before."""
        future: Future[R] = Future()
        pickled = bytes(ForkingPickler.dumps(partial(fn, *args, **kwargs)))
        with self._changing:
            if self._closing:
                raise RuntimeError("the pool of worker processes is shut down")
            self._waiting.append((future, pickled))
            self._call()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let what has begun end, drop the rest if ``cancel_futures``, and end the processes."""
        with self._changing:
            dropped = [future for future, _ in self._waiting] if cancel_futures else []
            if cancel_futures:
                self._waiting.clear()
            if not self._closing:
                self._closing = True
                self._call()
        for future in dropped:
            future.cancel()
        if wait:
            self._thread.join()
        atexit.unregister(self.shutdown)

    def _call(self) -> None:
        """Tell the thread that there is something new; once is enough until it looks, or the pipe could fill up."""
        if not self._called:
            self._called = True
            self._wake.send_bytes(b"!")

    def _serve(self) -> None:
        """Hand tasks out and take answers in, until the pool is shut down."""
        while True:
            self._hand_out()  # first: it also drops what was cancelled, of which nobody would tell
            if self._closing and not self._waiting and not any(worker.future for worker in self._workers):
                break
            pipes: dict[Any, _Worker] = {worker.pipe: worker for worker in self._workers}
            for ready in connection.wait([self._woken, *pipes]):
                if ready is self._woken:
                    with self._changing:
                        self._woken.recv_bytes()
                        self._called = False
                else:
                    self._take_in(pipes[ready])
        for worker in self._workers:
            worker.pipe.close()  # it reads the end of the pipe, and ends
        for worker in self._workers:
            worker.process.join()
        self._woken.close()
        self._wake.close()

    def _hand_out(self) -> None:
        for future, pickled in self._begun():
            try:
                worker = self._free()
            except Exception as error:  # the system may have no more processes
                future.set_exception(error)
                continue
            worker.future = future
            try:
                worker.pipe.send_bytes(pickled)
            except OSError:
                self._bury(worker)

    def _begun(self) -> Iterator[tuple[Future[Any], bytes]]:
        """Yield tasks as long as there is a process for one; they can no longer be cancelled."""
        while len(self._workers) < self._most or any(worker.future is None for worker in self._workers):
            with self._changing:
                if not self._waiting:
                    return
                task = self._waiting.popleft()
            if task[0].set_running_or_notify_cancel():
                yield task

    def _free(self) -> _Worker:
        for worker in self._workers:
            if worker.future is None:
                return worker
        ours, theirs = Pipe()
        process = WorkerProcess(target=_work, args=(theirs, self._set_up))
        process.start()
        theirs.close()  # else it would not be noticed here that the process ended
        self._workers.append(_Worker(process, ours))
        return self._workers[-1]

    def _take_in(self, worker: _Worker) -> None:
        try:
            answer = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            self._bury(worker)
            return
        future, worker.future = worker.future, None
        assert future is not None  # it speaks only when it was asked
        try:
            done, value = ForkingPickler.loads(answer)
        except Exception as error:  # what others return may fail in any way here
            done, value = False, error
        if done:
            future.set_result(value)
        else:
            future.set_exception(value)

    def _bury(self, worker: _Worker) -> None:
        """Forget a process that ended by itself; another takes its place when there is a task for it."""
        self._workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        if worker.future is not None:
            worker.future.set_exception(WorkerDiedError(f"a worker process ended with {worker.process.exitcode}"))


def _work(pipe: Connection, set_up: Callable[[], None] | None) -> None:
    """Answer tasks until the pipe ends."""
    settle_in()
    if set_up is not None:
        set_up()
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes()))


def _answer(pickled: bytes) -> bytes:
    """Return the result of a task or its exception, which takes along where it was raised."""
    try:
        return bytes(ForkingPickler.dumps((True, ForkingPickler.loads(pickled)())))
    except Exception as error:
        error.add_note(traceback.format_exc())
        return _pickled_error(error)


def _pickled_error(error: Exception) -> bytes:
    try:
        return bytes(ForkingPickler.dumps((False, error)))
    except Exception:  # as of one that holds an open file
        return bytes(ForkingPickler.dumps((False, RuntimeError(f"{type(error).__name__}: {message_of(error)}"))))

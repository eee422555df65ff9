"""Group commit: changes that wait at the same time go to disk together, in one transaction."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

__all__ = ["ChangeWriter"]

T = TypeVar("T")

_MOST_CHANGES = 500
"""Changes in one transaction, so that none waits long for others."""


@dataclass(frozen=True, slots=True)
class _PendingChange(Generic[T]):
    change: T
    done: asyncio.Future[None]


class ChangeWriter(Generic[T]):
    """One thread that writes. ``write`` commits changes, all or none, and is called by that thread only."""

    def __init__(self, write: Callable[[Iterable[T]], None]) -> None:
        self._write = write
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[_PendingChange[T] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="answer-writer", daemon=True)
        self._thread.start()

    async def commit(self, change: T) -> None:
        """Return when the change is on disk; if it could not be written, raise why, and nothing of it was."""
        done = self._loop.create_future()
        self._queue.put(_PendingChange(change, done))
        await done

    async def close(self) -> None:
        """Write what is waiting, then end."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        while (first := self._queue.get()) is not None:
            pending, last = self._waiting(first)
            problem: Exception | None = None
            try:
                self._write([one.change for one in pending])
            except Exception as error:
                problem = error
            self._loop.call_soon_threadsafe(_answer, pending, problem)
            if last:
                return

    def _waiting(self, first: _PendingChange[T]) -> tuple[list[_PendingChange[T]], bool]:
        """Return what waits to be written now, and whether the end was asked for behind it."""
        pending = [first]
        while len(pending) < _MOST_CHANGES:
            try:
                one = self._queue.get_nowait()
            except Empty:
                break
            if one is None:
                return pending, True
            pending.append(one)
        return pending, False


def _answer(pending: Iterable[_PendingChange[T]], problem: Exception | None) -> None:
    for one in pending:
        if one.done.done():
            continue  # nobody waits any more
        if problem is None:
            one.done.set_result(None)
        else:
            one.done.set_exception(problem)

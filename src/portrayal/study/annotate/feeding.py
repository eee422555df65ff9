"""A stream that is fed batch by batch, as from another process: it reads ahead of what it has answered."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

__all__ = ["StreamFeed"]

T = TypeVar("T")
R = TypeVar("R")
_PATIENCE = 0.1
"""Seconds after which it is noticed that a stream has ended before its batches did."""


class StreamFeed(Generic[T, R]):
    """Calls ``stream`` in a thread. Each call hands it a batch, once it has room for one, and returns what is ready.

    ``size`` says how many of a batch's items a result of the stream is about. Results are put together by batch with
    ``join``: each call returns one for every batch that is done, in their order. None is the end of the batches; it
    returns the rest, and the next batch begins a new stream.
    """

    def __init__(
        self,
        stream: Callable[[Iterator[list[T]]], Iterator[R]],
        size: Callable[[R], int],
        join: Callable[[Sequence[R]], R],
    ) -> None:
        self._stream, self._size, self._join = stream, size, join
        self._thread: threading.Thread | None = None
        self._given: queue.Queue[list[T] | None] = queue.Queue(1)
        self._results: queue.SimpleQueue[R | _Problem] = queue.SimpleQueue()
        self._sizes: deque[int] = deque()
        self._open: list[R] = []
        self._count = 0

    def __call__(self, batch: list[T] | None) -> list[R]:
        """Hand over a batch, or None as the end; return what is done."""
        if self._thread is None:
            if batch is None:
                return []
            self._thread = threading.Thread(target=self._run, name="portrayal stream", daemon=True)
            self._thread.start()
        if batch is not None:
            self._sizes.append(len(batch))
        self._give(self._thread, batch)
        if batch is None:
            self._thread.join()
            self._thread = None
        return list(self._done())

    def _give(self, thread: threading.Thread, batch: list[T] | None) -> None:
        while thread.is_alive():
            try:
                self._given.put(batch, timeout=_PATIENCE)
            except queue.Full:
                continue
            return

    def _run(self) -> None:
        try:
            for result in self._stream(iter(self._given.get, None)):
                self._results.put(result)
        except BaseException as error:  # raised again where the batches come from
            self._results.put(_Problem(error))

    def _done(self) -> Iterator[R]:
        while True:
            try:
                result = self._results.get_nowait()
            except queue.Empty:
                return
            if isinstance(result, _Problem):
                raise result.error
            self._open.append(result)
            self._count += self._size(result)
            while self._sizes and self._count >= self._sizes[0]:
                self._count -= self._sizes.popleft()
                yield self._join(self._open)
                self._open = []


class _Problem:
    def __init__(self, error: BaseException) -> None:
        self.error = error

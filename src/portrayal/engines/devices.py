"""Work on several devices of this machine, such as graphics cards: a process for each, with a model of its own."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic

from portrayal.engines.local import B, R, _start_worker, _work_in_worker
from portrayal.engines.shared import SharedPickle
from portrayal.errors import PortrayalError
from portrayal.processes import WorkerDiedError, WorkerPool

__all__ = ["DeviceEngine", "Feed", "FeedBuild", "answering"]

Feed = Callable[[B | None], Sequence[R]]
"""Takes a batch and returns the results that are ready, in the order of the batches; None is the end of them."""
FeedBuild = Callable[[], Feed[B, R]]

_AHEAD = 8
"""Batches a device may be ahead of the slowest one: their results wait in memory."""
_TRIES = 3
"""How many processes a batch may take down before it is given up."""
_LOOK_UP_EVERY = 0.5
"""Seconds: a Ctrl-C that comes as a wait begins is answered only after it."""


class DeviceEngine:
    """Hands batches to whichever device has room; results come in the order of the batches."""

    def map(self, builds: Sequence[FeedBuild[B, R]], batches: Iterable[B]) -> Generator[R, None, None]:
        """Yield the result of each batch. Each of ``builds``, one for a device, is called in a process of its own."""
        devices = [_Device[B, R](build) for build in builds]
        try:
            yield from _Sharing(devices, enumerate(batches)).results()
        finally:
            for device in devices:
                device.pool.shutdown(wait=False, cancel_futures=True)
            for device in devices:
                device.pool.shutdown()


@dataclass
class _Task(Generic[B]):
    number: int
    batch: B
    deaths: int = 0


class _Device(Generic[B, R]):
    """A process, what it was handed and has not answered yet, and the answer that is awaited."""

    def __init__(self, build: FeedBuild[B, R]) -> None:
        self.pool = WorkerPool(1, partial(_start_worker, SharedPickle(pickle.dumps(build))))
        self.held: deque[_Task[B]] = deque()
        self.answer: Future[Sequence[R]] | None = None
        self.told_the_end = False

    def hand(self, task: _Task[B] | None) -> None:
        if task is not None:
            self.held.append(task)
        self.told_the_end = task is None
        self.answer = self.pool.submit(_work_in_worker, None if task is None else task.batch)


@dataclass
class _Sharing(Generic[B, R]):
    devices: Sequence[_Device[B, R]]
    source: Iterator[tuple[int, B]]
    again: deque[_Task[B]] = field(default_factory=deque)
    ready: dict[int, R] = field(default_factory=dict)
    place: int = 0
    exhausted: bool = False

    def results(self) -> Generator[R, None, None]:
        while True:
            for device in self.devices:
                if device.answer is None:
                    self._hand_to(device)
            awaited = {device.answer: device for device in self.devices if device.answer is not None}
            if not awaited:
                break
            done, _ = wait(awaited, _LOOK_UP_EVERY, FIRST_COMPLETED)
            for future in done:
                self._take(awaited[future], future)
            while self.place in self.ready:
                yield self.ready.pop(self.place)
                self.place += 1
        # A stream that ended by itself owes an answer, for which those after it have waited.
        for number in sorted(self.ready):
            yield self.ready[number]

    def _hand_to(self, device: _Device[B, R]) -> None:
        """Give a device its next batch, or tell it that there are none, unless it is to wait for a slower one."""
        slowest = self.again or any(task.number == self.place for task in device.held)
        if len(self.ready) >= _AHEAD * len(self.devices) and not slowest:
            return
        task = self._next()
        if task is not None or (device.held and not device.told_the_end):
            device.hand(task)

    def _next(self) -> _Task[B] | None:
        if self.again:
            return self.again.popleft()
        if not self.exhausted and (task := next(self.source, None)) is not None:
            return _Task(*task)
        self.exhausted = True
        return None

    def _take(self, device: _Device[B, R], future: Future[Sequence[R]]) -> None:
        device.answer = None
        try:
            results = future.result()
        except WorkerDiedError as error:
            self._try_again(device, error)
            return
        for result in results:
            self.ready[device.held.popleft().number] = result

    def _try_again(self, device: _Device[B, R], error: Exception) -> None:
        for task in device.held:
            task.deaths += 1
            if task.deaths == _TRIES:
                raise PortrayalError(
                    f"processes that work on a device die again and again ({error}), perhaps for want of memory; what "
                    "was done is kept: run again with fewer devices"
                ) from None
        self.again.extendleft(reversed(device.held))
        device.held.clear()
        device.told_the_end = False


def answering(work: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    """Turn a function that answers each batch at once into what a device is fed by."""
    return partial(_answer, work)


def _answer(work: Callable[[Any], Any], batch: Any) -> list[Any]:
    return [] if batch is None else [work(batch)]

"""Waiting that hears of a Ctrl-C.

Python answers a signal between two steps of the main thread. One that comes at the moment that thread lies down to
wait is noted, but wakes nobody: it would be answered only when the wait is over. So nobody waits for long at a time.
"""

from __future__ import annotations

from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeVar

__all__ = ["next_of", "result_of"]

R = TypeVar("R")
_LOOK_UP_EVERY = 0.5
"""Seconds."""


def result_of(future: Future[R]) -> R:
    """Return a future's result or raise its exception, as soon as it is there."""
    while True:
        try:
            return future.result(_LOOK_UP_EVERY)
        except TimeoutError:
            if future.done():  # what was raised may be a timeout of its own
                return future.result()


def next_of(queue: SimpleQueue[R]) -> R:
    """Return what comes next, as soon as it is there."""
    while True:
        try:
            return queue.get(timeout=_LOOK_UP_EVERY)
        except Empty:
            continue

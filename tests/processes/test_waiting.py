"""Waiting that hears of a Ctrl-C: a signal that another thread takes wakes nobody, but is answered all the same."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from types import FrameType

import pytest

from portrayal.processes import next_of, result_of

LATE = 60.0
"""Seconds: long after any machine would have answered the signal; else a wait that hears nothing would never end."""


class Answer:
    """Takes the first thing said; whoever hears the signal says "heard", and a clock says "not heard" much later."""

    def __init__(self) -> None:
        self.future: Future[str] = Future()
        self.queue: SimpleQueue[str] = SimpleQueue()
        self._said = threading.Lock()

    def say(self, word: str) -> None:
        if self._said.acquire(blocking=False):
            self.future.set_result(word)
            self.queue.put(word)


@pytest.fixture
def answer() -> Iterator[Answer]:
    answer, end = Answer(), threading.Event()
    clock = threading.Timer(LATE, answer.say, ["not heard"])

    def heard(_number: int, _frame: FrameType | None) -> None:
        answer.say("heard")

    other = threading.Thread(target=end.wait)
    sender = threading.Timer(0.2, lambda: signal.pthread_kill(other.ident or 0, signal.SIGUSR1))
    before = signal.signal(signal.SIGUSR1, heard)
    for thread in (other, clock, sender):
        thread.start()
    yield answer
    clock.cancel()
    end.set()
    for thread in (other, clock, sender):
        thread.join()
    signal.signal(signal.SIGUSR1, before)


def test_a_signal_is_answered_while_a_future_is_awaited(answer: Answer) -> None:
    assert result_of(answer.future) == "heard"


def test_a_signal_is_answered_while_a_queue_is_awaited(answer: Answer) -> None:
    assert next_of(answer.queue) == "heard"


def test_what_a_future_raises_is_raised_even_if_it_is_a_timeout() -> None:
    future: Future[None] = Future()
    future.set_exception(TimeoutError("the service was silent"))
    with pytest.raises(TimeoutError, match="the service was silent"):
        result_of(future)

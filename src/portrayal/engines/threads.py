"""Work that waits for others, such as services over HTTP: in threads of this process, many at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import Any

from portrayal.engines.local import B, Build, R
from portrayal.processes import next_of
from portrayal.services.account import Paid

__all__ = ["ThreadEngine", "concurrency"]


def concurrency(part: object) -> int:
    """Return how many images a service is asked for at a time, each in a thread of its own; 0 for a local part."""
    asked = int(getattr(part, "parallel", None) or 0)
    return max(asked, 1) if isinstance(part, Paid) else asked


class ThreadEngine:
    """Maps a thread-safe function over batches; results come as they are ready, in whatever order."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(self, build: Build[B, R], batches: Iterable[B]) -> Generator[list[R], None, None]:
        """Yield what is ready, several results at a time when they come fast.

        After an error, of the work or of what gives the batches, no further batch is begun, but those under way end
        and are yielded before it is raised: what a service did is paid for.
        """
        work, source = build(), iter(batches)
        asked: SimpleQueue[B] = SimpleQueue()
        answers: SimpleQueue[R | _Problem] = SimpleQueue()
        for _ in range(self.workers):
            # Daemons: a second Ctrl-C ends the process at once, whatever they are waiting for.
            threading.Thread(target=_serve, args=(work, asked, answers), daemon=True).start()
        problem: _Problem | None = None
        running = 0
        try:
            while True:
                while problem is None and running < self.workers and (batch := _next(source)) is not _END:
                    (answers if isinstance(batch, _Problem) else asked).put(batch)
                    running += 1
                if not running:
                    break
                ready = _ready(answers)
                running -= len(ready)
                problem = problem or next((answer for answer in ready if isinstance(answer, _Problem)), None)
                if results := [answer for answer in ready if not isinstance(answer, _Problem)]:
                    yield results
        finally:
            for _ in range(self.workers):
                asked.put(_END)
        if problem is not None:
            raise problem.error


class _Problem:
    def __init__(self, error: BaseException) -> None:
        self.error = error


_END: Any = object()


def _serve(work: Callable[[B], R], asked: SimpleQueue[B], answers: SimpleQueue[R | _Problem]) -> None:
    while (batch := asked.get()) is not _END:
        try:
            answers.put(work(batch))
        except BaseException as error:  # raised again where the results are awaited, or they would be for ever
            answers.put(_Problem(error))


def _next(source: Iterator[B]) -> Any:
    """Return the next batch, ``_END`` after the last, or why there is none."""
    try:
        return next(source, _END)
    except Exception as error:
        return _Problem(error)


def _ready(answers: SimpleQueue[R | _Problem]) -> list[R | _Problem]:
    """Wait for one answer, and take those that are there already along."""
    ready = [next_of(answers)]
    while True:
        try:
            ready.append(answers.get_nowait())
        except Empty:
            return ready

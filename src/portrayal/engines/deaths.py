"""What becomes of a batch that took its worker down.

One image may kill the process that works on it: a file that crashes a decoder, a picture that fills the memory. Others
may be killed with it that are not to blame. So a batch whose worker died is cut into parts, and those that kill again
are cut again, until the one image is found. It has a few tries alone; then it is set aside, with a reason, and the
rest goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from portrayal.errors import PortrayalError

__all__ = ["KILLED", "Deaths", "SetAside", "Task"]

B = TypeVar("B")
R = TypeVar("R")
SetAside = Callable[[B, str], R]
"""Makes the result of a batch of one that cannot be worked on, from it and from how its workers ended."""

KILLED = "killed_worker"
"""Why an image is set aside: the process that worked on it died, again and again."""
_PARTS = 8
_TRIES = 3
"""Workers that one image alone, or a batch that cannot be cut, may take down."""
_IN_VAIN = 16
"""Deaths without anything done in between, besides one of each worker: then it is not the images."""
_UNPROVEN = 3
"""Images that may be set aside where nothing at all could be done: more would be a machine that is too small."""


@dataclass(frozen=True, slots=True)
class Task(Generic[B]):
    """A batch, and how many workers died of it since it cannot be cut."""

    batch: B
    deaths: int = 0


class Deaths(Generic[B, R]):
    """Decides, for all workers of a stage; without ``set_aside`` batches are not cut, and nothing is set aside.

    ``workers`` is how many there are at most: they may all die at once, as of a power cut elsewhere.
    """

    def __init__(self, set_aside: SetAside[B, R] | None, workers: int) -> None:
        self._set_aside, self.workers = set_aside, workers
        self._in_vain = 0
        self._worked = False
        self._held: list[R] = []

    def worked(self) -> list[R]:
        """Note that a batch was done; return what was set aside and held back until something works at all."""
        self._in_vain, self._worked = 0, True
        return self._released()

    def died(self, task: Task[B], how: str) -> list[Task[B]]:
        """Return what is to be tried again after a worker died of ``task``.

        Raises
        ------
        PortrayalError
            Workers die whatever they work on.
        """
        self._in_vain += 1
        if self._in_vain > _IN_VAIN + self.workers:
            raise _too_many(how)
        batch: Any = task.batch
        if self._set_aside is not None and len(batch) > 1:
            size = -(-len(batch) // _PARTS)
            return [Task(batch[start : start + size]) for start in range(0, len(batch), size)]
        if task.deaths + 1 < _TRIES:
            return [replace(task, deaths=task.deaths + 1)]
        if self._set_aside is None:
            raise _too_many(how)
        self._held.append(self._set_aside(task.batch, how))
        return []

    def ended(self) -> list[R]:
        """Return what is still held back, once all batches are done."""
        if len(self._held) > _UNPROVEN:
            raise _too_many("they died of every image")
        return self._released(proven=True)

    def _released(self, *, proven: bool = False) -> list[R]:
        if not (self._worked or proven):
            return []
        held, self._held = self._held, []
        return held


def _too_many(how: str) -> PortrayalError:
    return PortrayalError(
        f"worker processes die again and again ({how}), perhaps for want of memory; what was done is kept: run again "
        "with fewer workers"
    )

"""What a stage tells its caller, and how the caller stops it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol, TypeVar

from portrayal.engines.ray import RayCluster

__all__ = ["Progress", "RunControl", "Silent"]

T = TypeVar("T")


class Progress(Protocol):
    """Shows how far a stage is."""

    def start(self, stage: str, total: int) -> None:
        """Begin a stage of ``total`` steps."""
        ...

    def advance(self, steps: int) -> None:
        """Tell that steps are done and safe on disk."""
        ...

    def finish(self) -> None:
        """End the stage."""
        ...


class Silent:
    """Shows nothing."""

    def start(self, stage: str, total: int) -> None:
        """Ignore the start."""

    def advance(self, steps: int) -> None:
        """Ignore the step."""

    def finish(self) -> None:
        """Ignore the end."""


def _never() -> bool:
    return False


def _unsaid(_: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class RunControl:
    """Progress out, stop request in: a stage asks ``stopped`` before each batch.

    ``budget`` is what the study may cost in all, in USD; None for no limit. ``remark`` is told, in a line, what the
    user should know and is no error. ``cluster`` is where parts work; None: on this machine. ``workers`` is how
    many processes of this machine measure, each on one processor; 0: as many as pay.
    """

    progress: Progress = field(default_factory=Silent)
    stopped: Callable[[], bool] = _never
    budget: float | None = None
    remark: Callable[[str], None] = _unsaid
    cluster: RayCluster | None = None
    workers: int = 0

    @property
    def reads_ahead(self) -> bool:
        """Whether tables may be read in threads: who asks for one worker gives it one processor."""
        return self.workers != 1

    def batches(self, items: Iterable[T], size: int) -> Iterator[list[T]]:
        """Yield the items in lists of ``size``, until the caller stops the stage."""
        pending = iter(items)
        while not self.stopped() and (batch := list(islice(pending, size))):
            yield batch

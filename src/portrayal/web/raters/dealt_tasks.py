"""What every rater was dealt, in memory: who they are, their tasks by number, and which of these are open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from portrayal.study.sql.rater import AnsweredTask, Rater

__all__ = ["DealtTasks", "NotOpenError", "Task"]


class NotOpenError(ValueError):
    """An answer to another task than the one that is before a rater."""


class Task(AnsweredTask, Protocol):
    """Something dealt to one rater as the ``number``-th (from 1); open until it has a date at which it was answered."""

    @property
    def rater(self) -> str:
        """To whom it was dealt."""

    @property
    def number(self) -> int:
        """Which of the rater's tasks it is."""

    @property
    def dealt_at(self) -> float:
        """When."""


TaskT = TypeVar("TaskT", bound=Task)


@dataclass(slots=True)
class _Dealt(Generic[TaskT]):
    rater: Rater
    tasks: dict[int, TaskT] = field(default_factory=dict)
    open_numbers: set[int] = field(default_factory=set)


class DealtTasks(Generic[TaskT]):
    """Raters in the order in which they were invited, each with the tasks that were dealt to them."""

    def __init__(self) -> None:
        self._of_rater: dict[str, _Dealt[TaskT]] = {}
        self._numbers: dict[str, tuple[str, int]] = {}

    def raters(self) -> Iterator[Rater]:
        """Yield all raters."""
        return (dealt.rater for dealt in self._of_rater.values())

    def rater(self, rater_id: str) -> Rater | None:
        """Return a rater by id."""
        dealt = self._of_rater.get(rater_id)
        return dealt.rater if dealt else None

    def set_rater(self, rater: Rater) -> None:
        """Let a rater stand so, perhaps a new one."""
        if rater.id in self._of_rater:
            self._of_rater[rater.id].rater = rater
        else:
            self._of_rater[rater.id] = _Dealt(rater)

    def tasks(self, rater_id: str) -> Mapping[int, TaskT]:
        """Return all tasks of a rater by number, open ones too."""
        return self._of_rater[rater_id].tasks

    def set_task(self, task: TaskT) -> TaskT | None:
        """Let a task stand so, and return what stood in its place."""
        dealt = self._of_rater[task.rater]
        before = dealt.tasks.get(task.number)
        if before is not None:
            del self._numbers[before.id]
        dealt.tasks[task.number] = task
        self._numbers[task.id] = task.rater, task.number
        (dealt.open_numbers.add if task.cast_at is None else dealt.open_numbers.discard)(task.number)
        return before

    def answered(self) -> Iterator[TaskT]:
        """Yield every answered task of every rater."""
        for dealt in self._of_rater.values():
            yield from (task for task in dealt.tasks.values() if task.cast_at is not None)

    def done(self, rater_id: str) -> int:
        """Return how many tasks a rater has answered."""
        dealt = self._of_rater[rater_id]
        return len(dealt.tasks) - len(dealt.open_numbers)

    def dealt(self, rater_id: str, task_id: str) -> TaskT | None:
        """Return a task by id, if it was dealt to this rater."""
        place = self._numbers.get(task_id)
        return self._of_rater[rater_id].tasks[place[1]] if place and place[0] == rater_id else None

    def open_tasks(self, rater_id: str) -> list[TaskT]:
        """Return the open tasks of a rater in their order."""
        dealt = self._of_rater[rater_id]
        return [dealt.tasks[number] for number in sorted(dealt.open_numbers)]

    def undoable(self, rater_id: str) -> TaskT | None:
        """Return the last answered task; None when there is none, or when an answer was just taken back."""
        dealt = self._of_rater[rater_id]
        last = max(dealt.tasks.keys() - dealt.open_numbers, default=None)
        first_open = min(dealt.open_numbers, default=None)
        if last is None or (first_open is not None and dealt.tasks[first_open].undone):
            return None
        return dealt.tasks[last]

"""The state of a site with raters in memory: who they are, what was dealt to them, and what is before them now.

Changes are stored first, then applied. Methods that begin something return how a task would stand; what a site's own
state does with a change makes it so, once it is safe in the database.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Generic, TypeVar

from portrayal.study.sql.rater import Rater
from portrayal.web.raters.dealt_tasks import DealtTasks, Task

__all__ = ["DealingState"]

TaskT = TypeVar("TaskT", bound=Task)
_changed: Any = replace  # tasks are dataclasses, which a protocol cannot say


class DealingState(ABC, Generic[TaskT]):
    """Raters and the tasks dealt to them; a site says what it deals next, and what it counts."""

    def __init__(self) -> None:
        self._dealt: DealtTasks[TaskT] = DealtTasks()
        self._proposed: set[str] = set()

    @abstractmethod
    def holds(self, task: TaskT) -> bool:
        """Return whether what a task is about is still here; a study may have changed since it was dealt."""

    @abstractmethod
    def _deal(self, rater_id: str, number: int, now: float) -> TaskT | None:
        """Return the task that a rater gets as the ``number``-th; None when there are no more."""

    @abstractmethod
    def _count(self, task: TaskT, step: int) -> None:
        """Count a task (1), or count it no more (-1)."""

    def raters(self) -> Iterator[Rater]:
        """Yield all raters in the order in which they were invited."""
        return self._dealt.raters()

    def rater(self, rater_id: str) -> Rater | None:
        """Return a rater by id."""
        return self._dealt.rater(rater_id)

    def dealt(self, rater_id: str, task_id: str) -> TaskT | None:
        """Return a task by id, if it was dealt to this rater."""
        return self._dealt.dealt(rater_id, task_id)

    def current(self, rater_id: str) -> TaskT | None:
        """Return the task that is before a rater; None when one has to be dealt, or when there are no more."""
        first = next(iter(self._dealt.open_tasks(rater_id)), None)
        return first if first and self.holds(first) else None

    def propose(self, rater_id: str, now: float, after: TaskT | None = None) -> TaskT | None:
        """Return a task to deal, as if ``after`` were answered; None: there is one already, or there are no more.

        It counts as dealt at once, so that a hundred raters at the same moment do not all get the same. If it is not
        dealt in the end, :meth:`withdraw` it.
        """
        waiting = [task for task in self._dealt.open_tasks(rater_id) if not after or task.number != after.number]
        if waiting and self.holds(waiting[0]):
            return None
        # A task about what is gone from the study gives its place to another.
        gone = waiting[0] if waiting else None
        number = gone.number if gone else max(self._dealt.tasks(rater_id), default=0) + 1
        task = self._deal(rater_id, number, now)
        if task is None:
            return None
        proposed: TaskT = _changed(task, undone=gone.undone if gone else 0)
        self._proposed.add(proposed.id)
        self._count(proposed, 1)
        return proposed

    def withdraw(self, task: TaskT) -> None:
        """Take back a proposal that was not dealt."""
        self._proposed.remove(task.id)
        self._count(task, -1)

    def reopened(self, rater_id: str) -> TaskT | None:
        """Return the last answered task, open again; None when there is none, or when it was just taken back."""
        task = self._dealt.undoable(rater_id)
        if task is None:
            return None
        opened: TaskT = _changed(task, choices=None, cast_at=None, seconds=None, undone=task.undone + 1)
        return opened

    def _set_task(self, task: TaskT) -> None:
        before = self._dealt.set_task(task)
        if before is not None:
            self._count(before, -1)
        if task.id in self._proposed:
            self._proposed.remove(task.id)  # it is counted already
        else:
            self._count(task, 1)

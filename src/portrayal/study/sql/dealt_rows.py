"""Tasks dealt to raters and what these answered, in a server's database: two tables, and the way there and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import Column, Connection, Double, Integer, MetaData, Table, Text, UniqueConstraint, bindparam, delete

from portrayal.study.sql.noun_rows import checksum_column, put, row_of, rows_of
from portrayal.study.sql.rater import AnsweredTask

__all__ = ["DealtRows", "make_answers_table", "make_tasks_table"]

Rows = list[dict[str, Any]]


TaskT = TypeVar("TaskT", bound=AnsweredTask)


def make_tasks_table(name: str, metadata: MetaData, about: Iterable[str]) -> Table:
    """Return a table of dealt tasks; the columns ``about`` say what a task shows."""
    return Table(
        name,
        metadata,
        Column("rater", Text, primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("id", Text, nullable=False),
        *(Column(column, Text, nullable=False) for column in about),
        Column("dealt_at", Double, nullable=False),
        Column("undone", Integer, nullable=False),
        checksum_column(),
        UniqueConstraint("id"),
    )


def make_answers_table(name: str, metadata: MetaData, task: str, question: str) -> Table:
    """Return a table of what was chosen, a row for each question; ``task`` and ``question`` are its first columns."""
    return Table(
        name,
        metadata,
        Column(task, Text, primary_key=True),
        Column(question, Text, primary_key=True),
        Column("choice", Text, nullable=False),
        Column("cast_at", Double, nullable=False),
        Column("seconds", Double, nullable=False),
        checksum_column(),
    )


@dataclass(frozen=True, slots=True)
class DealtRows(Generic[TaskT]):
    """The tables of tasks and of answers, and ``make``, which makes a task of its fields."""

    tasks: Table
    answers: Table
    make: Callable[..., TaskT]

    def put(self, connection: Connection, tasks: Iterable[TaskT]) -> None:
        """Write tasks over what is there: the open ones as dealt, of the others what was chosen."""
        tasks = list(tasks)
        dealt = [task for task in tasks if task.choices is None]
        put(connection, self.tasks, [row_of(self.tasks, task) for task in dealt])
        task_id, _ = self.answers.primary_key.columns
        if reopened := [{"reopened": task.id} for task in dealt if task.undone]:
            connection.execute(delete(self.answers).where(task_id == bindparam("reopened")), reopened)
        put(connection, self.answers, [row for task in tasks for row in self._answer_rows(task)])

    def read(self, connection: Connection) -> list[TaskT]:
        """Return every task as it stands, each rater's in their order."""
        task_id, question = (column.name for column in self.answers.primary_key.columns)
        answers: defaultdict[str, Rows] = defaultdict(list)
        for row in rows_of(connection, self.answers):
            answers[row[task_id]].append(row)
        tasks = []
        for row in rows_of(connection, self.tasks, self.tasks.c.rater, self.tasks.c.number):
            if given := answers[row["id"]]:
                row["choices"] = {answer[question]: answer["choice"] for answer in given}
                row["cast_at"], row["seconds"] = given[0]["cast_at"], given[0]["seconds"]
            tasks.append(self.make(**row))
        return tasks

    def _answer_rows(self, task: TaskT) -> Rows:
        task_id, question = (column.name for column in self.answers.primary_key.columns)
        cast = {task_id: task.id, "cast_at": task.cast_at, "seconds": task.seconds}
        return [{**cast, question: name, "choice": choice} for name, choice in (task.choices or {}).items()]

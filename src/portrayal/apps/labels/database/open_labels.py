"""The database of labels, in the study's own file or where the user says: its tables, and how it is opened and read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Double, Integer, MetaData, Table, Text, UniqueConstraint, bindparam, delete

from portrayal.apps.labels.labelling.picture import Change, LabelTask, Picture
from portrayal.study.sql.database import DatabaseAddress, parse_database_address
from portrayal.study.sql.noun_rows import checksum_column, make_meta_table, put, row_of, rows_of
from portrayal.study.sql.rater_rows import make_raters_table, put_raters, read_raters
from portrayal.study.sql.store import Layout, ServerStore, read_answers

__all__ = ["labels_address", "open_labels", "read_labels"]

METADATA = MetaData()

raters_table = make_raters_table("labels_raters", METADATA)
pictures_table = Table(
    "labels_pictures",
    METADATA,
    Column("image", Text, primary_key=True),
    Column("side", Text, primary_key=True),
    Column("ext", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("probability", Double),
    Column("number", Integer, nullable=False),
    Column("drawn_at", Double, nullable=False),
    checksum_column(),
)
tasks_table = Table(
    "labels_tasks",
    METADATA,
    Column("rater", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("id", Text, nullable=False),
    Column("image", Text, nullable=False),
    Column("side", Text, nullable=False),
    Column("dealt_at", Double, nullable=False),
    Column("undone", Integer, nullable=False),
    checksum_column(),
    UniqueConstraint("id"),
)
choices_table = Table(
    "labels_choices",
    METADATA,
    Column("task", Text, primary_key=True),
    Column("attribute", Text, primary_key=True),
    Column("choice", Text, nullable=False),
    Column("cast_at", Double, nullable=False),
    Column("seconds", Double, nullable=False),
    checksum_column(),
)
meta_table = make_meta_table("labels_meta", METADATA)

Rows = list[dict[str, Any]]


def write_all(connection: Connection, changes: Iterable[Change]) -> None:
    """Write what the changes say over what is there. Writing the same again changes nothing."""
    changes = list(changes)
    dealt = [task for change in changes for task in change.tasks if task.choices is None]
    cast = [task for change in changes for task in change.tasks if task.choices is not None]
    put_raters(connection, raters_table, [rater for change in changes for rater in change.raters])
    put(connection, pictures_table, [row_of(pictures_table, one) for change in changes for one in change.pictures])
    put(connection, tasks_table, [row_of(tasks_table, task) for task in dealt])
    if reopened := [{"reopened": task.id} for task in dealt if task.undone]:
        connection.execute(delete(choices_table).where(choices_table.c.task == bindparam("reopened")), reopened)
    put(connection, choices_table, [row for task in cast for row in _choice_rows(task)])


def read_all(connection: Connection) -> Change:
    """Return every rater, task and picture as they stand."""
    cast: defaultdict[str, Rows] = defaultdict(list)
    for row in rows_of(connection, choices_table):
        cast[row["task"]].append(row)
    dealt = rows_of(connection, tasks_table, tasks_table.c.rater, tasks_table.c.number)
    tasks = [_task(row, cast[row["id"]]) for row in dealt]
    pictures = [Picture(**row) for row in rows_of(connection, pictures_table, pictures_table.c.number)]
    return Change(list(read_raters(connection, raters_table)), tasks, pictures)


def _task(row: Mapping[str, Any], cast: Rows) -> LabelTask:
    if not cast:
        return LabelTask(**row)
    choices = {said["attribute"]: said["choice"] for said in cast}
    return LabelTask(**row, choices=choices, cast_at=cast[0]["cast_at"], seconds=cast[0]["seconds"])


def _choice_rows(task: LabelTask) -> Rows:
    cast = {"task": task.id, "cast_at": task.cast_at, "seconds": task.seconds}
    return [{**cast, "attribute": name, "choice": choice} for name, choice in (task.choices or {}).items()]


LAYOUT = Layout[Change](
    "labelling", "labels", "1", METADATA, meta=meta_table, read=read_all, write=write_all, instead="use its watch page"
)


def labels_address(database: str, root: Path) -> DatabaseAddress:
    """Return the database that ``database`` names, or without one ``labels/labels.sqlite`` in the study."""
    return parse_database_address(database, root / "labels" / "labels.sqlite")


def open_labels(database: str, root: Path) -> ServerStore[Change]:
    """Open the labels of the study in ``root``, made if need be; a one-line error if another server has them."""
    return ServerStore.open(labels_address(database, root), LAYOUT)


def read_labels(database: str, root: Path) -> Change:
    """Return everything that is there, without taking it from the server that may be running."""
    return read_answers(labels_address(database, root), LAYOUT, f"portrayal labels serve {root}")

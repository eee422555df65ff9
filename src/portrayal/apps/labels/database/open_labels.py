"""The database of labels, in the study's own file or where the user says: its tables, and how it is opened and read."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import Column, Connection, Double, Integer, MetaData, Table, Text

from portrayal.apps.labels.labelling.picture import Change, LabelTask, Picture
from portrayal.study.sql.database import DatabaseAddress, parse_database_address
from portrayal.study.sql.dealt_rows import DealtRows, make_answers_table, make_tasks_table
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
tasks_table = make_tasks_table("labels_tasks", METADATA, ("image", "side"))
choices_table = make_answers_table("labels_choices", METADATA, "task", "attribute")
meta_table = make_meta_table("labels_meta", METADATA)
TASKS = DealtRows(tasks_table, choices_table, LabelTask)


def write_all(connection: Connection, changes: Iterable[Change]) -> None:
    """Write what the changes say over what is there. Writing the same again changes nothing."""
    changes = list(changes)
    put_raters(connection, raters_table, [rater for change in changes for rater in change.raters])
    put(connection, pictures_table, [row_of(pictures_table, one) for change in changes for one in change.pictures])
    TASKS.put(connection, [task for change in changes for task in change.tasks])


def read_all(connection: Connection) -> Change:
    """Return every rater, task and picture as they stand."""
    pictures = [Picture(**row) for row in rows_of(connection, pictures_table, pictures_table.c.number)]
    return Change(list(read_raters(connection, raters_table)), TASKS.read(connection), pictures)


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
    return read_answers(labels_address(database, root), LAYOUT, f"portrayal labels serve {shlex.quote(str(root))}")

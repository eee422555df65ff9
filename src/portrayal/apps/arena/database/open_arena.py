"""The arena's database, in the study's own file or where the user says: its tables, and how it is opened and read."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import Connection, MetaData

from portrayal.apps.arena.battles.battle import Battle, Change
from portrayal.study.sql.database import DatabaseAddress, parse_database_address
from portrayal.study.sql.dealt_rows import DealtRows, make_answers_table, make_tasks_table
from portrayal.study.sql.noun_rows import make_meta_table
from portrayal.study.sql.rater_rows import make_raters_table, put_raters, read_raters
from portrayal.study.sql.store import Layout, ServerStore, read_answers

__all__ = ["arena_address", "open_arena", "read_arena"]

METADATA = MetaData()
SHOWN = ("prompt", "left_model", "left_image", "right_model", "right_image", "check")

raters_table = make_raters_table("arena_raters", METADATA)
battles_table = make_tasks_table("arena_battles", METADATA, SHOWN)
votes_table = make_answers_table("arena_votes", METADATA, "battle", "aspect")
meta_table = make_meta_table("arena_meta", METADATA)
BATTLES = DealtRows(battles_table, votes_table, Battle)


def write_all(connection: Connection, changes: Iterable[Change]) -> None:
    """Write what the changes say over what is there. Writing the same again changes nothing.

    So a commit can be tried again when it is unknown whether it came through before the connection broke.
    """
    changes = list(changes)
    put_raters(connection, raters_table, [rater for change in changes for rater in change.raters])
    BATTLES.put(connection, [battle for change in changes for battle in change.battles])


def read_all(connection: Connection) -> Change:
    """Return every rater and battle as they stand."""
    return Change(list(read_raters(connection, raters_table)), BATTLES.read(connection))


LAYOUT = Layout[Change](
    "arena", "votes", "2", METADATA, meta=meta_table, read=read_all, write=write_all, instead="use its admin page"
)


def arena_address(database: str, root: Path) -> DatabaseAddress:
    """Return the database that ``database`` names, or without one ``arena/votes.sqlite`` in the study."""
    return parse_database_address(database, root / "arena" / "votes.sqlite")


def open_arena(database: str, root: Path) -> ServerStore[Change]:
    """Open the arena of the study in ``root``, made if need be; a one-line error if another server has it."""
    return ServerStore.open(arena_address(database, root), LAYOUT)


def read_arena(database: str, root: Path) -> Change:
    """Return every rater and battle of an arena, without taking it from the server that may be running."""
    return read_answers(arena_address(database, root), LAYOUT, f"portrayal arena serve {shlex.quote(str(root))}")

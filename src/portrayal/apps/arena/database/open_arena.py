"""The arena's database, in the study's own file or where the user says: its tables, and how it is opened and read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Double,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    delete,
)

from portrayal.apps.arena.battles.battle import Battle, Change
from portrayal.study.sql.database import DatabaseAddress, parse_database_address
from portrayal.study.sql.noun_rows import checksum_column, make_meta_table, put, row_of, rows_of
from portrayal.study.sql.rater_rows import make_raters_table, put_raters, read_raters
from portrayal.study.sql.store import Layout, ServerStore, read_answers

__all__ = ["arena_address", "open_arena", "read_arena"]

METADATA = MetaData()

raters_table = make_raters_table("arena_raters", METADATA)
battles_table = Table(
    "arena_battles",
    METADATA,
    Column("rater", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("id", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("left_model", Text, nullable=False),
    Column("left_image", Text, nullable=False),
    Column("right_model", Text, nullable=False),
    Column("right_image", Text, nullable=False),
    Column("check", Text, nullable=False),
    Column("dealt_at", Double, nullable=False),
    Column("undone", Integer, nullable=False),
    checksum_column(),
    UniqueConstraint("id"),
)
votes_table = Table(
    "arena_votes",
    METADATA,
    Column("battle", Text, primary_key=True),
    Column("aspect", Text, primary_key=True),
    Column("choice", Text, nullable=False),
    Column("cast_at", Double, nullable=False),
    Column("seconds", Double, nullable=False),
    checksum_column(),
)
meta_table = make_meta_table("arena_meta", METADATA)

Rows = list[dict[str, Any]]


def write_all(connection: Connection, changes: Iterable[Change]) -> None:
    """Write what the changes say over what is there. Writing the same again changes nothing.

    So a commit can be tried again when it is unknown whether it came through before the connection broke.
    """
    changes = list(changes)
    dealt = [battle for change in changes for battle in change.battles if battle.choices is None]
    cast = [battle for change in changes for battle in change.battles if battle.choices is not None]
    put_raters(connection, raters_table, [rater for change in changes for rater in change.raters])
    put(connection, battles_table, [row_of(battles_table, battle) for battle in dealt])
    if reopened := [{"reopened": battle.id} for battle in dealt if battle.undone]:
        connection.execute(delete(votes_table).where(votes_table.c.battle == bindparam("reopened")), reopened)
    put(connection, votes_table, [row for battle in cast for row in _vote_rows(battle)])


def read_all(connection: Connection) -> Change:
    """Return every rater and battle as they stand."""
    cast: defaultdict[str, Rows] = defaultdict(list)
    for row in rows_of(connection, votes_table):
        cast[row["battle"]].append(row)
    dealt = rows_of(connection, battles_table, battles_table.c.rater, battles_table.c.number)
    return Change(list(read_raters(connection, raters_table)), [_battle(row, cast[row["id"]]) for row in dealt])


def _battle(row: Mapping[str, Any], cast: Rows) -> Battle:
    if not cast:
        return Battle(**row)
    choices = {vote["aspect"]: vote["choice"] for vote in cast}
    return Battle(**row, choices=choices, cast_at=cast[0]["cast_at"], seconds=cast[0]["seconds"])


def _vote_rows(battle: Battle) -> Rows:
    cast = {"battle": battle.id, "cast_at": battle.cast_at, "seconds": battle.seconds}
    return [{**cast, "aspect": aspect, "choice": choice} for aspect, choice in (battle.choices or {}).items()]


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
    return read_answers(arena_address(database, root), LAYOUT, f"portrayal arena serve {root}")

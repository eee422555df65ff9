"""The arena's database: in the study's own file, or where the user says."""

from __future__ import annotations

from pathlib import Path

from portrayal.arena.battles.battle import Change
from portrayal.study.arena.tables import METADATA, meta_table, read_all, write_all
from portrayal.study.sql.database import DatabaseAddress, parse_database_address
from portrayal.study.sql.store import Layout, ServerStore, read_answers

__all__ = ["arena_address", "open_arena", "read_arena"]

LAYOUT = Layout[Change]("arena", "votes", "1", METADATA, meta_table, read_all, write_all, "use its admin page")


def arena_address(database: str, root: Path) -> DatabaseAddress:
    """Return the database that ``database`` names, or without one ``arena/votes.sqlite`` in the study."""
    return parse_database_address(database, root / "arena" / "votes.sqlite")


def open_arena(database: str, root: Path) -> ServerStore[Change]:
    """Open the arena of the study in ``root``, made if need be; a one-line error if another server has it."""
    return ServerStore.open(arena_address(database, root), LAYOUT)


def read_arena(database: str, root: Path) -> Change:
    """Return every rater and battle of an arena, without taking it from the server that may be running."""
    return read_answers(arena_address(database, root), LAYOUT, f"portrayal arena serve {root}")

"""The database of annotators' answers: a file in a folder of its own."""

from __future__ import annotations

from pathlib import Path

from portrayal.errors import StudyError
from portrayal.graph.answers import AnswerChange
from portrayal.graph.domain import Domain
from portrayal.study.graph.tables import METADATA, meta_table, read_all, write_all
from portrayal.study.sql.database import DatabaseAddress, parse_database_address
from portrayal.study.sql.store import Layout, ServerStore
from portrayal.study.sql.store import read_answers as read_database

__all__ = ["check_answers", "open_answers", "read_answers"]

LAYOUT = Layout[AnswerChange]("annotation", "answers", "1", METADATA, meta_table, read_all, write_all)


def open_answers(folder: Path) -> ServerStore[AnswerChange]:
    """Open the answers in a folder, made if need be; a one-line error if another server has them."""
    return ServerStore.open(_address(folder), LAYOUT)


def read_answers(folder: Path, domain: Domain) -> AnswerChange:
    """Return all answers in a folder, without taking them from the server that may be running."""
    found = read_database(_address(folder), LAYOUT, f"portrayal graph serve {folder}")
    check_answers(found, domain, folder)
    return found


def check_answers(found: AnswerChange, domain: Domain, folder: Path) -> None:
    """Refuse answers about other vertices than those of the domain: they were asked with other options."""
    for end in (end for own in found.judgements for end in own.pair):
        if end not in domain.by_key:
            raise StudyError(
                f"{folder}: holds answers about {end.kind} {end.name!r}, which is not asked for; "
                "give --vertices and --kind as before, or another folder"
            )


def _address(folder: Path) -> DatabaseAddress:
    return parse_database_address("", folder / "answers.sqlite")

"""The database of annotators' answers, a file in a folder of its own: its tables, and how it is opened and read."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Double, MetaData, Table, Text, UniqueConstraint

from portrayal.apps.graph.annotations.judgements import Annotator, AnswerChange, Judgement
from portrayal.errors import StudyError
from portrayal.graph.domain import Domain
from portrayal.graph.graph_csv import id_of, key_of
from portrayal.store.own_files import check_own
from portrayal.study.sql.database import DatabaseAddress, parse_database_address
from portrayal.study.sql.noun_rows import checksum_column, make_meta_table, put, row_of, rows_of
from portrayal.study.sql.store import Layout, ServerStore
from portrayal.study.sql.store import read_answers as read_database

__all__ = ["check_answers", "open_answers", "read_answers"]

METADATA = MetaData()

annotators_table = Table(
    "graph_annotators",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("token_hash", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("invited_at", Double, nullable=False),
    Column("consented_at", Double),
    checksum_column(),
    UniqueConstraint("name"),
)
judgements_table = Table(
    "graph_judgements",
    METADATA,
    Column("annotator", Text, primary_key=True),
    Column("source", Text, primary_key=True),
    Column("target", Text, primary_key=True),
    Column("types", Text),
    Column("at", Double, nullable=False),
    checksum_column(),
)
meta_table = make_meta_table("graph_meta", METADATA)


def write_all(connection: Connection, changes: Iterable[AnswerChange]) -> None:
    """Write what the changes say over what is there. Writing the same again changes nothing."""
    # One by one: of two answers to the same question in one transaction the later one counts.
    for change in changes:
        put(connection, annotators_table, [row_of(annotators_table, annotator) for annotator in change.annotators])
        put(connection, judgements_table, [_judgement_row(judgement) for judgement in change.judgements])


def read_all(connection: Connection) -> AnswerChange:
    """Return all annotators, in the order in which they were invited, and what they judged."""
    people = rows_of(connection, annotators_table, annotators_table.c.invited_at, annotators_table.c.name)
    answers = rows_of(connection, judgements_table)
    return AnswerChange([Annotator(**row) for row in people], [_judgement(row) for row in answers])


def _judgement_row(judgement: Judgement) -> dict[str, Any]:
    source, target = judgement.pair
    types = None if judgement.types is None else ";".join(sorted(judgement.types))
    return {
        "annotator": judgement.annotator,
        "source": id_of(source),
        "target": id_of(target),
        "types": types,
        "at": judgement.at,
    }


def _judgement(row: Mapping[Any, Any]) -> Judgement:
    types = None if row["types"] is None else frozenset(filter(None, row["types"].split(";")))
    return Judgement(row["annotator"], (key_of(row["source"]), key_of(row["target"])), types, row["at"])


LAYOUT = Layout[AnswerChange]("annotation", "answers", "2", METADATA, meta=meta_table, read=read_all, write=write_all)


def open_answers(folder: Path) -> ServerStore[AnswerChange]:
    """Open the answers in a folder, made if need be; a one-line error if another server has them."""
    return ServerStore.open(_address(folder), LAYOUT)


def read_answers(folder: Path, domain: Domain) -> AnswerChange:
    """Return all answers in a folder, without taking them from the server that may be running."""
    answers = read_database(_address(folder), LAYOUT, f"portrayal graph serve {shlex.quote(str(folder))}")
    check_answers(answers, domain, folder)
    return answers


def check_answers(answers: AnswerChange, domain: Domain, folder: Path) -> None:
    """Refuse answers about other vertices than those of the domain: they were asked with other options."""
    for end in (end for judgement in answers.judgements for end in judgement.pair):
        if end not in domain.by_key:
            raise StudyError(
                f"{folder}: holds answers about {end.kind} {end.name!r}, which is not asked for; "
                "give --vertices and --kind as before, or another folder"
            )


def _address(folder: Path) -> DatabaseAddress:
    check_own(folder / "answers.sqlite")
    return parse_database_address("", folder / "answers.sqlite")

"""The tables of annotators' answers in SQL: who they are, what they judged, and what the database knows of itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Column, Connection, Double, MetaData, Table, Text, UniqueConstraint, select

from portrayal.graph.answers import Annotator, AnswerChange, Judgement
from portrayal.graph.tables import id_of, key_of
from portrayal.study.sql.put import put
from portrayal.study.sql.tables import make_meta_table, row_of

__all__ = ["METADATA", "meta_table", "read_all", "write_all"]

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
)
meta_table = make_meta_table("graph_meta", METADATA)


def write_all(connection: Connection, changes: Iterable[AnswerChange]) -> None:
    """Write what the changes say over what is there. Writing the same again changes nothing."""
    # One by one: of two answers to the same question in one transaction the later one counts.
    for change in changes:
        put(connection, annotators_table, [row_of(annotators_table, own) for own in change.annotators])
        put(connection, judgements_table, [_judgement_row(own) for own in change.judgements])


def read_all(connection: Connection) -> AnswerChange:
    """Return all annotators, in the order in which they were invited, and what they judged."""
    order = (annotators_table.c.invited_at, annotators_table.c.name)
    people = connection.execute(select(annotators_table).order_by(*order)).mappings()
    answers = connection.execute(select(judgements_table)).mappings()
    return AnswerChange([Annotator(**row) for row in people], [_judgement(row) for row in answers])


def _judgement_row(own: Judgement) -> dict[str, Any]:
    source, target = own.pair
    types = None if own.types is None else ";".join(sorted(own.types))
    return {"annotator": own.annotator, "source": id_of(source), "target": id_of(target), "types": types, "at": own.at}


def _judgement(row: Mapping[Any, Any]) -> Judgement:
    types = None if row["types"] is None else frozenset(filter(None, row["types"].split(";")))
    return Judgement(row["annotator"], (key_of(row["source"]), key_of(row["target"])), types, row["at"])

"""From records to Arrow tables and back, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, Protocol, TypeVar

import pyarrow as pa

__all__ = ["from_table", "record_schema", "schema_of", "to_table"]

_KINDS = {
    "text": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(),
    "texts": pa.list_(pa.string()), "ints": pa.list_(pa.int64()),
}  # fmt: skip


class Record(Protocol):
    """A dataclass whose fields are the columns of its schema."""

    def __init__(self, **columns: Any) -> None: ...


R = TypeVar("R", bound=Record)


def schema_of(columns: str) -> pa.Schema:
    """Return the schema of a table from the names of its columns, each with its kind behind a colon.

    >>> schema_of("word:text images:int").names
    ['word', 'images']
    """
    pairs = (column.split(":") for column in columns.split())
    return pa.schema([(name, _KINDS[kind]) for name, kind in pairs])


def record_schema(record: type, **others: pa.DataType) -> pa.Schema:
    """Return the schema of a dataclass of texts, numbers and yes or no; ``others`` are fields of other kinds."""
    kinds = {"str": "text"}
    written = {field.name: str(field.type).removesuffix(" | None") for field in fields(record)}
    return pa.schema([(name, others.get(name) or _KINDS[kinds.get(kind, kind)]) for name, kind in written.items()])


def to_table(records: Iterable[object], schema: pa.Schema) -> pa.Table:
    """Return ``records`` as a table of ``schema``; each field of the schema is an attribute of the record."""
    # Of two names at least, since of one it gives the value itself.
    fields = attrgetter(*schema.names, *schema.names[:1])
    columns = list(zip(*map(fields, records), strict=True)) or [()] * len(schema)
    arrays = [_array(_column(values, field), field.type) for values, field in zip(columns, schema, strict=False)]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    try:
        return pa.array(values, type=kind)
    except UnicodeEncodeError:
        # Of what is no text, such as bytes in the name of a file that an error speaks of, their numbers are written.
        if not pa.types.is_string(kind):
            raise
        return pa.array([text and text.encode(errors="backslashreplace").decode() for text in values], type=kind)


def _column(values: Sequence[Any], field: pa.Field) -> Sequence[Any]:
    if not (pa.types.is_list(field.type) and pa.types.is_struct(field.type.value_type)):
        return values
    names = [inner.name for inner in field.type.value_type]
    return [
        None if value is None else [{name: getattr(item, name) for name in names} for item in value] for value in values
    ]


def from_table(table: pa.Table, record: type[R]) -> Iterator[R]:
    """Yield one ``record`` per row; extra columns are an error, absent ones take the record's defaults."""
    names = table.column_names
    columns = [table.column(name).to_pylist(maps_as_pydicts="strict") for name in names]
    for values in zip(*columns, strict=True):
        yield record(**dict(zip(names, values, strict=True)))

"""Parquet files of a megabyte and less that unpack to a thousand times as much, and some that Arrow would not make."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

LONG = 1_000_000


def hostile_tables(schema: pa.Schema, text: str, texts: int = 800) -> Iterator[tuple[str, bytes]]:
    """Yield what each file is, and its bytes; of the columns of ``schema``, ``text`` holds so many long ``texts``."""
    random = np.random.default_rng(1).integers(32, 127, LONG, np.uint8).tobytes().decode()
    yield "a million rows", parquet(schema, {}, 1_000_000)
    yield "a long text in every row", parquet(schema, {text: pa.array([random[:400_000]] * texts)}, texts)
    zeros = {text: pa.array(["\0" * 400_000] * texts)}
    yield "zeros", parquet(schema, zeros, texts, use_dictionary=False)
    yield "pages of zeros", parquet(schema, zeros, texts, use_dictionary=False, write_batch_size=10)
    prefixes = {text: pa.array([random[:400_000]] * texts)}
    yield "prefixes", parquet(schema, prefixes, texts, use_dictionary=False, column_encoding={text: "DELTA_BYTE_ARRAY"})
    for name, kind in _NEW_COLUMNS.items():
        wider = schema.append(pa.field("more", kind))
        yield name, parquet(wider, {"more": pa.nulls(2, kind)}, 2)
    wide = pa.schema([*schema, *(pa.field(f"column {number}", pa.bool_()) for number in range(2_000))])
    yield "columns", parquet(wide, {}, 1)
    yield "deep columns", footer(nested(100_000))
    yield "columns without an end", footer(b"\x15\x04\x19\xfc" + b"\xff" * 8 + b"\x7f")
    yield "no columns", footer(b"\x15\x04\x16\x00")
    told = schema.with_metadata({"own_tables": "[" * 900_000})
    yield "a long note", parquet(told, {}, 0)
    lists = pa.ListArray.from_arrays([0, 3_000_000], pa.nulls(3_000_000, pa.int8()))
    yield "a list without an end", parquet(schema.append(pa.field("more", lists.type)), {"more": lists}, 1)


_NEW_COLUMNS: Mapping[str, pa.DataType] = {
    "wide nulls": pa.binary(1_000_000),
    "lists of fixed size": pa.list_(pa.int64(), 1_000_000),
}


def fullest_table(schema: pa.Schema, text: str) -> bytes:
    """Return a file of about a megabyte with as many rows, and nearly as long texts, as it may have."""
    random = np.random.default_rng(1).integers(32, 127, 600_000, np.uint8).tobytes().decode()
    words = pa.array([random[place : place + 1_000] for place in range(0, 600_000, 1_000)])
    return parquet(schema, {text: words.take(pa.array(np.arange(100_000) % len(words)))}, 100_000)


def parquet(schema: pa.Schema, columns: Mapping[str, pa.Array], rows: int, **how: Any) -> bytes:
    """Return a file with these columns; all others are empty."""
    arrays = [columns.get(field.name, pa.nulls(rows, field.type)) for field in schema]
    sink = io.BytesIO()
    table = pa.Table.from_arrays(arrays, schema=schema)
    pq.write_table(table, sink, row_group_size=max(rows, 1), compression="zstd", **how)
    return sink.getvalue()


def footer(data: bytes) -> bytes:
    """Return a file that is a footer alone."""
    return b"PAR1" + data + len(data).to_bytes(4, "little") + b"PAR1"


def nested(depth: int) -> bytes:
    """Return a footer whose only column lies inside so many others, in a file without rows."""
    count, digits = depth + 2, b""
    while count > 0x7F:
        digits, count = digits + bytes([count & 0x7F | 0x80]), count >> 7
    root, inner, leaf = b"\x48\x01r\x15\x02\x00", b"\x35\x00\x18\x01a\x15\x02\x00", b"\x15\x02\x25\x00\x18\x01b\x00"
    return b"\x15\x04\x19\xfc" + digits + bytes([count]) + root + inner * depth + leaf + b"\x16\x00\x19\x0c\x00"

"""Rows on their way between Parquet files and a table: in its columns, and as many at a time as is worth it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.store.tables.layout import readable
from portrayal.store.tables.parquet_bounds import open_parquet

__all__ = ["completed", "conformed", "is_word", "regrouped", "scan_file"]

Rows = TypeVar("Rows", pa.Table, pa.RecordBatch)


def completed(rows: Rows, columns: Iterable[str], schema: pa.Schema) -> Rows:
    """Return rows with the columns that an older version did not write yet, empty; but for keys, made of names."""
    for name in columns:
        if name not in schema.names:
            continue
        if name not in rows.schema.names:
            rows = rows.append_column(name, pa.nulls(rows.num_rows, schema.field(name).type))
    return rows


def conformed(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return rows in a table's schema."""
    return completed(rows, schema.names, schema).select(schema.names).cast(schema)


def scan_file(
    file: pa.NativeFile, columns: Sequence[str], encoded: Sequence[str], size: int
) -> Iterator[pa.RecordBatch]:
    """Yield a file's rows. Its reader keeps a megabyte of what it has read, so it goes when the file is done with."""
    parquet = open_parquet(file, read_dictionary=list(encoded))
    wanted = readable(columns, parquet.schema_arrow.names)
    for group in range(parquet.num_row_groups):
        # In this thread: several would each keep memory, and one of them reads ahead already.
        yield from parquet.iter_batches(size, row_groups=[group], columns=wanted, use_threads=False)


def regrouped(batches: Iterable[pa.Table], size: int) -> Iterator[pa.Table]:
    """Yield small batches together, as row groups of a size that is worth opening."""
    waiting: list[pa.Table] = []
    for batch in batches:
        waiting.append(batch)
        if sum(rows.num_rows for rows in waiting) >= size:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)


def is_word(column: pa.DictionaryArray, word: str) -> NDArray[np.bool_]:
    """Return where an encoded column has a word."""
    numbers = [place for place, name in enumerate(column.dictionary.to_pylist()) if name == word]
    return np.isin(column.indices.fill_null(-1).to_numpy(zero_copy_only=False), numbers)

"""How the rows of a table lie in its files: keys beside names, and which columns are worth a dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from portrayal.store.tables.keys import Keys, names_to_keys
from portrayal.store.tables.parquet_bounds import open_parquet

__all__ = ["Layout", "key_column", "keys_of", "readable"]

_KEY = "_key"


@dataclass(frozen=True, slots=True)
class Layout:
    """``keyed`` are columns of names whose keys are written beside them, since most readers need no more of a name.

    They are no columns of the table, and only those who ask for them see them. ``unique`` are columns in which few
    values come twice: a dictionary of them takes more room and time than it saves. ``times`` is how many times
    more rows than usual are opened at a time: fewer cost time, more cost memory.
    """

    keyed: Sequence[str] = ()
    unique: Sequence[str] = ()
    times: int = 1

    def stored(self, rows: pa.Table) -> pa.Table:
        """Return rows as they are written: with the keys of names."""
        for name in self.keyed:
            keys = [pa.array(names_to_keys(chunk)) for chunk in rows[name].chunks]
            rows = rows.append_column(key_column(name), pa.chunked_array(keys, pa.uint64()))
        return rows

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """Return the schema of what is written."""
        for name in self.keyed:
            schema = schema.append(pa.field(key_column(name), pa.uint64()))
        return schema

    def options(self, schema: pa.Schema) -> dict[str, Any]:
        """Return how Parquet is to write these columns. Keys of unique names are noise, which nothing makes smaller."""
        if not self.unique:
            return {"compression": "zstd"}
        noise = {key_column(name) for name in self.keyed if name in self.unique}
        paths = _paths(schema)
        plain = {path for path in paths if path.partition(".")[0] in noise.union(self.unique)}
        return {
            "use_dictionary": [path for path in paths if path not in plain],
            "compression": {path: "none" if path in noise else "zstd" for path in paths},
        }


def key_column(name: str) -> str:
    """Return what the column is called that has the keys of a column of names."""
    return name + _KEY


def readable(columns: Sequence[str], stored: Sequence[str]) -> list[str]:
    """Return which columns of a file to read: where an older version wrote no keys, the names themselves."""
    named = [name if name in stored else name.removesuffix(_KEY) for name in columns]
    return list(dict.fromkeys(named))


def keys_of(batch: pa.RecordBatch, name: str) -> Keys:
    """Return the keys of a column of names, be they there or only the names."""
    if (column := key_column(name)) in batch.schema.names:
        return np.asarray(batch[column].to_numpy())
    return names_to_keys(batch[name])


@lru_cache(maxsize=64)
def _paths(schema: pa.Schema) -> tuple[str, ...]:
    """Return what Parquet calls the columns, those inside of lists too."""
    sink = pa.BufferOutputStream()
    pq.write_table(schema.remove_metadata().empty_table(), sink)
    stored = open_parquet(pa.BufferReader(sink.getvalue())).schema
    return tuple(stored.column(place).path for place in range(len(stored)))

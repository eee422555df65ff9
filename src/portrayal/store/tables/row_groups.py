"""A table as it stands at one moment, to be read from any place on, and by other processes too."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from portrayal.errors import StorageError
from portrayal.store.tables.layout import readable
from portrayal.store.tables.parquet_bounds import open_parquet, read_footer
from portrayal.store.tables.parquet_file import read_errors
from portrayal.store.tables.row_batches import completed

__all__ = ["GroupRange", "RowGroups"]


@dataclass(frozen=True, slots=True)
class GroupRange:
    """A stretch of a table: the row groups from ``start`` on and before ``stop``, which have so many ``rows``."""

    start: int
    stop: int
    rows: int


@dataclass(frozen=True)
class RowGroups:
    """The row groups of a table's files, one after the other; whoever lists them has looked for damage.

    ``rows`` are those of each group, by file. Columns that an older version did not write yet are empty.
    """

    schema: pa.Schema
    files: tuple[Path, ...]
    rows: tuple[tuple[int, ...], ...]
    _footers: dict[Path, pq.FileMetaData] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        # Whoever is handed it reads the footers of those files that it needs.
        return {"schema": self.schema, "files": self.files, "rows": self.rows, "_footers": {}}

    @classmethod
    def of(cls, schema: pa.Schema, files: Sequence[Path]) -> RowGroups:
        """Return those of files that are whole."""
        footers = [read_footer(path) for path in files]
        rows = (tuple(footer.row_group(group).num_rows for group in range(footer.num_row_groups)) for footer in footers)
        return cls(schema, tuple(files), tuple(rows))

    def ranges(self, rows: int) -> list[GroupRange]:
        """Cut the table into stretches of about so many rows; how depends on the table alone."""
        ranges: list[GroupRange] = []
        start = held = 0
        sizes = [size for file in self.rows for size in file]
        for stop, size in enumerate(sizes, start=1):
            held += size
            if held >= rows or (stop == len(sizes) and held):
                ranges.append(GroupRange(start, stop, held))
                start, held = stop, 0
        return ranges

    def scan(
        self, columns: Sequence[str], encoded: Sequence[str] = (), start: int = 0
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield some columns from a row group on, each batch with the number of its group."""
        return self._read(range(start, sum(map(len, self.rows))), columns, encoded)

    def read(self, group: int, columns: Sequence[str], encoded: Sequence[str] = ()) -> Iterator[pa.RecordBatch]:
        """Yield some columns of a row group; those ``encoded`` as numbers of values."""
        return (batch for _, batch in self._read(range(group, group + 1), columns, encoded))

    def _read(
        self, groups: range, columns: Sequence[str], encoded: Sequence[str]
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield the batches of row groups with their numbers; each file is opened once."""
        start = groups.start
        while start < groups.stop:
            place = bisect_right(self._firsts, start) - 1
            path, first = self.files[place], self._firsts[place]
            end = min(first + len(self.rows[place]), groups.stop)
            with _opened(path) as file, read_errors(path):
                parquet = open_parquet(file, self._footer(path), read_dictionary=list(encoded))
                wanted = readable(columns, parquet.schema_arrow.names)
                for group in range(start, end):
                    rows = self.rows[place][group - first]
                    for batch in parquet.iter_batches(
                        rows, row_groups=[group - first], columns=wanted, use_threads=False
                    ):
                        yield group, completed(batch, columns, self.schema)
            start = end

    @cached_property
    def _firsts(self) -> list[int]:
        """The number of the first row group of each file."""
        return [0, *accumulate(len(sizes) for sizes in self.rows[:-1])]

    def _footer(self, path: Path) -> pq.FileMetaData:
        """Return what a file says of its row groups: it is long, and would take as long to read as one of them."""
        if path not in self._footers:
            self._footers[path] = read_footer(path)
        return self._footers[path]


def _opened(path: Path) -> pa.NativeFile:
    try:
        return pa.OSFile(str(path))
    except FileNotFoundError:
        raise StorageError(
            f"{path}: the file is gone, or cannot be seen where it is read; all workers must see the study's folder"
        ) from None

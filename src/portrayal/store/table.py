"""One table of a study: a folder of Parquet segments whose names say what they replace.

A segment is called ``FIRST-LAST.parquet``. Appending writes ``N-N``; compacting writes ``A-B`` from the segments A to
B; replacing the whole table writes ``0-N``. A segment whose range lies inside another's is dead, so the atomic rename
of the new file is the commit of all three, and a crash before the dead segments are deleted harms nothing.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from portrayal.store.files import TEMPORARY, atomic_file, storage_errors
from portrayal.store.reading import read_ahead

__all__ = ["READ_TRIES", "ROW_GROUP", "Segment", "Table"]

FANOUT = 16
WIDEST = FANOUT**3
"""Segments of this many batches are left alone, which bounds the cost of a merge."""
ROW_GROUP = 20_000
READ_TRIES = 5
"""How often a reader looks again when segments vanish under it."""
_NAME = re.compile(r"(\d{8})-(\d{8})\.parquet")


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """A Parquet file and the range of batches it holds."""

    first: int
    last: int
    path: Path

    @property
    def width(self) -> int:
        """How many batches the segment stands for."""
        return self.last - self.first + 1


class Table:
    """A table of one schema. One writer at a time; readers need no lock."""

    def __init__(self, folder: Path, schema: pa.Schema) -> None:
        self.folder = folder
        self.schema = schema
        self._upgraded = False
        self._known: list[Segment] | None = None

    def segments(self) -> list[Segment]:
        """Return the live segments in the order they were written: those whose range lies inside no other's."""
        live: list[Segment] = []
        for segment in sorted(self._all_segments(), key=lambda segment: (segment.first, -segment.last)):
            if not live or segment.last > live[-1].last:
                live.append(segment)
        return live

    @contextlib.contextmanager
    def sole_writer(self) -> Iterator[None]:
        """Remember the segments within: nobody else writes, and listing the folder for a million appends adds up."""
        self._known = self._all_segments()
        try:
            yield
        finally:
            self._known = None

    def paths(self) -> list[str]:
        """Return the live files, for DuckDB."""
        return [str(segment.path) for segment in self.segments()]

    def append(self, rows: pa.Table) -> None:
        """Add rows as one segment: all of them or, after a crash, none."""
        if rows.num_rows == 0:
            return
        self._upgrade()
        number = self._next()
        self._write(number, number, [rows])
        self._compact()

    def replace(self, batches: Iterable[pa.Table], metadata: Mapping[str, str] | None = None) -> None:
        """Make the batches the whole content of the table, in one step; with ``metadata`` until the next change."""
        self._write(0, self._next(), batches, metadata)
        self.clean()

    def metadata(self) -> dict[str, str]:
        """Return what was written with the rows."""
        with self._opened() as files:
            found = (pq.read_schema(files[-1]).metadata or {}) if files else {}
            return {key.decode(): text.decode() for key, text in found.items()}

    def batches(self, size: int = ROW_GROUP) -> Iterator[pa.Table]:
        """Yield the rows in order, ``size`` at a time."""
        with self._opened() as files:
            for file in files:
                for batch in pq.ParquetFile(file).iter_batches(size):
                    yield self._conform(pa.Table.from_batches([batch]))

    def scan(self, columns: Sequence[str], encoded: Sequence[str] = ()) -> Iterator[pa.RecordBatch]:
        """Yield some columns in order, ``ROW_GROUP`` rows or fewer at a time; those ``encoded`` as numbers of values.

        The next batch is unpacked while the caller works on one. Row group by row group: read as one stream, a file
        takes memory that grows with it.
        """
        with self._opened() as files:
            yield from read_ahead(
                self._completed(batch, columns) for file in files for batch in _scan(file, columns, encoded)
            )

    def count(self) -> int:
        """Return the number of rows, read from the segments' footers."""
        with self._opened() as files:
            return sum(pq.read_metadata(file).num_rows for file in files)

    def clean(self) -> None:
        """Delete dead segments and what a crash left half-written."""
        live = set(self.segments())
        with storage_errors(self.folder):
            for segment in self._all_segments():
                if segment not in live:
                    segment.path.unlink(missing_ok=True)
                    if self._known is not None:
                        self._known.remove(segment)
            for path in self.folder.glob(f"{TEMPORARY}*"):
                path.unlink(missing_ok=True)

    def _upgrade(self) -> None:
        """Give segments written by an older version the columns they lack: all segments of a table have the same."""
        if self._upgraded:
            return
        self._upgraded = True
        for segment in self.segments():
            if not self._whole(segment):
                self._write(segment.first, segment.last, _read([segment]))

    def current(self) -> bool:
        """Return whether no segment was written by an older version, without some of the columns."""
        return all(self._whole(segment) for segment in self.segments())

    def _whole(self, segment: Segment) -> bool:
        return set(self.schema.names) <= set(pq.read_schema(segment.path).names)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[list[pa.NativeFile]]:
        """Open all live segments at once: a writer may merge and delete them while they are read."""
        for attempt in range(READ_TRIES):
            with contextlib.ExitStack() as stack:
                try:
                    files = [stack.enter_context(pa.OSFile(str(segment.path))) for segment in self.segments()]
                except FileNotFoundError:
                    if attempt == READ_TRIES - 1:
                        raise
                    continue  # merged between listing and opening; the new listing is complete
                yield files
                return

    def _compact(self) -> None:
        """Merge like a counter to base FANOUT: as soon as FANOUT equal segments stand at the end, they become one."""
        while True:
            tail = self.segments()[-FANOUT:]
            widths = {segment.width for segment in tail}
            if len(tail) < FANOUT or len(widths) > 1 or widths.pop() >= WIDEST:
                return
            self._write(tail[0].first, tail[-1].last, _read(tail))
            self.clean()

    def _write(
        self, first: int, last: int, batches: Iterable[pa.Table], metadata: Mapping[str, str] | None = None
    ) -> None:
        path = self.folder / f"{first:08d}-{last:08d}.parquet"
        schema = self.schema.with_metadata(metadata) if metadata else self.schema
        with atomic_file(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for batch in _regrouped(self._conform(batch) for batch in batches):
                writer.write_table(batch, row_group_size=ROW_GROUP)
        segment = Segment(first, last, path)
        if self._known is not None and segment not in self._known:
            self._known.append(segment)

    def _conform(self, rows: pa.Table) -> pa.Table:
        """Return rows in the table's schema; a column that an older version did not write yet is empty."""
        for field in self.schema:
            if field.name not in rows.column_names:
                rows = rows.append_column(field, pa.nulls(rows.num_rows, field.type))
        return rows.select(self.schema.names).cast(self.schema)

    def _completed(self, batch: pa.RecordBatch, columns: Sequence[str]) -> pa.RecordBatch:
        """Return a batch with the columns that an older version did not write yet, empty."""
        for name in columns:
            if name not in batch.schema.names:
                batch = batch.append_column(name, pa.nulls(batch.num_rows, self.schema.field(name).type))
        return batch

    def _next(self) -> int:
        return max((segment.last for segment in self._all_segments()), default=-1) + 1

    def _all_segments(self) -> list[Segment]:
        if self._known is not None:
            return list(self._known)
        if not self.folder.is_dir():
            return []
        names = [(_NAME.fullmatch(path.name), path) for path in self.folder.iterdir()]
        return sorted(Segment(int(match[1]), int(match[2]), path) for match, path in names if match)


def _read(segments: Iterable[Segment]) -> Iterator[pa.Table]:
    for segment in segments:
        with pq.ParquetFile(segment.path) as file:
            for batch in file.iter_batches(ROW_GROUP):
                yield pa.Table.from_batches([batch])


def _scan(file: pa.NativeFile, columns: Sequence[str], encoded: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield a file's rows. Its reader keeps a megabyte of what it has read, so it goes when the file is done with."""
    parquet = pq.ParquetFile(file, read_dictionary=list(encoded))
    for group in range(parquet.num_row_groups):
        # In this thread: several would each keep memory, and one of them reads ahead already.
        yield from parquet.iter_batches(ROW_GROUP, row_groups=[group], columns=list(columns), use_threads=False)


def _regrouped(batches: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Yield small batches together, as row groups of a size that is worth opening."""
    waiting: list[pa.Table] = []
    for batch in batches:
        waiting.append(batch)
        if sum(own.num_rows for own in waiting) >= ROW_GROUP:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)

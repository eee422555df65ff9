"""One table of a study: a folder of Parquet segments whose names say what they replace.

A segment is called ``FIRST-LAST.CHECKSUM.parquet``. Appending writes ``N-N``; compacting writes ``A-B`` from the
segments A to B; replacing the whole table writes ``0-N``. A segment whose range lies inside another's is dead, so the
atomic rename of the new file is the commit of all three, and a crash before the dead ones are deleted harms nothing.

A segment is compared with its checksum, and its columns with the table's, before it is read for the first time, unless
it was written here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from portrayal.store.files import TEMPORARY, storage_errors
from portrayal.store.tables.layout import Layout
from portrayal.store.tables.parquet_bounds import open_parquet, read_footer
from portrayal.store.tables.parquet_file import (
    check_columns,
    check_file,
    do_nothing,
    read_errors,
    read_whole,
    write_parquet,
)
from portrayal.store.tables.reading_ahead import read_ahead
from portrayal.store.tables.row_batches import completed, conformed, regrouped, scan_file
from portrayal.store.tables.row_groups import RowGroups
from portrayal.store.tables.segment import Segment, list_segments, live_segments, segment_stem, vanished

__all__ = ["READ_TRIES", "ROW_GROUP", "Table"]

FANOUT = 16
WIDEST = FANOUT**3
"""Segments of this many batches are left alone, which bounds the cost of a merge."""
ROW_GROUP = 20_000
READ_TRIES = 5
"""How often a reader looks again when segments vanish under it."""


class Table:
    """A table of one schema. One writer at a time; readers need no lock.

    Segments of older versions may lack the columns that came ``later``.
    """

    def __init__(
        self, folder: Path, schema: pa.Schema, later: Collection[str] = (), layout: Layout | None = None
    ) -> None:
        self.folder = folder
        self._layout = layout or Layout()
        self.schema = schema
        self._later = later
        self._upgraded = False
        self._known: list[Segment] | None = None
        self._sound: set[Segment] = set()
        self._before_commit: Callable[[], None] = do_nothing

    def segments(self) -> list[Segment]:
        """Return the live segments in the order they were written: those whose range lies inside no other's."""
        return live_segments(self._all_segments())

    @contextlib.contextmanager
    def sole_writer(self, before_commit: Callable[[], None] = do_nothing) -> Iterator[None]:
        """Remember the segments within: nobody else writes, and listing the folder for a million appends adds up.

        ``before_commit`` raises an error when that is not so any more.
        """
        self._known, self._before_commit = self._all_segments(), before_commit
        try:
            yield
        finally:
            self._known, self._before_commit = None, do_nothing

    def paths(self) -> list[str]:
        """Return the live files, for DuckDB; none of them is damaged."""
        segments = self.segments()
        self._check(segments)
        return [str(segment.path) for segment in segments]

    def check(self) -> None:
        """Read every segment to its end; raise an error when one is damaged."""
        for segment in self.segments():
            self.check_segment(segment)

    def check_segment(self, segment: Segment) -> None:
        """Read a segment to its end; raise an error when it is damaged, or of another table."""
        read_whole(segment.path)
        check_columns(segment.path, self.schema, self._later)

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
        with self.opened() as files:
            stored = (open_parquet(files[-1]).schema_arrow.metadata or {}) if files else {}
            return {key.decode(): text.decode() for key, text in stored.items()}

    def batches(self, size: int = ROW_GROUP) -> Iterator[pa.Table]:
        """Yield the rows in order, ``size`` at a time."""
        with self.opened() as files:
            for file in files:
                for batch in open_parquet(file).iter_batches(size):
                    yield conformed(pa.Table.from_batches([batch]), self.schema)

    def scan(
        self, columns: Sequence[str], encoded: Sequence[str] = (), *, ahead: bool = True
    ) -> Iterator[pa.RecordBatch]:
        """Yield some columns in order, a row group or less at a time; those ``encoded`` as numbers of values.

        Keys of names may be asked for like columns; where they are not written, the names come instead.

        With ``ahead`` the next batch is unpacked in a thread while the caller works on one. Row group by row group:
        read as one stream, a file takes memory that grows with it.
        """
        with self.opened() as files:
            rows = (batch for file in files for batch in scan_file(file, columns, encoded, self._group))
            batches = (completed(batch, columns, self.schema) for batch in rows)
            yield from read_ahead(batches) if ahead else batches

    def row_groups(self) -> RowGroups:
        """Return the row groups as they are now, for several readers; none of the files is damaged."""
        segments = self.segments()
        self._check(segments)
        return RowGroups.of(self.schema, [segment.path for segment in segments])

    def count(self) -> int:
        """Return the number of rows, read from the segments' footers."""
        with self.opened() as files:
            return sum(open_parquet(file).metadata.num_rows for file in files)

    def clean(self) -> None:
        """Delete dead segments and what a crash left half-written."""
        live = set(self.segments())
        with storage_errors(self.folder):
            for segment in self._all_segments():
                if segment not in live:
                    self._delete(segment)
            for path in self.folder.glob(f"{TEMPORARY}*"):
                path.unlink(missing_ok=True)

    def _upgrade(self) -> None:
        """Give segments written by an older version the columns they lack: all segments of a table have the same."""
        if self._upgraded:
            return
        self._upgraded = True
        for segment in self.segments():
            if not self._whole(segment):
                self._write(segment.first, segment.last, self._read([segment]))
                self._delete(segment)

    def current(self) -> bool:
        """Return whether no segment was written by an older version, without some of the columns."""
        return all(self._whole(segment) for segment in self.segments())

    def _whole(self, segment: Segment) -> bool:
        self._check([segment])
        with read_errors(segment.path):
            return set(self.schema.names) <= set(read_footer(segment.path).schema.to_arrow_schema().names)

    def _check(self, segments: Iterable[Segment]) -> None:
        """Compare segments with their checksums and columns, each once."""
        for segment in segments:
            if segment not in self._sound:
                with read_errors(segment.path):
                    check_file(segment.path)
                check_columns(segment.path, self.schema, self._later)
                self._sound.add(segment)

    @contextlib.contextmanager
    def opened(self) -> Iterator[list[pa.NativeFile]]:
        """Open all live segments at once: a writer may merge and delete them while they are read."""
        for attempt in range(READ_TRIES):
            with contextlib.ExitStack() as stack:
                try:
                    segments = self.segments()
                    self._check(segments)  # first: opening what is no file could wait for ever
                    files = [stack.enter_context(pa.OSFile(str(segment.path))) for segment in segments]
                except FileNotFoundError:
                    if attempt == READ_TRIES - 1:
                        raise vanished(self.folder) from None
                    continue  # merged between listing and opening; the new listing is complete
                with read_errors(self.folder):
                    yield files
                return

    def _compact(self) -> None:
        """Merge like a counter to base FANOUT: as soon as FANOUT equal segments stand at the end, they become one."""
        while True:
            tail = self.segments()[-FANOUT:]
            widths = {segment.width for segment in tail}
            if len(tail) < FANOUT or len(widths) > 1 or widths.pop() >= WIDEST:
                return
            self._write(tail[0].first, tail[-1].last, self._read(tail))
            self.clean()

    def _write(
        self, first: int, last: int, batches: Iterable[pa.Table], metadata: Mapping[str, str] | None = None
    ) -> None:
        schema = self.schema.with_metadata(metadata) if metadata else self.schema
        rows = regrouped((conformed(batch, self.schema) for batch in batches), self._group)
        stem = self.folder / segment_stem(first, last)
        path = write_parquet(stem, schema, rows, self._group, self._before_commit, layout=self._layout)
        segment = Segment(first, last, path)
        self._sound.add(segment)
        if self._known is not None and segment not in self._known:
            self._known.append(segment)

    @property
    def _group(self) -> int:
        return ROW_GROUP * self._layout.times

    def _delete(self, segment: Segment) -> None:
        segment.path.unlink(missing_ok=True)
        self._sound.discard(segment)
        if self._known is not None and segment in self._known:
            self._known.remove(segment)

    def _read(self, segments: Iterable[Segment]) -> Iterator[pa.Table]:
        for segment in segments:
            self._check([segment])
            with read_errors(segment.path), open_parquet(segment.path) as file:
                for batch in file.iter_batches(ROW_GROUP):
                    yield pa.Table.from_batches([batch])

    def _next(self) -> int:
        return max((segment.last for segment in self._all_segments()), default=-1) + 1

    def _all_segments(self) -> list[Segment]:
        if self._known is not None:
            return list(self._known)
        return list_segments(self.folder)

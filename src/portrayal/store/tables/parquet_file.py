"""Parquet files whose names end in the checksum of their bytes, so that damage is found before it is believed.

``00000000-00000015.1f0e2d3c.parquet``: the last eight digits are the CRC-32 of the whole file, which finds every
flipped bit. Parquet's own checksums are of pages alone, not of their headers and of the footer, and DuckDB does not
look at them. A file without one was written by an older version and is read as it is.
"""

from __future__ import annotations

import contextlib
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from portrayal.errors import DamagedError
from portrayal.inputfile import open_regular
from portrayal.store.files import atomic_file
from portrayal.store.tables.layout import Layout
from portrayal.store.tables.parquet_bounds import GROUP, check_bounds, open_parquet, read_footer

__all__ = ["check_columns", "check_file", "do_nothing", "has_checksum", "read_errors", "read_whole", "write_parquet"]

_CHUNK = 1 << 20
_CHECKSUM = re.compile(r"\.([0-9a-f]{8})\.parquet")
_PLAIN = Layout()
_ADVICE = "'portrayal verify' on the study says what to do"


def do_nothing() -> None:
    """Ask for nothing before a commit."""


def write_parquet(
    stem: Path,
    schema: pa.Schema,
    batches: Iterable[pa.Table],
    row_group: int,
    before_commit: Callable[[], None] = do_nothing,
    layout: Layout = _PLAIN,
) -> Path:
    """Write a file in one step and return its path: ``stem``, then its checksum."""
    path = stem

    def named() -> Path:
        nonlocal path
        before_commit()
        path = stem.with_name(f"{stem.name}.{summed.checksum:08x}.parquet")
        return path

    with atomic_file(stem, named) as file:
        summed = _SummedFile(file)
        stored = layout.schema(schema)
        with pq.ParquetWriter(summed, stored, **layout.options(stored)) as writer:
            for batch in batches:
                most = max(GROUP // 4 * batch.num_rows // max(batch.nbytes, 1), 1)  # long texts: fewer rows
                writer.write_table(layout.stored(batch), row_group_size=min(row_group, most))
    return path


def has_checksum(path: Path) -> bool:
    """Return whether the name says what the bytes must be."""
    return _CHECKSUM.search(path.name) is not None


def check_file(path: Path) -> None:
    """Raise an error when the bytes of a file are not those that its name promises, or would unpack to too many."""
    promised = _CHECKSUM.search(path.name)
    if promised is not None and _checksum(path) != int(promised[1], 16):
        raise DamagedError(f"{path}: the file is damaged: its bytes are not those that were written; {_ADVICE}")
    with read_errors(path):
        check_bounds(path)


def check_columns(path: Path, schema: pa.Schema, optional: Collection[str] = ()) -> None:
    """Raise an error when a file lacks columns of ``schema``, or has them in another type: it is of another table."""
    with read_errors(path):
        stored = read_footer(path).schema.to_arrow_schema()
    for field in schema:
        places = stored.get_all_field_indices(field.name)
        if places and (len(places) > 1 or stored.field(places[0]).type != field.type):
            raise DamagedError(f"{path}: the file is of another table: its column '{field.name}' is another; {_ADVICE}")
        if not places and field.name not in optional:
            raise DamagedError(f"{path}: the file is of another table: it has no column '{field.name}'; {_ADVICE}")


def read_whole(path: Path) -> None:
    """Raise an error when a file cannot be read to its end; one without a checksum may hold other rows all the same."""
    check_file(path)
    with read_errors(path), open_parquet(path) as file:
        for _ in file.iter_batches():
            pass


@contextlib.contextmanager
def read_errors(path: Path) -> Iterator[None]:
    """Turn what Arrow says about a file that is no table, or not a whole one, into one line."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        line = next(iter(str(error).splitlines()), type(error).__name__)
        raise DamagedError(f"{path}: the file is damaged and cannot be read ({line}); {_ADVICE}") from error


def _checksum(path: Path) -> int:
    checksum, buffer = 0, bytearray(_CHUNK)
    with open_regular(path) as file:
        while count := file.readinto(buffer):
            checksum = zlib.crc32(memoryview(buffer)[:count], checksum)
    return checksum


class _SummedFile:
    """Takes the checksum of what is written to a file, as it is written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.checksum = 0
        self.closed = False

    def write(self, data: bytes) -> int:
        self.checksum = zlib.crc32(data, self.checksum)
        return self._file.write(data)

    def tell(self) -> int:
        return self._file.tell()

    def flush(self) -> None:
        self._file.flush()

"""The one door through which Parquet is read: nobody unpacks a file before it was found that it stays within bounds.

A few bytes of Parquet may stand for millions of rows: pages are packed, a value that repeats is counted, and one long
text may stand in a dictionary to which all rows point. What the footer and the headers of pages say is added up first;
Arrow and DuckDB take neither more rows nor more bytes than those say.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from portrayal.errors import DamagedError
from portrayal.inputfile import open_regular
from portrayal.store.tables.parquet_pages import DATA, DICTIONARY, Page, count_schema_elements, read_page
from portrayal.store.tables.parquet_words import equal_length

__all__ = ["check_bounds", "open_parquet", "read_footer"]

COLUMNS = 2_000
"""Columns and groups of columns of a file."""
FOOTER = 2**28
PAGE, GROUP = 2**26, 2**27
"""Bytes that a page may unpack to, and a row group with all texts that its rows point to; a quarter is written."""
ROWS, ROWS_PER_BYTE = 100_000, 0.5
VALUES, VALUES_PER_BYTE = 2_000_000, 24
BYTES, BYTES_PER_BYTE = 2**28, 1_000
"""Of a file: so many, and so many more for each of its bytes."""

_HEADERS = (2**8, 2**14, 2**20)
"""Bytes that are tried for the header of a page."""
_PLAIN, _DICTIONARIES, _RUNS = 0, (2, 8), (3, 4)
_SMALL = 2**22
"""Bytes of a column's texts, at most, for which nobody looks how long they are."""
_MODEST, _MODEST_PER_BYTE = 2**24, 100
"""Bytes of texts, and as many for each byte of the column, that may be reckoned as if every row had one."""
_TEXTS = "BYTE_ARRAY"
_FIXED = "FIXED_LEN_BYTE_ARRAY"


def open_parquet(source: Path | pa.NativeFile, footer: pq.FileMetaData | None = None, **options: Any) -> pq.ParquetFile:
    """Open a file whose bounds were checked; ``options`` are those of Arrow."""
    return pq.ParquetFile(source, metadata=footer, **options)


def read_footer(path: Path) -> pq.FileMetaData:
    """Return what a file says of itself, unless that alone is too much."""
    with open_regular(path) as file:
        return _footer(path, file)


def check_bounds(path: Path) -> None:
    """Raise an error when reading a file would take more than any table that Portrayal writes.

    Raises
    ------
    DamagedError
        It would.
    OSError, pa.ArrowException
        It is no Parquet, or a damaged one.
    """
    with open_regular(path) as file:
        _Bounds(path, file, _footer(path, file)).check()


def _footer(path: Path, file: BinaryIO) -> pq.FileMetaData:
    size = os.fstat(file.fileno()).st_size
    tail = os.pread(file.fileno(), 8, max(size - 8, 0))
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != b"PAR1" or length > size - 8:
        raise OSError("it does not end as Parquet does")
    if length > FOOTER:
        raise _too_much(path, f"{length:,} bytes about its columns; at most {FOOTER:,}")
    try:
        elements = count_schema_elements(os.pread(file.fileno(), min(length, 64), size - 8 - length))
    except ValueError as error:
        raise OSError(str(error)) from None
    if elements > COLUMNS:
        raise _too_much(path, f"{elements:,} columns; at most {COLUMNS:,}")
    return pq.read_metadata(file)


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of a row group: bytes and values of its pages, and the most bytes of texts that its rows point to.

    None: nobody knows those without looking.
    """

    name: str
    unpacked: int
    values: int
    texts: int | None


class _Bounds:
    """Adds up what one file unpacks to."""

    def __init__(self, path: Path, file: BinaryIO, footer: pq.FileMetaData) -> None:
        self._path, self._file, self._footer = path, file, footer
        self._size = os.fstat(file.fileno()).st_size

    def check(self) -> None:
        self._check_types()
        footer = self._footer
        groups = [footer.row_group(number) for number in range(footer.num_row_groups)]
        rows = [group.num_rows for group in groups]
        if min(rows, default=0) < 0 or sum(rows) != footer.num_rows:
            raise OSError("it has other rows than it says")
        self._compare(footer.num_rows, ROWS + int(self._size * ROWS_PER_BYTE), "rows")
        values = taken = 0
        for number, group in enumerate(groups):
            columns = [self._column(group, place) for place in range(group.num_columns)]
            values += sum(column.values for column in columns)
            self._compare(values, VALUES + self._size * VALUES_PER_BYTE, "values")
            taken += (takes := self._taken(number, columns))
            self._compare(takes, GROUP, "bytes in a row group")
            self._compare(taken, BYTES + self._size * BYTES_PER_BYTE, "bytes")

    def _compare(self, number: int, most: int, what: str) -> None:
        if number > most:
            raise _too_much(self._path, f"{number:,} {what}; at most {most:,}")

    def _check_types(self) -> None:
        """Refuse types that take memory for what is not there, and those that others bring."""
        schema = pq.ParquetFile(self._file, metadata=self._footer).schema_arrow
        for field in schema:
            for kind in _types(field.type):
                if not _is_plain(kind):
                    raise _too_much(self._path, f"a column of a type that no table has ({str(kind)[:80]})")

    def _column(self, group: pq.RowGroupMetaData, place: int) -> _Column:
        chunk, about = group.column(place), self._footer.schema.column(place)
        unpacked = values = dictionary = pointing = 0
        words: list[tuple[int, Page]] = []
        for place, page in self._pages(chunk):
            self._compare(page.unpacked, PAGE, "bytes in a page")
            unpacked += page.unpacked
            if page.kind == DICTIONARY:
                dictionary = max(dictionary, page.unpacked)
                words.append((place + page.header, page))
                if page.values > page.unpacked:
                    raise OSError("a dictionary has fewer words than it says")
            elif page.kind == DATA:
                values += page.values
                pointing += page.values if page.encoding in _DICTIONARIES else 0
                if page.encoding not in (_PLAIN, *_DICTIONARIES, *_RUNS):
                    raise _too_much(self._path, "values packed as Portrayal never packs them")
        flat = about.max_repetition_level == 0
        if values != chunk.num_values or values < group.num_rows or (flat and values > group.num_rows):
            raise OSError("its columns have other rows than it says")
        if chunk.physical_type == _FIXED:
            unpacked += values * about.length
        texts: int | None = dictionary * pointing if _is_text(chunk) else 0
        if texts and texts > _SMALL:
            texts = self._equal_texts(chunk, words, pointing)
        return _Column(chunk.path_in_schema, unpacked, values, texts)

    def _equal_texts(self, chunk: pq.ColumnChunkMetaData, words: Sequence[tuple[int, Page]], rows: int) -> int | None:
        """Return how long the texts of so many rows are where all words have one length; None where they have not."""
        if len(words) != 1:
            return None
        ((place, page),) = words
        length = equal_length(os.pread(self._file.fileno(), page.packed, place), chunk.compression, page)
        most = min(_MODEST, _MODEST_PER_BYTE * chunk.total_compressed_size)
        return None if length is None or length * rows > most else length * rows

    def _pages(self, chunk: pq.ColumnChunkMetaData) -> Iterator[tuple[int, Page]]:
        """Yield the pages of a column, and where they begin."""
        if not chunk.num_values:
            return
        starts = [chunk.data_page_offset, chunk.dictionary_page_offset if chunk.has_dictionary_page else None]
        place = min(start for start in starts if start is not None)
        end = place + chunk.total_compressed_size
        if not 0 <= place <= end <= self._size:
            raise OSError("a column lies outside of it")
        while place < end:
            page = self._page(place)
            yield place, page
            place += page.header + page.packed

    def _page(self, place: int) -> Page:
        for length in _HEADERS:
            try:
                return read_page(os.pread(self._file.fileno(), length, place))
            except IndexError:
                continue
            except (ValueError, KeyError):
                break
        raise OSError("the header of a page is damaged")

    def _taken(self, number: int, columns: Sequence[_Column]) -> int:
        """Return how many bytes the columns of a row group become, as far as anybody must know."""
        taken = sum(column.unpacked + 8 * column.values for column in columns)
        for column in columns:
            taken += self._texts(number, column) if column.texts is None else column.texts
        return taken

    def _texts(self, number: int, column: _Column) -> int:
        """Return how long all texts are that the rows point to; only the dictionary is unpacked, and the numbers."""
        parquet = pq.ParquetFile(self._file, metadata=self._footer, read_dictionary=[column.name])
        rows = parquet.read_row_group(number, columns=[column.name], use_threads=False)
        return sum(_length(array) for array in rows.column(0).chunks)


def _length(array: Any) -> int:
    """Return how long the texts of an array are, each as often as it is pointed to."""
    while isinstance(array, pa.ListArray | pa.StructArray):
        array = array.field(0) if isinstance(array, pa.StructArray) else array.values
    if isinstance(array, pa.DictionaryArray):
        lengths = pc.binary_length(array.dictionary).cast(pa.int64())
        return int(pc.sum(pc.take(lengths, array.indices)).as_py() or 0)
    return int(pc.sum(pc.binary_length(array).cast(pa.int64())).as_py() or 0)


def _types(kind: pa.DataType) -> Iterator[pa.DataType]:
    yield kind
    for place in range(kind.num_fields):
        yield from _types(kind.field(place).type)
    if pa.types.is_dictionary(kind):
        yield from _types(kind.value_type)


def _is_plain(kind: pa.DataType) -> bool:
    is_ = pa.types
    nested = is_.is_list(kind) or is_.is_large_list(kind) or is_.is_map(kind) or is_.is_struct(kind)
    texts = is_.is_string(kind) or is_.is_large_string(kind) or is_.is_binary(kind) or is_.is_large_binary(kind)
    return bool(nested or texts or is_.is_primitive(kind) or is_.is_dictionary(kind) or is_.is_null(kind))


def _is_text(chunk: pq.ColumnChunkMetaData) -> bool:
    return bool(chunk.physical_type == _TEXTS)


def _too_much(path: Path, what: str) -> DamagedError:
    return DamagedError(f"{path}: would take too much memory ({what}); Portrayal writes no such table")

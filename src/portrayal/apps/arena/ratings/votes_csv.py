"""Votes from the text of a CSV file, fast: a million rows in about a second."""

from __future__ import annotations

import csv
import io
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

from portrayal.apps.arena.ratings.vote_values import parse_outcome
from portrayal.apps.arena.ratings.votes import CategoricalColumn, Votes
from portrayal.csvfile import original_text
from portrayal.errors import InputError

__all__ = ["parse_votes_csv"]

_NEEDED = ("model_a", "model_b", "vote")
_MOST_COLUMNS = 1_000


def parse_votes_csv(data: bytes, name: str) -> Votes:
    """Return the votes in the bytes of a CSV file; columns beside ``model_a,model_b,vote`` are kept as groups.

    Parameters
    ----------
    data
        The file as it is on disk: UTF-8, its first line names the columns.
    name
        What messages call the file; those about a row say ``name:line``.
    """
    text = _utf8(data, name)
    header = _header(text, name)
    table = _table(text, header, name)
    if not table.num_rows:
        raise InputError(f"{name}: the file has a header but no votes; collect some first, then export them anew")
    columns = {column: _column(table.column(place)) for place, column in enumerate(header)}
    _check_quotes(columns, text, name)
    sides = columns.pop("model_a"), columns.pop("model_b")
    for side, column in zip(sides, _NEEDED, strict=False):
        if "" in side.names:
            row = int(np.argmax(side.codes == side.names.index("")))
            raise InputError(f"{_where(text, row, name)}: {column} is empty; every vote needs two models")
    return Votes.join(*sides, _outcomes(columns.pop("vote"), text, name), columns)


def _utf8(data: bytes, name: str) -> bytes:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}:{line}: not UTF-8 (byte {error.start}); save the file as UTF-8") from None
    text = data.removeprefix(b"\xef\xbb\xbf")
    return text if text.endswith((b"\n", b"\r")) else text + b"\n"  # Arrow fails on a header without an end


def _header(text: bytes, name: str) -> list[str]:
    # The header alone, so that a million rows are not split into lines for it.
    lines = csv.reader(io.TextIOWrapper(io.BytesIO(text), "utf-8", newline=""))
    try:
        header = next((line for line in lines if any(cell.strip() for cell in line)), [])
    except csv.Error as error:
        raise InputError(f"{name}:{lines.line_num}: not a CSV file: {error}") from None
    header = [original_text(cell.strip()) for cell in header]
    if not header:
        raise InputError(f"{name}: the file is empty; its first line must name the columns {', '.join(_NEEDED)}")
    for column in _NEEDED:
        if column not in header:
            raise InputError(f"{name}: column '{column}' is missing; {_has(header)}")
    if len(header) > _MOST_COLUMNS:
        raise InputError(f"{name}: has {len(header):,} columns, more than the {_MOST_COLUMNS:,} that are read")
    for column, times in Counter(header).items():
        if not column or times > 1:
            raise InputError(f"{name}: column {column!r} " + ("stands twice" if column else "has no name"))
    return header


def _has(header: Sequence[str]) -> str:
    for mark, called in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and mark in header[0]:
            return f"its columns are parted by {called}, save it with commas"
    return textwrap.shorten(f"the file has {', '.join(header)}", 200, placeholder=" …")


def _check_quotes(columns: Mapping[str, CategoricalColumn], text: bytes, name: str) -> None:
    """Find a quote that is never closed, or by accident: it would swallow the votes on the lines below it."""
    for column in (*_NEEDED, "aspect", "rater"):
        for code, value in enumerate(columns[column].names if column in columns else ()):
            if "\n" in value or "\r" in value:
                where = _where(text, int(np.argmax(columns[column].codes == code)), name)
                raise InputError(f"{where}: '{column}' has a line break in it; is a quote missing?")
    if text.count(b'"') % 2:
        lines = csv.reader(io.StringIO(text.decode(), newline=""), strict=True)
        try:
            for _ in lines:
                pass
        except csv.Error as error:
            raise InputError(f"{name}:{lines.line_num}: a quote is not closed here or above: {error}") from None


def _table(text: bytes, header: Sequence[str], name: str) -> pa.Table:
    places = [str(place) for place in range(len(header))]
    kind = pa.dictionary(pa.int32(), pa.string())
    try:
        return arrow_csv.read_csv(
            pa.BufferReader(text.lstrip()),  # blank lines before the header would be taken for it
            read_options=arrow_csv.ReadOptions(column_names=places, skip_rows_after_names=1),
            parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(places, kind)),
        )
    except pa.ArrowInvalid as error:
        raise InputError(_ragged(text, len(header), name) or f"{name}: not a CSV file: {error}") from None


def _column(column: pa.ChunkedArray) -> CategoricalColumn:
    chunk = column.unify_dictionaries().combine_chunks()
    if isinstance(chunk, pa.ChunkedArray):
        chunk = chunk.chunk(0)
    names = [original_text(text.strip()) for text in chunk.dictionary.to_pylist()]
    codes = chunk.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    if len(set(names)) == len(names):
        return CategoricalColumn(tuple(names), codes)
    unique = CategoricalColumn.of(names)  # texts that differed by blanks alone
    return replace(unique, codes=unique.codes[codes])


def _outcomes(votes: CategoricalColumn, text: bytes, name: str) -> Any:
    table = np.zeros(len(votes.names), dtype=np.int64)
    for code, vote in enumerate(votes.names):
        try:
            table[code] = parse_outcome(vote, "")
        except InputError:
            row = int(np.argmax(votes.codes == code))
            parse_outcome(vote, _where(text, row, name))
    return table[votes.codes]


def _lines(text: bytes) -> Any:
    """Yield the first line and the cells of each row as Python's reader sees them; slow, for messages only."""
    reader = csv.reader(io.StringIO(text.decode(), newline=""))
    return ((reader.line_num - sum(cell.rstrip().count("\n") for cell in row), row) for row in reader if row)


def _where(text: bytes, row: int, name: str) -> str:
    for number, (line, _) in enumerate(_lines(text)):
        if number == row + 1:
            return f"{name}:{line}"
    return f"{name}: row {row + 1}"


def _ragged(text: bytes, width: int, name: str) -> str:
    try:
        for line, row in _lines(text):
            if len(row) != width:
                return f"{name}:{line}: {len(row)} values, but the header has {width} columns"
    except csv.Error as error:
        return f"{name}: not a CSV file: {error}"
    return ""

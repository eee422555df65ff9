"""CSV files: reading users' and shipped ones, with errors that name the file and the line, and writing them.

A spreadsheet takes a text that begins with ``=`` for a formula, and a formula can send what stands beside it away. So
such texts are written with an apostrophe before them, which reading takes off again: what is read is what was written.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import TextIO

from portrayal.errors import InputError, did_you_mean
from portrayal.inputfile import open_text

__all__ = [
    "FORMULA",
    "NUMBER",
    "CsvRow",
    "csv_text",
    "finite",
    "iter_csv",
    "original_text",
    "read_csv",
    "read_shipped",
    "safe_cell",
    "write_csv",
]

# Blanks of other widths, and marks that are not seen: some programs take them off before they look at a cell.
_UNSEEN = "\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2069\u3000\ufeff"
FORMULA = rf"^([ \t\r\n\f\v'{_UNSEEN}]*[=+\-@＝＋－＠]|['{_UNSEEN}]*[\t\r\n])"
"""How a text begins that a spreadsheet could take for a formula; in a syntax that Arrow understands too."""
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_BREAK = "\r\n"
_FORMULA, _NUMBER = re.compile(FORMULA), re.compile(NUMBER)


@dataclass(frozen=True, slots=True)
class CsvRow:
    """One line of a CSV file; ``where`` is ``file:line`` for messages."""

    where: str
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values.get(column, "")

    def number(self, column: str, default: float | None = None) -> float:
        """Return a number, or say which line does not have one."""
        text = self[column]
        if not text and default is not None:
            return default
        number = finite(text)
        if number is None:
            raise InputError(f"{self.where}: column '{column}' must be a number, got {text!r}")
        return number


def finite(text: str) -> float | None:
    """Return the number that a cell holds, None where it is none or has no end.

    >>> finite("1e3"), finite("inf"), finite("many")
    (1000.0, None, None)
    """
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def safe_cell(value: object) -> object:
    """Return what a cell holds, a text that could be a formula with an apostrophe before it.

    >>> safe_cell("=1+1"), safe_cell("-0.5"), safe_cell(-0.5), safe_cell("'=1+1")
    ("'=1+1", '-0.5', -0.5, "''=1+1")
    """
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def original_text(cell: str) -> str:
    """Return the text that a cell was written for.

    >>> original_text("'=1+1"), original_text("'quoted'")
    ('=1+1', "'quoted'")
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def write_csv(file: TextIO, header: Iterable[object], rows: Iterable[Iterable[object]]) -> None:
    """Write a table that a spreadsheet opens without running anything in it."""
    writer = csv.writer(_Lines(file), lineterminator=_BREAK)
    writer.writerow(map(safe_cell, header))
    writer.writerows(map(safe_cell, row) for row in rows)


class _Lines:
    """Ends lines with a line feed alone.

    A writer puts quotes around the characters that end its lines and, in some versions of Python, around no other
    break; so it is told that both end them.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, line: str) -> int:
        """Write one row."""
        return self._file.write(f"{line.removesuffix(_BREAK)}\n")


def csv_text(header: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """Return such a table as text."""
    buffer = io.StringIO()
    write_csv(buffer, header, rows)
    return buffer.getvalue()


def read_csv(
    path: Path, required: Sequence[str], optional: Sequence[str] = (), *, others: bool = False
) -> list[CsvRow]:
    """Return the rows of ``path``. Missing or unknown columns, ragged lines and empty files are errors.

    Columns are parted by commas, semicolons or tabs, as the header is. ``others`` lets in any column.
    """
    return list(iter_csv(path, required, optional, others=others))


def iter_csv(
    path: Path, required: Sequence[str], optional: Sequence[str] = (), *, others: bool = False
) -> Iterator[CsvRow]:
    """Yield the rows of ``path`` as :func:`read_csv` returns them, with one of them in memory at a time."""
    with open_text(path, newline="") as file:
        lines = _lines(path, file)
        first = next(lines, None)
        if first is None:
            raise InputError(f"{path}: the file is empty; its first line must name the columns {', '.join(required)}")
        header = [original_text(name.strip()) for name in first[1]]
        _check_header(path, header, required, None if others else optional)
        any_row, name = False, str(path)
        for number, line in lines:
            any_row = True
            yield _row(f"{name}:{number}", header, line)
        if not any_row:
            raise InputError(f"{path}: the file has a header but no rows; fill it in, or check the path")


def _lines(path: Path, file: TextIO) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of lines that are not empty, each with its number."""
    before = []
    while line := file.readline():
        before.append(line)
        if line.strip("\r\n "):
            break
    reader = csv.reader(chain(before, file), delimiter=_delimiter(line), strict=True)
    try:
        for cells in reader:
            if "\0" in "".join(cells):
                raise InputError(f"{path}:{reader.line_num}: a NUL character stands in it; save the file as text again")
            if any(map(str.strip, cells)):
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not a CSV file: {error}") from None


def read_shipped(package: str, name: str, required: Sequence[str]) -> list[CsvRow]:
    """Return the rows of a table that a package ships in its folder ``data``."""
    with resources.as_file(resources.files(package) / "data" / name) as path:
        return read_csv(Path(path), required)


def _delimiter(header: str) -> str:
    """Return what parts the columns: spreadsheets of many countries write semicolons, for their numbers have commas.

    >>> _delimiter("path;model;prompt"), _delimiter("path,model;x"), _delimiter("text")
    (';', ',', ',')
    """
    return max(",;\t", key=header.count)  # of equally many the first


def _check_header(path: Path, header: list[str], required: Sequence[str], optional: Sequence[str] | None) -> None:
    """Refuse a header that lacks a column or has one too many; ``optional`` is None where any may be there."""
    for name in required:
        if name not in header:
            raise InputError(f"{path}: column '{name}' is missing; the file has {', '.join(header)}")
    known = {*header} if optional is None else {*required, *optional}
    for name in header:
        if name not in known:
            raise InputError(f"{path}: unknown column '{name}'{did_you_mean(name, known)}")
    if len(set(header)) != len(header):
        raise InputError(f"{path}: a column name stands twice in the header")


def _row(where: str, header: list[str], line: list[str]) -> CsvRow:
    if len(line) != len(header):
        raise InputError(f"{where}: {len(line)} values, but the header has {len(header)} columns")
    # Most cells are what they were written for, and files have millions of them.
    cells = [original_text(cell).strip() if cell[:1] == "'" else cell for cell in map(str.strip, line)]
    return CsvRow(where, dict(zip(header, cells, strict=True)))

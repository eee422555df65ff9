"""Reading a file that somebody gave: a regular one of a bounded size, and what it says nested no deeper than people do.

A pipe could wait for ever, a device never end, and a kernel's files say they are empty and then never end either: a
file's kind and size are looked at first, and no more is read than that size.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from portrayal.errors import InputError

__all__ = [
    "DEEPEST",
    "LARGEST",
    "decode_text",
    "is_too_deep",
    "open_regular",
    "open_text",
    "read_bytes",
    "read_regular",
    "read_text",
    "sha256",
]

LARGEST = 2**31
"""Bytes of a file that is read whole: some twenty million votes."""
DEEPEST = 50
"""Tables or lists inside one another; more would exhaust the stack of whoever walks through them."""

_BLOCK = 2**20
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """Return the content of a user's file, or say in one line why not."""
    with _input_errors(path):
        return read_regular(path, largest)


def read_regular(path: Path, largest: int = LARGEST) -> bytes:
    """Return the content of a regular file; one that is not there, or cannot be opened, is an ``OSError``."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > largest:
            raise InputError(f"{path}: has {size:,} bytes, more than the {largest:,} that are read")
        return file.read(size)


def read_text(path: Path) -> str:
    """Return a user's text file, or say in one line why not."""
    return decode_text(read_bytes(path), str(path))


def sha256(path: Path) -> str:
    """Return the digest of a user's file, which may be too large to be read whole."""
    digest = hashlib.sha256()
    with _input_errors(path), open_regular(path) as file:
        left = os.fstat(file.fileno()).st_size
        while left > 0 and (data := file.read(min(left, _BLOCK))):
            digest.update(data)
            left -= len(data)
    return digest.hexdigest()


@contextlib.contextmanager
def open_text(path: Path, newline: str | None = None) -> Iterator[TextIO]:
    """Open a user's text file that is too large to be read whole; what goes wrong while it is read is one line too.

    ``newline`` is that of ``open``. No more is read than the file had when it was opened.
    """
    with _input_errors(path), open_regular(path) as file:
        bounded = _Bounded(file, os.fstat(file.fileno()).st_size)
        try:
            yield io.TextIOWrapper(cast("BinaryIO", bounded), encoding="utf-8-sig", newline=newline)
        except UnicodeDecodeError as error:
            place = bounded.place - len(error.object) + error.start
            raise InputError(f"{path}: not UTF-8 (byte {place}); save the file as UTF-8") from None


class _Bounded(io.BufferedIOBase):
    """The first bytes of a file, of which ``place`` have been read."""

    def __init__(self, file: io.BufferedReader, size: int) -> None:
        self._file, self._size, self.place = file, size, 0

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1, /) -> bytes:
        """Return some of what is left; that is all that a reader of texts asks for."""
        left = self._size - self.place
        data = self._file.read1(left if size < 0 else min(size, left))
        self.place += len(data)
        return data

    def read(self, size: int | None = -1, /) -> bytes:
        """Return some of what is left, or nothing at the end."""
        return self.read1(-1 if size is None else size)


def open_regular(path: Path) -> io.BufferedReader:
    """Open a regular file, which the caller closes.

    Raises
    ------
    InputError
        It is a pipe, a device or a folder.
    OSError
        It is not there, or cannot be opened.
    """
    # Looked at before it is opened, as opening some devices does something, and after, as it may be another by then.
    try:
        _check_kind(path, path.stat())
    except ValueError:
        raise InputError(f"{str(path)!r}: no file can have that name; check the path") from None
    file = open(os.open(path, _OPEN), "rb")  # noqa: SIM115, PTH123 - closed by the caller; Path.open takes no descriptor
    try:
        _check_kind(path, os.fstat(file.fileno()))
    except BaseException:
        file.close()
        raise
    return file


def decode_text(data: bytes, where: str) -> str:
    """Return bytes as text, without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 (byte {error.start}); save the file as UTF-8") from None


def is_too_deep(value: Any) -> bool:
    """Return whether tables and lists are nested beyond :data:`DEEPEST`.

    >>> is_too_deep({"a": [[1]]})
    False
    """
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        level = [inner for outer in level if isinstance(outer, dict | list) for inner in _inside(outer)]
        depth += 1
    return depth > DEEPEST


def _inside(outer: dict[str, Any] | list[Any]) -> list[Any]:
    values = outer.values() if isinstance(outer, dict) else outer
    return [inner for inner in values if isinstance(inner, dict | list)]


@contextlib.contextmanager
def _input_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _check_kind(path: Path, about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        kind = _KINDS.get(stat.S_IFMT(about.st_mode), "a device")
        raise InputError(f"{path}: is {kind}, a file is needed")

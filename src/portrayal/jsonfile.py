"""Reading JSON files: one huge object member by member: what is in memory is one member and a few megabytes of text.

A name that stands twice in an object is refused: of two values one would be lost without a word.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from portrayal.errors import InputError

__all__ = ["DuplicateNameError", "read_members", "unique"]

CHUNK = 2**22
"""Characters read at a time; a member cut by the end of a chunk is parsed twice, so chunks hold several members."""
_NEAR = 2**16
"""An error this close to the end of what was read may only mean that there is more to read."""
_SPACE = " \t\n\r"


class DuplicateNameError(ValueError):
    """A name that stands twice in one object."""


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, as a hook of ``json``; refuse one in which a name stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise DuplicateNameError(next(name for name in names if names.count(name) > 1))
    return found


def read_members(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the name and value of each member of the one object in the file, in order."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from _members(_Text(path, file))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder, a file is needed") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _members(text: _Text) -> Iterator[tuple[str, Any]]:
    text.take("{")
    after = text.take("}") if text.peek() == "}" else ","
    while after == ",":
        if text.peek() != '"':
            raise text.problem("a name in double quotes is expected")
        name = text.value()
        text.take(":")
        yield name, text.value()
        after = text.take(",}")
    if text.peek():
        raise text.problem("something follows the object")


class _Text:
    """A file's text, of which only the part not used yet is kept."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self._path = path
        self._file = file
        self._buffer = ""
        self._at = 0
        self._line = 1
        self._ended = False
        self._decoder = json.JSONDecoder(object_pairs_hook=unique)

    def peek(self) -> str:
        """Return the next character that is not a space, without using it up; at the end, nothing."""
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._buffer) or not self._read_more():
                return self._buffer[self._at : self._at + 1]

    def take(self, wanted: str) -> str:
        """Use up one of the wanted characters and return it."""
        found = self.peek()
        if not found or found not in wanted:
            raise self.problem(f"{' or '.join(wanted)} is expected")
        self._at += 1
        return found

    def value(self) -> Any:
        """Use up a whole JSON value and return it."""
        self.peek()
        while True:
            try:
                value, self._at = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                ahead = error.pos - self._at
                if error.pos + _NEAR < len(self._buffer) or not self._read_more():
                    self._at += ahead
                    raise self.problem(error.msg) from None
            except DuplicateNameError as error:
                raise InputError(f"{self._place()}: {str(error)!r} stands twice in one object; keep one") from None
            except (ValueError, RecursionError) as error:  # a number of thousands of digits, thousands of brackets
                raise self.problem(str(error)) from None
            else:
                return value

    def problem(self, what: str) -> InputError:
        """Return the error that names the line reached."""
        return InputError(f"{self._place()}: not valid JSON: {what[:1].lower()}{what[1:]}")

    def _place(self) -> str:
        return f"{self._path}:{self._line + self._buffer.count(chr(10), 0, self._at)}"

    def _read_more(self) -> bool:
        """Drop what is used up and read on; twice as much each time, so that long members cost no more than short."""
        if self._ended:
            return False
        self._line += self._buffer.count("\n", 0, self._at)
        rest = self._buffer[self._at :]
        new = self._file.read(max(CHUNK, len(rest)))
        self._buffer, self._at, self._ended = rest + new, 0, not new
        return bool(new)

"""Reading JSON: a text as a whole, or one huge object member by member with a few megabytes of it in memory.

Refused is what would be lost without a word or would break whoever uses it: a name that stands twice in an object,
numbers and nesting without bounds, half of a surrogate pair, and NaN and Infinity, which Python reads and JSON lacks.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

from portrayal.errors import InputError
from portrayal.inputfile import DEEPEST, decode_text, is_too_deep, open_text, read_bytes

__all__ = ["LARGEST_JSON", "parse_json", "read_json", "read_members"]

LARGEST_JSON = 2**28
"""Bytes of a file that is read whole; what it holds takes up to thirty times as much."""
CHUNK = 2**22
"""Characters read at a time; a member cut by the end of a chunk is parsed twice, so chunks hold several members."""
_NEAR = 2**16
"""An error this close to the end of what was read may only mean that there is more to read."""
_SPACE = " \t\n\r"
_DIGITS = 300
"""Of a whole number; any of these still becomes a floating-point number."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _DuplicateNameError(ValueError):
    """A name that stands twice in one object."""


class _RefusedError(ValueError):
    """Something that Python would read and that is refused here."""


def read_json(path: Path) -> Any:
    """Return what a user's file holds."""
    return parse_json(decode_text(read_bytes(path, LARGEST_JSON), str(path)), str(path))


def parse_json(text: str, where: str, constant: Callable[[str], Any] | None = None) -> Any:
    """Return what a text holds, or a one-line :class:`InputError` that begins with ``where``.

    ``constant`` says what NaN, Infinity and -Infinity become; without it they are refused.
    """
    try:
        value = _decoder(constant).decode(text)
        _check(value, text)
    except json.JSONDecodeError as error:
        raise InputError(f"{where}:{error.lineno}: not valid JSON: {_small(error.msg)}") from None
    except _DuplicateNameError as error:
        raise InputError(f"{where}: {str(error)!r} stands twice in one object; keep one") from None
    except (_RefusedError, RecursionError) as error:
        raise InputError(
            f"{where}: not valid JSON: {_TOO_DEEP if isinstance(error, RecursionError) else error}"
        ) from None
    return value


def _decoder(constant: Callable[[str], Any] | None = None) -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_unique, parse_int=_whole, parse_constant=constant or _refuse)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        # Counted once: looking for each name among all others takes minutes for a megabyte of them.
        raise _DuplicateNameError(next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1))
    return members


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise _RefusedError(f"a whole number has {len(digits)} digits, more than {_DIGITS}")
    return int(digits)


def _refuse(name: str) -> None:
    raise _RefusedError(f"the number {name} is none of JSON; write null where there is none")


def _check(value: Any, text: str) -> None:
    """Refuse what has no bounds, or could not be written again."""
    if is_too_deep(value):
        raise _RefusedError(_TOO_DEEP)
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise _RefusedError("half of a surrogate pair (\\ud800 to \\udfff), which is no text") from None


_TOO_DEEP = f"objects or lists lie more than {DEEPEST} deep in one another"


def _small(message: str) -> str:
    return f"{message[:1].lower()}{message[1:]}"


def read_members(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the name and value of each member of the one object in the file, in order."""
    with open_text(path) as file:
        yield from _members(_Text(path, file))


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
        self._decoder = _decoder()

    def peek(self) -> str:
        """Return the next character that is not a space, without using it up; at the end, nothing."""
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._buffer) or not self._read_more():
                return self._buffer[self._at : self._at + 1]

    def take(self, wanted: str) -> str:
        """Use up one of the wanted characters and return it."""
        character = self.peek()
        if not character or character not in wanted:
            raise self.problem(f"{' or '.join(wanted)} is expected")
        self._at += 1
        return character

    def value(self) -> Any:
        """Use up a whole JSON value and return it."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
                _check(value, self._buffer[self._at : end])
            except json.JSONDecodeError as error:
                ahead = error.pos - self._at
                if error.pos + _NEAR < len(self._buffer) or not self._read_more():
                    self._at += ahead
                    raise self.problem(error.msg) from None
            except _DuplicateNameError as error:
                raise InputError(f"{self._place()}: {str(error)!r} stands twice in one object; keep one") from None
            except (_RefusedError, RecursionError) as error:
                raise self.problem(_TOO_DEEP if isinstance(error, RecursionError) else str(error)) from None
            else:
                self._at = end
                return value

    def problem(self, what: str) -> InputError:
        """Return the error that names the line reached."""
        return InputError(f"{self._place()}: not valid JSON: {_small(what)}")

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

"""Reading TOML files: what is wrong is one line, however deeply a file is nested and however long its numbers are.

Size, depth and names are counted before the text is read: Python's reader takes gigabytes for a key of many parts. It
gives no places, so the line of a key is found by reading the text up to it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from portrayal.errors import ConfigError
from portrayal.inputfile import DEEPEST, decode_text, is_too_deep, read_bytes

__all__ = ["LARGEST_TOML", "MOST_NAMES", "Keys", "at_line", "line_of", "parse_toml", "read_toml", "texts_in"]

Keys = Sequence[str | int]
"""The way to a value: names of tables and keys, and places in lists, counted from 0."""

LARGEST_TOML = 2**22
"""Bytes."""
MOST_NAMES = 100_000
"""Parts of keys and of names of tables: the reader keeps up to a kilobyte for each."""
_WHOLE = range(-(2**63), 2**63)
"""What TOML asks of whole numbers; one of thousands of digits could not even be printed."""
_MOST_TRIES = 500
"""Readings of a text after which its lines are not searched any longer."""
_MOST_READ = 2_000_000
"""Characters, in all of these readings together."""
# Once a text has no end the reader refuses it there, so that what follows need not be counted.
_TOKEN = re.compile(
    r'''"""(?:[^"\\]++|\\.|"(?!""))*+"{3,5}|\'{3}(?:[^\']++|\'(?!\'\'))*+\'{3,5}|(?P<endless>"""|\'{3})'''
    r"""|"(?:[^"\\\n]++|\\.)*+"|\'[^\'\n]*+\'|(?P<unclosed>["\'])|\#[^\n]*+|[^]["\'\#{}=,.\n]++|(?P<mark>.)""",
    re.DOTALL,
)


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a user's file."""
    return parse_toml(decode_text(read_bytes(path, LARGEST_TOML), str(path)), str(path))


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Return the tables of a text, or a one-line :class:`ConfigError` that begins with ``where``."""
    too_deep = f"{where}: not valid TOML: tables or lists lie more than {DEEPEST} deep in one another"
    too_large = f"{where}: not valid TOML: a whole number needs more than 64 bits"
    if len(text) > LARGEST_TOML:
        raise ConfigError(f"{where}: has {len(text):,} characters, more than the {LARGEST_TOML:,} that are read")
    deepest, names = _nesting(text)
    if deepest > DEEPEST:
        raise ConfigError(too_deep)
    if names > MOST_NAMES:
        raise ConfigError(
            f"{where}: has more than {MOST_NAMES:,} keys and parts of keys; use a CSV file for long tables"
        )
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where}: not valid TOML: {error}") from None
    except RecursionError:
        raise ConfigError(too_deep) from None
    except ValueError:  # thousands of digits
        raise ConfigError(too_large) from None
    if is_too_deep(table):
        raise ConfigError(too_deep)
    if any(isinstance(value, int) and value not in _WHOLE for value in _values(table)):
        raise ConfigError(too_large)
    return table


def _nesting(text: str) -> tuple[int, int]:
    """Return how deep a text nests, each key and bracket by itself, and how many parts its keys have in all.

    >>> _nesting('[a.b]\\nc.d.e = [[1.5], "x.y"] # [[[[')
    (3, 5)
    """
    depth = deepest = names = dots = 0
    header, begins = False, True
    for token in _TOKEN.finditer(text):
        if token["endless"] or token["unclosed"] or names > MOST_NAMES or deepest > DEEPEST:
            break
        mark = token["mark"]
        if mark is None:
            begins = begins and token[0].isspace()
            continue
        if mark == ".":
            dots += 1
        elif mark in "[{":
            depth, header = depth + 1, header or begins
        if mark == "=" or (mark == "]" and header):
            names += dots + 1
        deepest = max(deepest, depth, dots + 1)
        if mark in "]}":
            depth, header = depth - 1, False
        dots = dots if mark == "." else 0
        begins = (mark == "\n" and depth <= 0) or (begins and header)
    return deepest, names


def _values(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _values(inner)
    else:
        yield value


def line_of(text: str, keys: Keys) -> int | None:
    """Return the line of a key, counted from 1, or of the nearest table around it that is there; None for neither.

    >>> line_of('# seed\\n[study]\\nseed = 1\\n[[generators]]\\nimages = [\\n 3]\\n', ["generators", 0, "images"])
    5
    >>> line_of('[study]\\nseed = 1\\n', ["study", "title"])
    1
    """
    most = _MOST_READ // max(len(keys), 1)
    while keys:
        if (line := _first_line(text, keys, most)) is not None:
            return line
        keys = keys[:-1]
    return None


def at_line(where: str, line: int | None) -> str:
    """Return the name of a file with a line, if that is known.

    >>> at_line("study.toml", 3), at_line("study.toml", None)
    ('study.toml:3', 'study.toml')
    """
    return where if line is None else f"{where}:{line}"


def _first_line(text: str, keys: Keys, most: int) -> int | None:
    """Return the line that brings a key: with the text up to it, and to the end of its value, the key is there."""
    name = next((key for key in reversed(keys) if isinstance(key, str)), "")
    lines = text.split("\n")
    tries = read = 0
    for number, line in enumerate(lines):
        for end in range(number + 1, len(lines) + 1) if name in line else ():
            before = "\n".join(lines[:end])
            tries, read = tries + 1, read + len(before)
            if tries > _MOST_TRIES or read > most:
                return None
            try:
                tables = tomllib.loads(before)
            except tomllib.TOMLDecodeError:
                continue  # a value of several lines
            if _has(tables, keys):
                return number + 1
            break
    return None


def _has(tables: Any, keys: Keys) -> bool:
    for key in keys:
        if isinstance(key, int):
            if not (isinstance(tables, list) and key < len(tables)):
                return False
        elif not (isinstance(tables, dict) and key in tables):
            return False
        tables = tables[key]
    return True


def texts_in(value: object) -> Iterator[str]:
    """Yield all texts among values of tables and lists, however deep; names of keys are none of them.

    >>> list(texts_in({"use": "file", "options": {"paths": ["a.csv", "b.csv"], "n": 3}}))
    ['file', 'a.csv', 'b.csv']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from texts_in(inner)

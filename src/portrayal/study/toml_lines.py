"""Values written as TOML, and values exchanged in a TOML text whose comments stay."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from portrayal.errors import ConfigError

__all__ = ["quoted", "set_keys", "written"]

_BARE = re.compile(r"[\w-]+", re.ASCII)
"""Keys that TOML takes without quotes."""
_REMARK = re.compile(r"(\s+)(#.*)$")


def set_keys(text: str, table: str, values: Mapping[str, Any]) -> str:
    """Set keys of a table that stands in the text once, and of tables below it; a key that is not there is added.

    >>> print(set_keys("[study]\\nseed = 0  # of all images\\n", "study", {"seed": 7, "title": "Mine"}))
    [study]
    seed = 7  # of all images
    title = "Mine"
    <BLANKLINE>
    """
    for key, value in values.items():
        below = f"{table}.{_key(key)}"
        if isinstance(value, Mapping) and _header(below).search(text):
            text = set_keys(text, below, value)
        else:
            text = _set_key(text, table, _key(key), written(value))
    return text


def _header(table: str) -> re.Pattern[str]:
    return re.compile(rf"^(?:\[{re.escape(table)}\]|\[\[{re.escape(table)}\]\])[^\n]*\n", re.MULTILINE)


def _set_key(text: str, table: str, key: str, value: str) -> str:
    found = _header(table).search(text)
    if found is None:
        raise ConfigError(f"there is no table [{table}] in which {key!r} could be set; set it in study.toml")
    body = re.compile(r"(?:(?!\[).*\n)*").match(text, found.end())
    assert body is not None
    lines = body[0].splitlines()
    for place, line in enumerate(lines):
        if re.match(rf"{re.escape(key)}\s*=", line):
            remark = _REMARK.search(line)
            told = f"{key} = {value}"
            # What is said beside it keeps its place, as far as there is room.
            lines[place] = f"{told}  ".ljust(remark.end(1)) + remark[2] if remark else told
            break
    else:
        end = max((place + 1 for place, line in enumerate(lines) if line.strip()), default=0)
        lines.insert(end, f"{key} = {value}")
    return text[: body.start()] + "".join(f"{line}\n" for line in lines) + text[body.end() :]


def written(value: Any) -> str:
    """Return a value as TOML.

    >>> written({"gender": {"female": 0.9}, "two words": [True, "a"]})
    '{ gender = { female = 0.9 }, "two words" = [true, "a"] }'
    """
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {written(own)}" for key, own in value.items()) + " }" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(written, value))}]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else quoted(name)


def quoted(text: str) -> str:
    """Return a TOML string: JSON's, but TOML has no surrogate pairs and no bare DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

"""Values written as TOML, and values exchanged in a TOML text whose comments stay."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from portrayal.errors import ConfigError
from portrayal.inputfile import DEEPEST, is_too_deep

__all__ = ["set_keys", "written"]


def set_keys(text: str, table: str, values: Mapping[str, Any]) -> str:
    """Set keys of a table that stands in the text once, and of tables below it; a key that is not there is added.

    >>> print(set_keys("[study]\\nseed = 0  # of all images\\n", "study", {"seed": 7, "title": "Mine"}))
    [study]
    seed = 7  # of all images
    title = "Mine"
    <BLANKLINE>
    """
    if not values:
        return text
    if is_too_deep(values):
        raise ConfigError(f"[{table}]: tables or lists lie more than {DEEPEST} deep in one another")
    import tomlkit

    place: Any = (document := tomlkit.parse(text))
    for name in table.split("."):
        place = place.get(name) if isinstance(place, Mapping) else None
        place = place[0] if place and isinstance(place, list) else place
    if not isinstance(place, Mapping):
        key = next(iter(values))
        raise ConfigError(f"there is no table [{table}] in which {key!r} could be set; set it in study.toml")
    _set(place, values)
    return document.as_string()


def _set(table: Any, values: Mapping[str, Any]) -> None:
    from tomlkit import items
    from tomlkit import value as item_of

    for key, value in values.items():
        before = table.get(key)
        if isinstance(value, Mapping) and isinstance(before, Mapping) and not isinstance(before, items.InlineTable):
            _set(before, value)
            continue
        item = item_of(written(value))
        if (said := getattr(before, "trivia", None)) and said.comment:
            # What is said beside it keeps its place, as far as there is room.
            line = (before.as_string() + said.comment_ws).rpartition("\n")[2]
            item.trivia.comment_ws = "  ".ljust(len(line) - len(item.as_string()))
        table[key] = item
    for below in table.values():
        if isinstance(below, items.Table):  # before which tomlkit leaves a line empty
            below.trivia.indent = below.trivia.indent.lstrip("\n")


def written(value: Any) -> str:
    """Return a value as TOML: JSON's texts and numbers, but TOML has no surrogate pairs and no bare DEL.

    >>> written({"gender": {"female": 0.9}, "two words": [True, "a"]})
    '{ gender = { female = 0.9 }, "two words" = [true, "a"] }'
    """
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {written(inner)}" for key, inner in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(written, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else written(name)

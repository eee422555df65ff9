"""Reading TOML files: what is wrong is one line, however deeply a file is nested and however long its numbers are."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from portrayal.errors import ConfigError
from portrayal.inputfile import DEEPEST, is_too_deep, read_text

__all__ = ["parse_toml", "read_toml"]

_WHOLE = range(-(2**63), 2**63)
"""What TOML asks of whole numbers; one of thousands of digits could not even be printed."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a user's file."""
    return parse_toml(read_text(path), str(path))


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Return the tables of a text, or a one-line :class:`ConfigError` that begins with ``where``."""
    too_deep = f"{where}: not valid TOML: tables or lists lie more than {DEEPEST} deep in one another"
    too_large = f"{where}: not valid TOML: a whole number needs more than 64 bits"
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where}: not valid TOML: {error}") from None
    except RecursionError:
        raise ConfigError(too_deep) from None
    except ValueError:  # thousands of digits
        raise ConfigError(too_large) from None
    if is_too_deep(found):
        raise ConfigError(too_deep)
    if any(isinstance(value, int) and value not in _WHOLE for value in _values(found)):
        raise ConfigError(too_large)
    return found


def _values(found: Any) -> Iterator[Any]:
    if isinstance(found, dict | list):
        for inner in found.values() if isinstance(found, dict) else found:
            yield from _values(inner)
    else:
        yield found

"""Small JSON files that Portrayal writes and reads again: they end in the checksum of what they say.

``{"fingerprint": "…", "checksum": "1f0e2d3c"}``: the CRC-32 of the object without that member, as it is written. A file
without one was written by an older version.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from portrayal.errors import DamagedError, InputError
from portrayal.inputfile import read_regular
from portrayal.store.files import write_atomic

__all__ = ["checked_json", "read_checked_json", "write_checked_json"]

_CHECKSUM = "checksum"
_LARGEST = 2**26
"""Bytes."""


def write_checked_json(path: Path, said: Mapping[str, Any]) -> None:
    """Write an object in one step."""
    write_atomic(path, checked_json(said))


def read_checked_json(path: Path, older: Collection[str] | None = None, advice: str = "") -> dict[str, Any]:
    """Return what a file says.

    ``older`` are the members that a file without a checksum may have (by default any), ``advice`` what to do about a
    damaged one.

    Raises
    ------
    FileNotFoundError
        There is no file.
    DamagedError
        It does not say what was written.
    """
    try:
        data = read_regular(path, _LARGEST)
        said = json.loads(data)
    except FileNotFoundError:
        raise
    except (OSError, InputError, ValueError, RecursionError):
        said = None
    if isinstance(said, dict):
        promised = said.pop(_CHECKSUM, None)
        # As bytes: a flipped bit may also be where it changes nothing.
        if data == checked_json(said) if promised is not None else older is None or said.keys() <= set(older):
            return said
    raise DamagedError(f"{path}: the file is damaged; {advice}".removesuffix("; "))


def checked_json(said: Mapping[str, Any]) -> bytes:
    """Return an object as it is written."""
    checksum = zlib.crc32(json.dumps(said).encode())
    return json.dumps({**said, _CHECKSUM: f"{checksum:08x}"}).encode()

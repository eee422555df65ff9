"""Files that are handed to people and come back: sheets, graphs, votes. They may be edited, but not by a failing disk.

Beside ``Ann.csv`` lies ``.Ann.csv.crc`` with the CRC-32 of what was written and when the file was last modified then.
Whoever edits a file changes that time, and it is theirs from then on; bytes that change while it stays are damage.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from portrayal.errors import DamagedError
from portrayal.inputfile import read_bytes
from portrayal.store.checksums.checked_json import read_checked_json, write_checked_json
from portrayal.store.files import storage_errors, write_atomic

__all__ = ["check_handed", "write_handed"]


def write_handed(path: Path, data: bytes) -> None:
    """Write a file in one step, and remember what was written."""
    write_atomic(path, data)
    with storage_errors(path):
        modified = path.stat().st_mtime_ns
    write_checked_json(_beside(path), {"crc32": f"{zlib.crc32(data):08x}", "modified": modified})


def check_handed(path: Path) -> None:
    """Raise an error when a file that nobody edited is not as it was written; of other files nothing is known."""
    try:
        modified = path.stat().st_mtime_ns
        said = read_checked_json(_beside(path), (), "delete it: then the file beside it is taken as it is")
    except (OSError, ValueError):
        return  # whoever reads the file says what is wrong with its name
    if said.get("modified") == modified and f"{zlib.crc32(read_bytes(path)):08x}" != said.get("crc32"):
        raise DamagedError(
            f"{path}: the file is damaged: nobody edited it, and its bytes are not those that were written; make it "
            f"again or put a copy back; if it is as you want it, delete {_beside(path)}"
        )


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.crc")

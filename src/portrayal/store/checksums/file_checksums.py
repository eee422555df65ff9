"""Checksums of files whose names must stay, beside them: ``checksums.json``.

A file and its checksum cannot be replaced in one step. So the new checksum is written down first, beside the old one,
then the file, and at last the new one alone: whenever that ends, the file is one of those that are written down.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from portrayal.errors import DamagedError, StorageError
from portrayal.inputfile import read_regular
from portrayal.store.checksums.checked_json import read_checked_json, write_checked_json
from portrayal.store.files import storage_errors, write_atomic

__all__ = ["CHECKSUMS", "read_checked", "write_checked"]

CHECKSUMS = "checksums.json"


def read_checked(path: Path) -> bytes:
    """Return the bytes of a file, or say that they are not those that were written.

    A file that no checksum is known of was written by an older version.
    """
    # Again where they differ: a writer may have replaced both between the two looks.
    for _ in range(2):
        known = _known(path.parent)
        with storage_errors(path):
            data = read_regular(path)
        if path.name not in known or _checksum(data) in known[path.name]:
            return data
    raise DamagedError(
        f"{path}: the file is damaged: its bytes are not those that were written; put a copy back, or, if you wrote it "
        f"yourself, delete {path.with_name(CHECKSUMS)}"
    )


def write_checked(path: Path, data: bytes) -> None:
    """Replace a file and its checksum; one writer at a time."""
    known = _known(path.parent)
    new, listed = _checksum(data), path.parent / CHECKSUMS
    write_checked_json(listed, {**known, path.name: [*_of_file(path), new]})
    write_atomic(path, data)
    write_checked_json(listed, dict(sorted({**known, path.name: [new]}.items())))


def _of_file(path: Path) -> list[str]:
    """Return the checksum of the file that is there: with it an older version's stays valid until it is replaced."""
    try:
        return [_checksum(read_regular(path))]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(f"{path}: cannot be read: {error.strerror}") from error


def _known(folder: Path) -> dict[str, list[str]]:
    path = folder / CHECKSUMS
    try:
        said = read_checked_json(path, (), "put a copy back, or delete it: then the files beside it are not checked")
    except FileNotFoundError:
        return {}
    if not all(isinstance(sums, list) for sums in said.values()):
        raise DamagedError(f"{path}: is no list of checksums; delete it: then the files beside it are not checked")
    return said


def _checksum(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"

"""The bytes of an archive between its files: headers and the directory, all of which follow from the list of files."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from portrayal.study.archive.contents import Entry

__all__ = ["directory", "header", "header_size"]

_LOCAL, _CENTRAL, _END64, _LOCATOR, _END = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x06\x06", b"PK\x06\x07", b"PK\x05\x06")
_VERSION = 45
"""Of the format: the first with 64 bits for sizes, which every file here has, so that there is one form."""
_UTF8 = 1 << 11
_DATE = (1980 - 1980) << 9 | 1 << 5 | 1
"""The first day that the format knows: when a file was written is no part of an archive."""
_UNIX, _MODE = 3 << 8, 0o100644 << 16
_IN_EXTRA = 0xFFFFFFFF


def header(entry: Entry) -> bytes:
    """Return what stands before a file."""
    name = entry.path.encode()
    extra = struct.pack("<HHQQ", 1, 16, entry.size, entry.size)
    fields = (_VERSION, _UTF8, 0, 0, _DATE, entry.crc32, _IN_EXTRA, _IN_EXTRA, len(name), len(extra))
    return _LOCAL + struct.pack("<HHHHHIIIHH", *fields) + name + extra


def header_size(name: str) -> int:
    """Return how many bytes stand before a file of a name."""
    return len(header(Entry(name, 0, 0, "")))


def directory(entries: Sequence[Entry], seal: bytes) -> bytes:
    """Return what stands after the last file: where each begins, and the seal."""
    begins, records = 0, []
    for entry in entries:
        name = entry.path.encode()
        extra = struct.pack("<HHQQQ", 1, 24, entry.size, entry.size, begins)
        fields = (_VERSION | _UNIX, _VERSION, _UTF8, 0, 0, _DATE, entry.crc32, _IN_EXTRA, _IN_EXTRA, len(name))
        rest = struct.pack("<HHHHII", len(extra), 0, 0, 0, _MODE, _IN_EXTRA)
        records.append(_CENTRAL + struct.pack("<HHHHHHIIIH", *fields) + rest + name + extra)
        begins += len(header(entry)) + entry.size
    listed, count = b"".join(records), len(entries)
    end = struct.pack("<QHHIIQQQQ", 44, _VERSION | _UNIX, _VERSION, 0, 0, count, count, len(listed), begins)
    locator = struct.pack("<IQI", 0, begins + len(listed), 1)
    few = min(count, 0xFFFF)
    last = struct.pack("<HHHHIIH", 0, 0, few, few, _IN_EXTRA, _IN_EXTRA, len(seal))
    return listed + _END64 + end + _LOCATOR + locator + _END + last + seal

"""What an archive holds: its list of files, and the seal that covers the list."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from portrayal.errors import InputError

__all__ = ["CHUNK", "FORMAT", "LIST", "TAIL", "Contents", "Entry", "Seal", "measured", "read_seal"]

FORMAT = "portrayal-archive 1"
LIST = "portrayal-archive.json"
CHUNK = 1 << 20
_SEAL = re.compile(
    rb"portrayal-archive 1\nlist ([0-9]{1,15}) ([0-9a-f]{64})\nsignature ([0-9]{1,6}) ([0-9a-f]{64})\n", re.DOTALL
)
TAIL = 65_535
"""Bytes that the comment of a ZIP file may have."""
_PATH = re.compile(r"[^\x00-\x1f\\:\x7f]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the archive."""

    path: str
    size: int
    crc32: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Contents:
    """The study's title, its files, and what study.toml names that lies elsewhere and is not in the archive."""

    title: str
    files: Sequence[Entry]
    left_out: Sequence[str] = ()

    def to_json(self) -> bytes:
        """Return the list as it stands in the archive."""
        said = {"format": FORMAT, **asdict(self)}
        return json.dumps(said, ensure_ascii=False, sort_keys=True, indent=0).encode()

    @classmethod
    def from_json(cls, data: bytes) -> Contents:
        """Return the list in an archive, whose author may be anybody: a path stays within the folder."""
        try:
            said: dict[str, Any] = json.loads(data)
            files = [Entry(**each) for each in said["files"]]
            contents = cls(str(said["title"]), files, [str(each) for each in said["left_out"]])
            sound = said["format"] == FORMAT and all(_is_sound(each) for each in files)
            sound = sound and len({_folded(each.path) for each in files}) == len(files) and contents.to_json() == data
        except (ValueError, KeyError, TypeError, RecursionError):
            sound = False
        if not sound:
            raise InputError("its list of files is not one that Portrayal writes; nothing was unpacked")
        return contents


@dataclass(frozen=True, slots=True)
class Seal:
    """How long the list of files is, its hash, and a signature of it."""

    size: int
    sha256: str
    signature: bytes = b""

    @classmethod
    def of(cls, listed: bytes, signature: bytes = b"") -> Seal:
        """Return the seal of a list."""
        return cls(len(listed), hashlib.sha256(listed).hexdigest(), signature)

    def to_bytes(self) -> bytes:
        """Return the seal as it stands at the end of the archive."""
        signed = hashlib.sha256(self.signature).hexdigest()
        head = f"{FORMAT}\nlist {self.size} {self.sha256}\nsignature {len(self.signature)} {signed}\n"
        return head.encode() + self.signature


def read_seal(end: bytes) -> Seal | None:
    """Return the seal in the last bytes of a file; None where there is none that is whole."""
    for found in reversed(list(_SEAL.finditer(end))):
        signature = end[found.end() :]
        if len(signature) == int(found[3]) and hashlib.sha256(signature).hexdigest().encode() == found[4]:
            seal = Seal(int(found[1]), found[2].decode(), signature)
            return seal if seal.to_bytes() == found[0] + signature else None
    return None


def measured(path: str, file: BinaryIO) -> Entry:
    """Return the entry of an open file."""
    size, crc, digest = 0, 0, hashlib.sha256()
    while chunk := file.read(CHUNK):
        size, crc = size + len(chunk), zlib.crc32(chunk, crc)
        digest.update(chunk)
    return Entry(path, size, crc, digest.hexdigest())


def _is_sound(entry: Entry) -> bool:
    """Return whether an entry has the types that it must have, of which numbers are none but whole ones."""
    sizes = ((entry.size, 1 << 62), (entry.crc32, 1 << 32))
    whole = all(type(number) is int and 0 <= number < most for number, most in sizes)
    return whole and isinstance(entry.sha256, str) and _stays(entry.path)


def _folded(path: str) -> str:
    """Return a path as systems see it that tell neither capitals nor ways to write an accent apart."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _stays(path: object) -> bool:
    """Return whether a path is one within a folder, on every system, and of no hidden file."""
    if not isinstance(path, str) or not _PATH.fullmatch(path) or len(path.encode()) > 4096:
        return False
    parts = path.split("/")
    return PurePosixPath(path).as_posix() == path and not any(part.startswith(".") or not part for part in parts)

"""Comparing an archive with what was written, byte by byte, and taking its files out."""

from __future__ import annotations

import hashlib
import os
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from portrayal.errors import InputError, StudyError
from portrayal.inputfile import open_regular
from portrayal.store.files import atomic_file, storage_errors
from portrayal.study.archive.contents import CHUNK, LIST, TAIL, Contents, Entry, Seal, read_seal
from portrayal.study.archive.layout import directory, header, header_size
from portrayal.study.archive.signature import signed_by
from portrayal.study.run_control import RunControl

__all__ = ["Checked", "check_archive", "unpack"]

_SEAL = "the seal at its end"
_LISTED = f"{LIST}, the list of its files"


@dataclass(frozen=True, slots=True)
class Checked:
    """What an archive holds, which parts of it are not those that were written, and who signed it.

    ``signature`` is the kind and fingerprint of the key, "" for none, and None where it could not be checked here.
    """

    title: str
    files: int
    bytes: int
    left_out: Sequence[str]
    damage: Sequence[str]
    signature: str | None = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def check_archive(path: Path, control: RunControl) -> Checked:
    """Read every byte of an archive; one that is none, or of whose list nothing is known, has that as its damage."""
    with _opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        seal, listed = _ends(file, size)
        if seal is None or listed is None:
            return Checked("", 0, size, (), [_LISTED if seal else _SEAL])
        contents = _contents(path, listed)
        entries = [Entry(LIST, len(listed), zlib.crc32(listed), seal.sha256), *contents.files]
        file.seek(0)
        control.progress.start("verify files", len(entries))
        damage = []
        for entry in entries:
            damage += _compared(file, entry, None)
            control.progress.advance(1)
        control.progress.finish()
        rest = directory(entries, seal.to_bytes())
        if file.read(len(rest)) != rest or file.read(1):
            damage.append("the directory after its files")
        who = signed_by(listed, seal.signature) if seal.signature else ""
        if seal.signature and who == "":
            damage.append("the signature, which is of something else")
        return Checked(
            contents.title,
            files=len(contents.files),
            bytes=size,
            left_out=contents.left_out,
            damage=damage,
            signature=who,
        )


def unpack(path: Path, folder: Path, control: RunControl) -> Checked:
    """Check an archive and write its files to a new folder; of a damaged one nothing is written."""
    if folder.exists():
        raise InputError(f"{folder}: is there already; choose another folder with --into")
    checked = check_archive(path, control)
    if checked.damage:
        return checked
    with _opened(path) as file, storage_errors(folder):
        seal, listed = _ends(file, os.fstat(file.fileno()).st_size)
        contents = _contents(path, listed or b"")
        new = folder.with_name(f".{folder.name}.unpacking-{os.getpid()}")
        try:
            new.mkdir(parents=True)
            file.seek(header_size(LIST) + (seal.size if seal else 0))
            for entry in contents.files:
                with atomic_file(new / entry.path) as out:
                    if _compared(file, entry, out.write):
                        raise StudyError(f"{path}: {entry.path} changed while it was read; run the same command again")
            new.rename(folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    return checked


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        file = open_regular(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; check the path") from None
    with file, storage_errors(path):
        yield file


def _ends(file: BinaryIO, size: int) -> tuple[Seal | None, bytes | None]:
    """Return the seal and the list that it covers, as far as they are what was written."""
    file.seek(max(0, size - TAIL))
    seal = read_seal(file.read(TAIL))
    if seal is None or seal.size > size:
        return None, None
    file.seek(header_size(LIST))
    listed = file.read(seal.size)
    return seal, listed if hashlib.sha256(listed).hexdigest() == seal.sha256 else None


def _contents(path: Path, listed: bytes) -> Contents:
    try:
        return Contents.from_json(listed)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _compared(file: BinaryIO, entry: Entry, write: Callable[[bytes], object] | None) -> list[str]:
    """Read a file's part of the archive, hand its bytes on, and return what of it is not what was written."""
    before = header(entry)
    damage = [] if file.read(len(before)) == before else [f"{entry.path}: the archive's own lines before it"]
    left, digest = entry.size, hashlib.sha256()
    while left and (chunk := file.read(min(CHUNK, left))):
        left -= len(chunk)
        digest.update(chunk)
        if write:
            write(chunk)
    if left or digest.hexdigest() != entry.sha256:
        damage.append(entry.path)
    return damage

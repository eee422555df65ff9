"""Writing a study into one file, the same bytes each time."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from portrayal.errors import InputError, StudyError
from portrayal.inputfile import open_regular
from portrayal.store.files import atomic_file, storage_errors
from portrayal.study.archive.contents import LIST, Contents, Entry, Seal, measured
from portrayal.study.archive.layout import directory, header
from portrayal.study.archive.members import members, named_elsewhere
from portrayal.study.archive.signature import sign
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["pack"]


def pack(study: OpenStudy, path: Path, control: RunControl, key: Path | None = None) -> Contents:
    """Write a study to ``path``, signed with an SSH ``key`` if one is given, and return what is in it."""
    if key is not None:
        sign(b"", key)  # before much is read
    paths = members(study)
    if path.exists() and any(path.samefile(study.root / name) for name in paths):
        raise InputError(f"{path}: is a file of the study, which the bundle would replace; choose another with --to")
    control.progress.start("read files", len(paths))
    files = [_measured(study.root, name, control) for name in paths]
    control.progress.finish()
    contents = Contents(study.config.study.title, files, named_elsewhere(study))
    listed = contents.to_json()
    seal = Seal.of(listed, sign(listed, key) if key else b"")
    entries = [measured(LIST, io.BytesIO(listed)), *files]
    with atomic_file(path) as file:
        file.write(header(entries[0]) + listed)
        control.progress.start("write files", len(files))
        for entry in files:
            file.write(header(entry))
            _copy(study.root, entry, file.write)
            control.progress.advance(1)
        control.progress.finish()
        file.write(directory(entries, seal.to_bytes()))
    return contents


def _measured(root: Path, name: str, control: RunControl) -> Entry:
    with storage_errors(root / name), open_regular(root / name) as file:
        entry = measured(name, file)
    control.progress.advance(1)
    return entry


class _Copied(io.RawIOBase):
    """A file that hands on what is read of it."""

    def __init__(self, file: BinaryIO, write: Callable[[bytes], object]) -> None:
        self._file, self._write = file, write

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._write(data)
        return data


def _copy(root: Path, entry: Entry, write: Callable[[bytes], object]) -> None:
    with storage_errors(root / entry.path), open_regular(root / entry.path) as file:
        now = measured(entry.path, _Copied(file, write))  # type: ignore[arg-type]
    if now != entry:
        raise StudyError(f"{root / entry.path}: changed while it was packed; wait until nothing writes, and run again")

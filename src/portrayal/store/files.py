"""Writing files so that a crash leaves either the old state or the new one, and disk trouble is one clear line."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from portrayal.errors import StorageError

__all__ = ["TEMPORARY", "atomic_file", "storage_errors", "write_atomic", "write_own"]

TEMPORARY = ".tmp-"
"""Prefix of files that are being written; left-overs of a crash are removed by the next writer."""

_ADVICE = {
    errno.ENOSPC: "the disk is full; free some space and run the same command again, nothing recorded is lost",
    errno.EDQUOT: "the disk quota is used up; free some space and run the same command again, nothing recorded is lost",
    errno.EROFS: "the folder is read-only; make it writable or choose another one",
    errno.EACCES: "permission denied; make the folder writable or choose another one",
    errno.EPERM: "permission denied; make the folder writable or choose another one",
    errno.EEXIST: "a file is where a folder is needed; choose another folder, or move the file away",
    errno.ENOTDIR: "a file is where a folder is needed; choose another folder, or move the file away",
    errno.EISDIR: "a folder is where a file is needed; choose another name, or move the folder away",
    errno.EFBIG: "the file system or a limit allows no file of that size; nothing recorded is lost",
}


@contextlib.contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn an ``OSError`` about ``path`` into a one-line :class:`StorageError`."""
    try:
        yield
    except OSError as error:
        reason = _ADVICE.get(error.errno or 0, error.strerror or str(error))
        raise StorageError(f"{path}: {reason}") from error


@contextlib.contextmanager
def atomic_file(path: Path, named: Callable[[], Path] | None = None) -> Iterator[BinaryIO]:
    """Open a file that appears under ``path``, whole and synced to disk, only when the block ends without error.

    ``named`` is asked last, and may give it another name in the same folder, after what was written.
    """
    # Of its own for each writer: threads, and machines that share a folder, may write the same file at once.
    temporary = path.with_name(f"{TEMPORARY}{secrets.token_hex(8)}-{path.name}")
    with storage_errors(path):
        _check_kind(path)
        _make_folder(path.parent)
        try:
            with _opened(temporary, path) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(named() if named else path)
            _sync_folder(path.parent)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def write_atomic(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` in one step."""
    with atomic_file(path) as file:
        file.write(data)


def write_own(path: Path, data: bytes) -> None:
    """Write a file whose name only Portrayal gives: a link, a pipe or a device that stands there goes."""
    with storage_errors(path), contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(path.lstat().st_mode) and not path.is_dir():
            path.unlink()
    write_atomic(path, data)


def _check_kind(path: Path) -> None:
    """Raise an error when the file would take the place of a device or a pipe, such as /dev/null for all programs."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # there is none, or only a link that leads nowhere
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise StorageError(f"{path}: is a device or a pipe, which a file would replace; choose another name")


def _opened(temporary: Path, path: Path) -> BinaryIO:
    try:
        return temporary.open("xb")
    except FileNotFoundError:
        raise StorageError(f"{path}: the system lets nobody make a file there; choose another place") from None


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it; the name of each is on disk before anything is put into it."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        try:
            folder.mkdir(exist_ok=True)
        except FileNotFoundError:  # though the folder above is there
            raise StorageError(f"{folder}: the system lets nobody make a folder there; choose another place") from None
        _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return  # only POSIX lets a folder be synced
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

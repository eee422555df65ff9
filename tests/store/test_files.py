from __future__ import annotations

import contextlib
import errno
import os
import posix
import stat
from pathlib import Path

import pytest

from portrayal.errors import StorageError
from portrayal.store.files import atomic_file, storage_errors, write_atomic


def test_the_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file"
    with atomic_file(path) as file:
        file.write(b"half")
        assert not path.exists()
        file.write(b" and half")
    assert path.read_bytes() == b"half and half"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")
    with contextlib.suppress(RuntimeError), atomic_file(path) as file:
        file.write(b"new")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "permission denied"),
        (errno.EIO, "Input/output"),
    ],
)
def test_disk_trouble_is_one_line_with_advice(number: int, words: str) -> None:
    with pytest.raises(StorageError, match=words) as caught, storage_errors(Path("there")):
        raise OSError(number, os.strerror(number))
    assert str(caught.value).startswith("there: ")
    assert "\n" not in str(caught.value)


def test_the_bytes_are_on_the_disk_before_the_name_and_the_name_before_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All other tests replace fsync by nothing; without these two calls a power cut leaves an empty file, or none."""
    path, calls = tmp_path / "file", list[tuple[str, int, bytes | None]]()

    def fsync(descriptor: int) -> None:
        posix.fsync(descriptor)
        synced = os.fstat(descriptor)
        what = "folder" if stat.S_ISDIR(synced.st_mode) else f"file of {synced.st_size}"
        calls.append((what, synced.st_ino, path.read_bytes() if path.exists() else None))

    monkeypatch.setattr(os, "fsync", fsync)
    write_atomic(path, b"new")
    assert calls == [("file of 3", path.stat().st_ino, None), ("folder", tmp_path.stat().st_ino, b"new")]

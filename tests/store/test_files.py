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


def test_a_device_a_pipe_and_a_link_to_one_are_not_replaced(tmp_path: Path) -> None:
    """``--to /dev/null`` made a file of it, for all programs of a container in which all are root."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    for name in ("pipe", "null"):
        before = (tmp_path / name).lstat().st_ino
        with pytest.raises(StorageError, match=rf"{name}: is a device or a pipe, which a file would replace; choose"):
            write_atomic(tmp_path / name, b"data")
        assert (tmp_path / name).lstat().st_ino == before
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "nowhere").symlink_to(tmp_path / "none")
    for name in ("link", "nowhere"):
        write_atomic(tmp_path / name, b"data")
        assert not (tmp_path / name).is_symlink()
    assert (tmp_path / "file").read_bytes() == b"old"


def test_where_no_file_can_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for place, said in (
        (tmp_path / "folder", "folder: a folder is where a file is needed; choose another name"),
        (Path("/proc/self/none"), "/proc/self/none: the system lets nobody make a file there; choose another place"),
        (Path("/proc/self/none/file"), "/proc/self/none: the system lets nobody make a folder there; choose another"),
    ):
        with pytest.raises(StorageError, match=said):
            write_atomic(place, b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]

from __future__ import annotations

import contextlib
import errno
import os
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

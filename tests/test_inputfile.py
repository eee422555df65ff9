"""A file that somebody gave is looked at before it is read, and bounded."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.inputfile import DEEPEST, is_too_deep, open_text, read_bytes, read_regular, read_text, sha256


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.csv: no such file; check the path$"):
        read_text(tmp_path / "gone.csv")
    with pytest.raises(InputError, match=r": is a folder, a file is needed$"):
        read_text(tmp_path)


def test_other_refusals_of_the_system_are_passed_on(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"inside: cannot be read: Not a directory$"):
        read_text(tmp_path / "file" / "inside")


@pytest.mark.parametrize("read", [read_bytes, read_regular, read_text, sha256, lambda p: open_text(p).__enter__()])
def test_pipes_and_devices_are_refused_and_not_waited_for(tmp_path: Path, read: object) -> None:
    assert callable(read)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe: is a pipe, a file is needed"):
        read(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    with pytest.raises(InputError, match="endless: is a device, a file is needed"):
        read(tmp_path / "endless")


def test_no_more_is_read_than_a_file_says_it_has(tmp_path: Path) -> None:
    # The kernel's own files say that they are empty; some of them never end.
    (tmp_path / "kernel").symlink_to("/proc/self/status")
    assert read_bytes(tmp_path / "kernel") == b""
    assert sha256(tmp_path / "kernel") == hashlib.sha256(b"").hexdigest()


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(InputError, match="large: has 1,099,511,627,776 bytes, more than the 2,147,483,648"):
        read_bytes(tmp_path / "large")


def test_a_name_that_no_file_can_have_is_one_line() -> None:
    with pytest.raises(InputError, match=r"no file can have that name"):
        read_bytes(Path("a\0b"))


def test_the_digest_is_that_of_the_whole_file(tmp_path: Path) -> None:
    data = os.urandom(3 * 2**20 + 7)
    (tmp_path / "file").write_bytes(data)
    assert sha256(tmp_path / "file") == hashlib.sha256(data).hexdigest()


def test_how_deep_is_too_deep() -> None:
    nested: object = 1
    for _ in range(DEEPEST):
        nested = [nested]
    assert not is_too_deep(nested)
    assert is_too_deep({"a": nested})


def test_the_byte_that_is_no_text_is_named_in_a_long_file_too(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"abcdefg\n" * 100_000 + b"\xff")
    with (
        pytest.raises(InputError, match=r"long\.txt: not UTF-8 \(byte 800000\); save the file"),
        open_text(path) as file,
    ):
        for _ in file:
            pass


def test_a_text_that_grows_while_it_is_read_ends_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "growing.txt"
    path.write_text("first\n" * 10_000)
    with open_text(path) as file, path.open("a") as more:
        more.write("later\n")
        more.flush()
        assert [*file].count("later\n") == 0

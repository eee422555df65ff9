"""A file that the disk does not give is no missing picture."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal import inputfile
from portrayal.errors import StorageError
from portrayal.records import Failed
from portrayal.study.importing.read_picture import file_content, read_picture


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let every file fail to open with an error of the system."""

    def fail(number: int) -> None:
        def opened(path: Path) -> None:
            raise OSError(number, os.strerror(number), str(path))

        monkeypatch.setattr(inputfile, "open_regular", opened)

    return fail


def test_a_disk_that_fails_stops_the_import_in_one_line(
    tmp_path: Path, picture: Callable[..., bytes], fails: Callable[[int], None]
) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(picture("red"))
    before = file_content(path)
    fails(errno.EIO)
    for read in (lambda: file_content(path), lambda: read_picture("job", path)):
        with pytest.raises(
            StorageError, match=r"a\.png: the disk does not give this file: Input/output error; run again"
        ):
            read()
    fails(errno.EACCES)
    assert file_content(path) == str(path) != before
    answer = read_picture("job", path)
    assert isinstance(answer, Failed)
    assert answer.reason == "missing_file"

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import sys
from collections.abc import Iterator
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


STUDY = """
[study]
title = "disk"
[suite]
use = "occupations"
[[generators]]
use = "simulated"
images = 20
options.size = 64
[[annotators]]
use = "simulated"
[annotate]
workers = 1
[[methods]]
use = "representation"
options.draws = 100
"""


def portrayal(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from portrayal.cli.main import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 4 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("this machine does not let the tests mount a small disk")
    yield disk
    subprocess.run(["umount", disk], check=True)


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_the_study_goes_on_afterwards(small_disk: Path) -> None:
    root = small_disk / "study"
    root.mkdir()
    (root / "study.toml").write_text(STUDY)
    full = portrayal("run", root)
    lines = [line for line in full.stderr.splitlines() if not line.startswith(("plan:", "generate"))]
    assert full.returncode == 2
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert "disk is full" in lines[0]
    assert not list(root.rglob(".tmp-*"))
    assert portrayal("status", root).returncode == 0
    subprocess.run(["mount", "-o", "remount,size=200m", small_disk], check=True)
    assert portrayal("run", root).returncode == 0
    assert '"made": 3580' in portrayal("status", root, "--json").stdout


@pytest.mark.slow
def test_a_read_only_disk_is_one_line_and_nothing_changes(small_disk: Path) -> None:
    root = small_disk / "study"
    root.mkdir()
    (root / "study.toml").write_text(STUDY.replace("images = 20", "images = 1"))
    assert portrayal("annotate", root).returncode == 0
    before = sorted(root.rglob("*"))
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    refused = portrayal("run", root)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "read-only" in refused.stderr
    assert sorted(root.rglob("*")) == before
    assert portrayal("status", root).returncode == 0

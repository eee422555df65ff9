"""A disk that is full or read-only: one line, nothing lost, and the study goes on afterwards.

``PORTRAYAL_ATTACK=50`` fills the disk fifty times as often.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Ran = subprocess.CompletedProcess[str]
Rows = Callable[[Path], dict[str, list[str]]]
TIMES = 3 * int(os.environ.get("PORTRAYAL_ATTACK", "1"))
"""How often the disk is full in each stage."""
STAGES = ("plan", "generate", "annotate", "measure", "report")
STUDY = """
[study]
title = "disk"
[suite]
use = "occupations"
options.categories = ["healthcare"]
[[generators]]
use = "simulated"
images = 20
options.size = 128
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


def test_a_full_disk_is_one_line_and_the_study_goes_on_afterwards(small_disk: Path, cli: Callable[..., Ran]) -> None:
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
    assert cli("status", root).returncode == 0
    subprocess.run(["mount", "-o", "remount,size=200m", small_disk], check=True)
    assert cli("run", root).returncode == 0
    assert '"made": 260' in cli("status", root, "--json").stdout


def test_a_read_only_disk_is_one_line_and_nothing_changes(small_disk: Path, cli: Callable[..., Ran]) -> None:
    root = small_disk / "study"
    root.mkdir()
    (root / "study.toml").write_text(STUDY.replace("images = 20", "images = 1"))
    assert cli("annotate", root).returncode == 0
    before = sorted(root.rglob("*"))
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    refused = portrayal("run", root)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "read-only" in refused.stderr
    assert sorted(root.rglob("*")) == before
    assert cli("status", root).returncode == 0


def fill(disk: Path, left: int) -> None:
    """Leave so many bytes of a disk free."""
    space = os.statvfs(disk)
    (disk / "filler").write_bytes(bytes(max(0, space.f_bavail * space.f_frsize - left)))


def test_full_in_every_stage_and_then_not_a_study_ends_like_any_other(
    small_disk: Path, tmp_path: Path, rows: Rows, cli: Callable[..., Ran]
) -> None:
    text = STUDY.replace("images = 20", "images = 2")
    whole, root = tmp_path / "whole", small_disk / "study"
    for folder in (whole, root):
        folder.mkdir()
        (folder / "study.toml").write_text(text)
    assert cli("run", whole).returncode == 0
    subprocess.run(["mount", "-o", "remount,size=16m", small_disk], check=True)
    rng, full = random.Random(5), 0
    for stage in STAGES:
        for left in [0, *(int(10 ** rng.uniform(3, 5.5)) for _ in range(TIMES - 1))]:
            fill(small_disk, left)
            ran = cli(stage, root)
            (small_disk / "filler").unlink()
            said = [line for line in ran.stderr.splitlines() if line.startswith("error: ")]
            if ran.returncode:
                full += 1
                assert (ran.returncode, len(said)) == (2, 1), ran.stderr
                assert "disk is full" in said[0]
        assert cli(stage, root).returncode == 0
    assert full >= len(STAGES) - 1
    assert rows(root) == rows(whole)

"""Killed at random moments, in every stage, a study ends with the tables of an uninterrupted run.

``PORTRAYAL_ATTACK=50`` kills fifty times as often.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from PIL import Image
from tests.plugins import write_plugin

from portrayal.store.workspace import SCHEMAS
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Start = Callable[..., ForkServerProcess]
Rows = Callable[[Path], dict[str, list[str]]]
KILLS_PER_STAGE = 4 * int(os.environ.get("PORTRAYAL_ATTACK", "1"))
STAGES = ("plan", "generate", "annotate", "measure", "report")
STUDY = """
[study]
title = "killed"
[suite]
use = "occupations"
options.categories = ["healthcare", "science"]
[[generators]]
use = "simulated"
images = 15
options = {refused = 0.05, failed = 0.2, no_person = 0.1, several = 0.1, size = 2}
[[annotators]]
use = "simulated"
options.accuracy = 0.9
[[methods]]
use = "representation"
options.draws = 100
[generate]
batch = 2
[annotate]
batch = 3
workers = 1
"""


PLUGIN = """
from portrayal.annotators.simulated import Simulated as Looker
from portrayal.generators.simulated import Simulated as Drawer

class CrowdDrawer(Drawer):
    name = "crowd@1"
    parallel = 4

class CrowdLooker(Looker):
    name = "crowd@1"
    parallel = 4
"""
ENTRY_POINTS = """
[portrayal.generators]
crowd = crowd_parts:CrowdDrawer
[portrayal.annotators]
crowd = crowd_parts:CrowdLooker
"""


@pytest.fixture
def crowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that work in threads, as those do that wait for a service."""
    write_plugin(tmp_path / "plugin", "crowd_parts", PLUGIN, ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path / "plugin"))


def finish(start: Start, *arguments: object) -> None:
    process = start(*arguments)
    process.join()
    assert process.exitcode == 0


def kill_while_working(start: Start, root: Path, delay: float, *arguments: object) -> bool:
    """Start a command and kill it ``delay`` after it took the study's lock; tell whether it was still at work."""
    process = start(*arguments)
    while process.is_alive() and not _holds_lock(root, process.pid):
        time.sleep(0.002)
    time.sleep(delay)
    process.kill()
    process.join()
    return process.exitcode == -signal.SIGKILL


def _holds_lock(root: Path, pid: int | None) -> bool:
    try:
        return str(pid) in (root / ".lock-owner").read_text()
    except FileNotFoundError:
        return False


def content(root: Path) -> dict[str, object]:
    """Everything a study holds, whatever parts it lies in."""
    workspace = OpenStudy(root).workspace
    tables = {name: sorted(map(repr, workspace.query(f"SELECT * FROM {name}").to_pylist())) for name in SCHEMAS}
    images = {path.name: path.read_bytes() for path in (root / "images").rglob("*") if path.is_file()}
    return {**tables, "images": images, "report": (root / "report" / "index.html").read_bytes()}


def make(root: Path, text: str = STUDY) -> Path:
    root.mkdir()
    (root / "study.toml").write_text(text)
    return root


@pytest.fixture(scope="module")
def uninterrupted(start_loaded: Start, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    root = make(tmp_path_factory.mktemp("whole") / "study")
    finish(start_loaded, "run", root)
    return content(root)


def test_killed_in_every_stage(start_loaded: Start, tmp_path: Path, uninterrupted: dict[str, object]) -> None:
    root = make(tmp_path / "study")
    kills = kill_in_stages(start_loaded, root, STAGES)
    assert sum(kills.values()) >= 16
    assert all(kills.values()), kills
    assert content(root) == uninterrupted
    assert not list(root.rglob(".tmp-*"))


def test_killed_while_threads_draw_and_look(start_loaded: Start, tmp_path: Path, crowd: None, rows: Rows) -> None:
    text = STUDY.replace('use = "simulated"', 'use = "crowd"')
    whole, root = make(tmp_path / "whole", text), make(tmp_path / "killed", text)
    for stage in ("generate", "annotate", "measure"):
        finish(start_loaded, stage, whole)
    kills = kill_in_stages(start_loaded, root, ("generate", "annotate"))
    assert all(kills.values()), kills
    finish(start_loaded, "measure", root)
    assert rows(root) == rows(whole)


def kill_in_stages(start_loaded: Start, root: Path, stages: Sequence[str]) -> dict[str, int]:
    """Kill each stage some times, then let it end; return how often it was killed at work."""
    rng = random.Random(20241115)
    kills = dict.fromkeys(stages, 0)
    for stage in stages:
        longest = 0.25
        for _ in range(5 * KILLS_PER_STAGE):
            if kills[stage] == KILLS_PER_STAGE:
                break
            if kill_while_working(start_loaded, root, rng.uniform(0, longest), stage, root):
                kills[stage] += 1
            else:
                longest *= 0.7  # it was done before
        finish(start_loaded, stage, root)
    return kills


def test_every_image_is_the_one_its_name_promises(uninterrupted: dict[str, object]) -> None:
    images = uninterrupted["images"]
    assert isinstance(images, dict)
    assert len(images) > 400
    for name, data in images.items():
        assert hashlib.sha256(data).hexdigest() == Path(name).stem


def test_killed_while_importing(start_loaded: Start, tmp_path: Path) -> None:
    source = tmp_path / "images"
    for number in range(400):
        folder = source / "model" / f"a photo of person {number % 20}"
        folder.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (4, 4), (number % 256, number // 256, 7)).save(folder / f"{number}.png")
    arguments = ("--images", source, "--layout", "faintbench")
    roots = {}
    for name in ("whole", "killed"):
        roots[name] = tmp_path / name
        roots[name].mkdir()
        (roots[name] / "study.toml").write_text('[study]\ntitle = "import"\n')
    finish(start_loaded, "import", roots["whole"], *arguments)
    rng, longest, kills = random.Random(7), 0.8, 0
    for _ in range(5):
        if kill_while_working(
            start_loaded, roots["killed"], rng.uniform(0, longest), "import", roots["killed"], *arguments
        ):
            kills += 1
        else:
            longest *= 0.5
    finish(start_loaded, "import", roots["killed"], *arguments)
    assert kills >= 1

    def tables(root: Path) -> list[object]:
        workspace = OpenStudy(root).workspace
        return [sorted(map(repr, workspace.query(f"SELECT * FROM {name}").to_pylist())) for name in SCHEMAS]

    assert tables(roots["killed"]) == tables(roots["whole"])


def test_a_killed_run_leaves_no_worker_behind(start_loaded: Start, tmp_path: Path) -> None:
    root = make(tmp_path / "study")
    text = STUDY.replace("workers = 1", "workers = 2")
    (root / "study.toml").write_text(text)
    finish(start_loaded, "generate", root)
    process = subprocess.Popen(
        [Path(sys.executable).with_name("portrayal"), "annotate", root], stderr=subprocess.DEVNULL
    )
    children: list[int] = []
    while process.poll() is None and len(children) < 3:  # two workers and multiprocessing's tracker
        children = _children(process.pid)
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(children) >= 3
    while any(map(_alive, children)):
        time.sleep(0.05)


def _children(pid: int) -> list[int]:
    try:
        files = Path(f"/proc/{pid}/task").glob("*/children")
        return [int(child) for file in files for child in file.read_text().split()]
    except OSError:
        return []


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]

"""A megabyte that is made to take all memory and all time: each reader uses or refuses it within bounds."""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.attack.formats import FORMATS, sample

pytestmark = pytest.mark.slow

MOST_MB, MOST_SECONDS = 500, 5.0
"""Of a process in all, with Python and what it loads; seconds of a processor."""
KINDS = {
    "csv": [name for name in FORMATS if name.endswith(".csv")],
    "json": [name for name in FORMATS if name.endswith(".json")],
    "toml": [name for name in FORMATS if name.endswith(".toml")],
    "graph": [name for name in FORMATS if name.startswith("graph.")],
}
"""Files of one kind are read by children of one process: to load what reads them takes longer than most of them."""
PROBE = """
import sys
from pathlib import Path
from tests.attack.test_hostile_files import probe
for name in sys.argv[2:]:
    folder = Path(sys.argv[1]) / name
    folder.mkdir()
    probe(name, folder)
"""


def probe(name: str, folder: Path) -> None:
    """Print for each hostile file how a process ended that read it, what it said, and what it took."""
    from tests.samples.hostile import hostile_files

    path, read = folder / name, FORMATS[name]
    (folder / "a.png").touch()
    (folder / "0.png").touch()
    path.write_bytes(sample(name))
    read(path)  # what it loads is no part of what a file takes
    gc.collect()
    gc.freeze()  # nor is looking through that for garbage
    for kind, data in hostile_files(name, sample(name)):
        path.write_bytes(data)
        said, to_parent = os.pipe()
        child = os.fork()
        if not child:
            os.write(to_parent, _read(read, path).encode()[:60_000])
            os._exit(0)
        os.close(to_parent)
        _, status, took = os.wait4(child, 0)
        with os.fdopen(said, "rb") as pipe:
            answer = pipe.read().decode(errors="replace")
        seconds = took.ru_utime + took.ru_stime
        print(json.dumps([name, kind, os.waitstatus_to_exitcode(status), answer, took.ru_maxrss // 1024, seconds]))  # noqa: T201
    gc.unfreeze()  # or DuckDB complains of what is left


def _read(read: object, path: Path) -> str:
    from portrayal.cli.command_line import _one_line
    from portrayal.errors import PortrayalError

    assert callable(read)
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_AS, (8 * 2**30, 8 * 2**30))
    try:
        read(path)
    except PortrayalError as error:
        return f"error: {_one_line(str(error))}"
    except BaseException as error:
        return f"TRACEBACK {type(error).__name__}: {error}"[:2000]
    return ""


def tried_by(program: str, *arguments: str) -> list[Any]:
    """Return what a process of its own printed of each file: its name, and how it was read."""
    words = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(words, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_format_but_pictures_is_of_one_kind() -> None:
    assert sorted(name for names in KINDS.values() for name in names) == sorted(set(FORMATS) - {"picture.png"})


@pytest.mark.parametrize("kind", KINDS)
def test_a_megabyte_takes_little_memory_and_time(kind: str, tmp_path: Path) -> None:
    tried = tried_by(PROBE, str(tmp_path), *KINDS[kind])
    assert all(sum(name == each[0] for each in tried) >= 8 for name in KINDS[kind])
    wrong = [
        (name, what, code, said[:200], megabytes, seconds)
        for name, what, code, said, megabytes, seconds in tried
        if code or said.startswith("TRACEBACK") or "\n" in said or megabytes > MOST_MB or seconds > MOST_SECONDS
    ]
    assert not wrong


PICTURES = """
import io, json, os, sys
from pathlib import Path
from PIL import Image
from portrayal.vision.pictures import Unreadable, open_rgb

Image.MAX_IMAGE_PIXELS = None
folder = Path(sys.argv[1])
Image.new("RGB", (8, 8)).save(folder / "warm.png")
open_rgb(folder / "warm.png")
for ending, mode, side in json.loads(sys.argv[2]):
    path = folder / f"{mode}-{side}.{ending}"
    if not os.fork():  # what takes memory to write is another process
        Image.new(mode, (side, side)).save(path)
        os._exit(0)
    os.wait()
    child = os.fork()
    if not child:
        try:
            open_rgb(path)
        except Unreadable:
            os._exit(2)
        os._exit(0)
    _, status, took = os.wait4(child, 0)
    size = path.stat().st_size
    seconds = took.ru_utime + took.ru_stime
    print(json.dumps([path.name, size, os.waitstatus_to_exitcode(status), took.ru_maxrss // 1024, seconds]))
"""


def test_a_small_picture_takes_little_memory_and_time(tmp_path: Path) -> None:
    kinds = [("png", "RGB"), ("png", "RGBA"), ("png", "L"), ("webp", "RGB"), ("gif", "L"), ("tif", "1"), ("png", "1")]
    asked = [(ending, mode, side) for ending, mode in kinds for side in (5_400, 9_400)]
    tried = tried_by(PICTURES, str(tmp_path), json.dumps(asked))
    assert len(tried) == len(asked)
    small = [each for each in tried if each[1] <= 1_000_000]
    assert len(small) >= 8
    assert {code for _, _, code, _, _ in small} == {0, 2}
    assert not [each for each in small if each[3] > MOST_MB or each[4] > MOST_SECONDS]


MADE = """
import sys
from pathlib import Path
from portrayal.records import OBSERVATION_SCHEMA
from tests.samples.hostile_tables import fullest_table, hostile_tables

full = fullest_table(OBSERVATION_SCHEMA, "reason")
for kind, data in [*hostile_tables(OBSERVATION_SCHEMA, "reason"), ("full", full)]:
    (Path(sys.argv[1]) / kind).write_bytes(data)
"""
TABLES = """
import json, os, sys
from pathlib import Path
from tests.attack.test_hostile_files import _read
from portrayal.store.workspace import Workspace

def read(root):
    space = Workspace(root)
    table = space.tables["observations"]
    for _ in table.scan(("reason", "image")):
        pass
    for _ in table.batches():
        pass
    space.query("SELECT reason, count(*) FROM observations GROUP BY reason")
    space.query("SELECT image, reason FROM observations")

root = Path(sys.argv[1])
path = root / "tables/observations/00000000-00000000.parquet"
path.parent.mkdir(parents=True)
for file in sorted((root / "files").iterdir()):
    path.write_bytes(file.read_bytes())
    said, to_parent = os.pipe()
    if not (child := os.fork()):
        os.write(to_parent, _read(read, root).encode())
        os._exit(0)
    os.close(to_parent)
    _, status, took = os.wait4(child, 0)
    seconds = took.ru_utime + took.ru_stime
    answer = os.fdopen(said).read()
    print(json.dumps([file.name, os.waitstatus_to_exitcode(status), answer, took.ru_maxrss // 1024, seconds]))
"""


def test_a_table_takes_little_memory_and_time(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    assert tried_by(MADE, str(tmp_path / "files")) == []
    tried = tried_by(TABLES, str(tmp_path))
    assert len(tried) >= 14
    assert [kind for kind, _, said, _, _ in tried if not said.startswith("error: ")] == ["a long note", "full"]
    assert not [each for each in tried if each[1] or "\n" in each[2] or each[3] > MOST_MB or each[4] > MOST_SECONDS]
    assert (tmp_path / "files" / "full").stat().st_size < 1_000_000


OPENED = """
import json, os, resource, sys
from pathlib import Path
from tests.samples.hostile_pictures import hostile_pictures, saved
from portrayal.vision.pictures import Unreadable, open_rgb

path = Path(sys.argv[1]) / "warm.webp"
path.write_bytes(saved("WEBP"))
open_rgb(path)
for name, data in hostile_pictures():
    (path := Path(sys.argv[1]) / name).write_bytes(data)
    if not (child := os.fork()):
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
        try:
            open_rgb(path)
        except Unreadable:
            os._exit(2)
        os._exit(0)
    _, status, took = os.wait4(child, 0)
    seconds = took.ru_utime + took.ru_stime
    print(json.dumps([name, len(data), os.waitstatus_to_exitcode(status), took.ru_maxrss // 1024, seconds]))
"""


def test_a_picture_of_many_scans_tags_or_comments_takes_little_memory_and_time(tmp_path: Path) -> None:
    tried = tried_by(OPENED, str(tmp_path))
    assert len(tried) == 7
    assert not [each for each in tried if each[1] > 1_000_000 or each[2] != 2]
    assert not [each for each in tried if each[3] > MOST_MB or each[4] > MOST_SECONDS]

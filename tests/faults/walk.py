"""Walking through every call of a stage: each is hit once in every way that matters, and the next run must mend it."""

from __future__ import annotations

import gc
import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.faulty_disk import FaultyDisk, Killed

from portrayal.errors import PortrayalError
from portrayal.store.files import TEMPORARY
from portrayal.store.workspace import Workspace
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

STAGES = ("plan", "generate", "annotate", "measure", "report")
CHANGING = ("write", "fsync", "replace", "unlink", "mkdir", "rmdir", "pipe_file")
"""Calls after which the disk is another: a kill at any other leaves what a kill at the next of these leaves."""
WITH_HALVES = ("write", "read", "cat_file")
_RANDOM = re.compile(r"(?<=\.tmp-)[0-9a-f]{16,32}")
Open = Callable[[Path], OpenStudy]


def run(root: Path, stage: str, opened: Open = OpenStudy) -> None:
    """Run one stage of a study, or several together."""
    run_stages(opened(root), RunControl(), tuple(stage.split()))


def content(root: Path) -> dict[str, Any]:
    """Return the rows of all tables, the pictures, and the pages; where the study lies is all one."""
    space, place = Workspace(root), re.compile(rf"{re.escape(str(root.parent))}/[^/]+/")
    tables = {
        name: sorted(place.sub("", repr(row)) for batch in table.batches() for row in batch.to_pylist())
        for name, table in space.tables.items()
    }
    for name in space.own_tables.names():
        with space.own_tables.open(name) as table:
            tables[name] = [repr(batch.to_pylist()) for batch in table.batches()]
    files = (path for folder in ("images", "report") for path in (root / folder).rglob("*"))
    whole = (path for path in files if path.is_file() and not path.name.startswith(TEMPORARY))
    return {**tables, **{str(path.relative_to(root)): path.read_bytes() for path in whole}}


@dataclass
class Walk:
    """Hits the calls of one stage, begun from ``before``; ``problems`` is what was found."""

    before: Path
    stage: str
    opened: Open = OpenStudy
    problems: list[str] = field(default_factory=list)
    hits: int = 0
    _mended: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.root = self.before.with_name(f"{self.before.name}-hit")
        disk = FaultyDisk(self.root)
        self.finish(disk)
        self.calls = list(disk.calls)
        self.expected = self.content()

    def faults(self, disk: FaultyDisk) -> AbstractContextManager[object]:
        """Let the disk hit calls within."""
        return disk.installed()

    def content(self) -> dict[str, Any]:
        """Return what is compared."""
        return content(self.root)

    def finish(self, disk: FaultyDisk | None = None) -> None:
        """Run the stage from its beginning, undisturbed."""
        self._restore()
        self._run(disk or FaultyDisk(self.root))

    def trials(self) -> Iterator[tuple[int, str]]:
        """Yield the number of each call, from 1, and how it is hit."""
        for number, call in enumerate(self.calls, start=1):
            name = call.partition(" ")[0]
            yield number, "fail"
            if name in WITH_HALVES:
                yield number, "cut"
            if name in CHANGING:
                yield number, "gone"
                yield number, "kill"

    def hit(self, number: int, kind: str) -> None:
        """Hit a call, then run undisturbed and compare."""
        self._restore()
        self.hits += 1
        disk, where = FaultyDisk(self.root, number, kind), f"{self.stage}, {kind} {number}"
        try:
            self._run(disk)
        except (PortrayalError, Killed):
            pass
        except Exception as error:
            self.problems.append(f"{where}, {disk.calls[number - 1]}: {type(error).__name__}: {error}")
        if disk.dead:
            gc.collect()  # a dead process closes its files
        state = state_of(self.root)
        if state in self._mended:
            return
        self._mended.add(state)
        try:
            self._run(FaultyDisk(self.root))
            after = self.content()
        except Exception as error:
            self.problems.append(f"{where}, {disk.calls[-1]}: then {type(error).__name__}: {error}")
            return
        differ = [name for name in {**after, **self.expected} if after.get(name) != self.expected.get(name)]
        left = [path.name for path in self.root.rglob(f"{TEMPORARY}*")]
        if differ or left:
            self.problems.append(f"{where}, {disk.calls[number - 1]}: then other {differ}, left {left}")

    def _run(self, disk: FaultyDisk) -> None:
        with self.faults(disk):
            run(self.root, self.stage, self.opened)

    def _restore(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(self.before, self.root)


def state_of(root: Path) -> str:
    """Return a digest of a folder: what was mended once need not be mended again."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        digest.update(_RANDOM.sub("", str(path.relative_to(root))).encode() + b"\0")
        if path.is_file() and not path.name.startswith(".lock"):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()

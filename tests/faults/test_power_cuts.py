"""The power is cut after any change to the disk: what a stage has done is there, and the next run does the rest."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.faults.power_cut import Chance, Disk, Keep, Least, NamesOnly, Operation, recorded
from tests.faults.small_studies import STAGES_OF, STUDIES, write_files
from tests.faults.walk import STAGES, content, run, state_of

from portrayal.store import files

pytestmark = pytest.mark.slow

ALL = os.environ.get("PORTRAYAL_FAULTS") == "all"
CHANCES = 4 if ALL else 1
STEP = 1 if ALL else 4
"""The power is cut after every so many changes, and after the last."""


def keeps(moment: int) -> Iterator[tuple[str, Keep]]:
    """Yield what may survive a cut."""
    yield "all", Keep()
    yield "least", Least()
    yield "names", NamesOnly()
    for number in range(CHANCES):
        yield f"chance {number}", Chance(moment * CHANCES + number)


def cut(before: Path, log: list[Operation], moment: int, keep: Keep, target: Path) -> None:
    """Write what is left of a study when the power is cut after so many operations."""
    disk = Disk.of(before)
    for operation in log[:moment]:
        operation(disk)
    shutil.rmtree(target, ignore_errors=True)
    disk.after_cut(target, keep)


def test_what_is_not_synced_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, target = tmp_path / "root", tmp_path / "cut"
    root.mkdir()
    before = shutil.copytree(root, tmp_path / "before")
    left = {}
    for name in ("_sync_folder", "_make_folder"):
        with monkeypatch.context() as patch, recorded(root) as log:
            patch.setattr(files, name, lambda folder: folder.mkdir(parents=True, exist_ok=True))
            files.write_atomic(root / name / "file", b"data")
        cut(before, log, len(log), Least(), target)
        left[name] = [str(path.relative_to(target)) for path in target.rglob("*")]
    assert left == {"_sync_folder": [], "_make_folder": []}
    with recorded(root) as log:
        files.write_atomic(root / "one" / "two" / "file", b"data")
    cut(before, log, len(log), Least(), target)
    assert (target / "one" / "two" / "file").read_bytes() == b"data"
    for moment in range(len(log)):
        for _, keep in keeps(moment):
            cut(before, log, moment, keep, target)
            whole = target / "one" / "two" / "file"
            assert not whole.exists() or whole.read_bytes() == b"data"
    names = [path.name for moment in range(len(log)) for path in _left(before, log, moment, target)]
    assert any(name.startswith(files.TEMPORARY) for name in names)  # a file that is there, and empty


def _left(before: Path, log: list[Operation], moment: int, target: Path) -> list[Path]:
    cut(before, log, moment, NamesOnly(), target)
    return [path for path in target.rglob("*") if path.is_file() and not path.read_bytes()]


@pytest.mark.parametrize("method", STUDIES if ALL else ["representation"])
def test_a_power_cut_at_any_moment(
    method: str, write_study: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_study(tmp_path / "study", **STUDIES[method])
    write_files(method, root)
    problems, said = [], []
    for stage in STAGES_OF.get(method, STAGES):
        before, target, seen = shutil.copytree(root, tmp_path / stage), tmp_path / "cut", set[str]()
        with recorded(root) as log:
            run(root, stage)
        expected = content(root)
        said.append(f"{method} {stage}: {len(log)} changes")
        for moment in sorted({*range(1, len(log), STEP), len(log)}):
            for name, keep in keeps(moment):
                cut(before, log, moment, keep, target)
                if moment == len(log) and content(target) != expected:
                    problems.append(f"{stage}, at the end, {name}: something of it is lost")
                if (state := state_of(target)) in seen:
                    continue
                seen.add(state)
                run(target, stage)
                after = content(target)
                if differ := [one for one in {**after, **expected} if after.get(one) != expected.get(one)]:
                    problems.append(f"{stage}, {moment} of {len(log)}, {name}: other {differ}")
        said[-1] += f", {len(seen)} different disks after a cut"
    if ALL:
        with capsys.disabled():
            sys.stdout.write("\n".join(["", *said, *problems, ""]))
    assert problems == []

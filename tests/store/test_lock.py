from __future__ import annotations

import fcntl
import json
import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from portrayal.errors import StudyLockedError
from portrayal.records import SPENDING_SCHEMA, Spending, to_table
from portrayal.store.lock import one_writer
from portrayal.store.workspace import Workspace

ROW = to_table([Spending("1", "shop@1", "a job", 0.5, settled=False)], SPENDING_SCHEMA)


@pytest.mark.parametrize("replaced", [False, True])
def test_a_writer_whose_lock_file_is_deleted_commits_nothing_more(tmp_path: Path, replaced: bool) -> None:
    workspace = Workspace(tmp_path)
    with workspace.writing():
        workspace.tables["spending"].append(ROW)
        (tmp_path / ".lock").unlink()
        if replaced:
            (tmp_path / ".lock").touch()
        with pytest.raises(StudyLockedError, match=r"\.lock: somebody deleted this lock file.*run again") as caught:
            workspace.tables["spending"].append(ROW)
        assert "\n" not in str(caught.value)
    assert Workspace(tmp_path).tables["spending"].count() == 1
    assert not list(tmp_path.rglob(".tmp-*"))


@pytest.mark.parametrize("ended", [False, True])
def test_a_writer_whose_lock_a_network_lost_commits_nothing_more(tmp_path: Path, ended: bool) -> None:
    """As after a restart of a server of NFS: the file is the same, and another process locks it as well."""
    workspace, other = Workspace(tmp_path), Workspace(tmp_path)
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(workspace.writing())
        workspace.tables["spending"].append(ROW)
        for descriptor in held_descriptors(tmp_path / ".lock"):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        second.enter_context(other.writing())
        other.tables["spending"].append(ROW)
        if ended:
            second.close()
        with pytest.raises(StudyLockedError, match=r"\.lock: somebody else took this lock.*run again"):
            workspace.tables["spending"].append(ROW)
    assert Workspace(tmp_path).tables["spending"].count() == 2
    with workspace.writing():
        workspace.tables["spending"].append(ROW)
    assert Workspace(tmp_path).tables["spending"].count() == 3


def held_descriptors(path: Path) -> list[int]:
    """Return where this process has a file open."""
    numbers = (int(entry.name) for entry in Path("/proc/self/fd").iterdir() if entry.exists())
    return [number for number in numbers if os.path.samestat(os.fstat(number), path.stat())]


def test_it_leaves_the_word_of_the_one_who_came_after_it(tmp_path: Path) -> None:
    owner = tmp_path / ".lock-owner"
    with one_writer(tmp_path) as first:
        (tmp_path / ".lock").unlink()
        with one_writer(tmp_path) as second:
            assert first.lost
            second.check()
            owner.write_text(json.dumps({"pid": 1}))
            with pytest.raises(StudyLockedError, match="pid 1"), one_writer(tmp_path):
                pytest.fail("a third one")
        owner.write_text(json.dumps({"pid": 1}))
    assert json.loads(owner.read_text()) == {"pid": 1}
    with one_writer(tmp_path) as third:
        assert not third.lost
        assert json.loads(owner.read_text())["pid"] == os.getpid()
    assert not owner.exists()

from __future__ import annotations

import json
import os
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
        assert json.loads(owner.read_text()) == {"pid": os.getpid()}
    assert not owner.exists()

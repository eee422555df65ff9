"""Somebody deletes the lock under a writer, and another one starts: nothing is answered twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import StudyLockedError
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl, Silent
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Rows = Callable[[Path], dict[str, list[str]]]


class Interloper(Silent):
    """Deletes the lock after so many batches, and runs the study to its end beside the one that it told about."""

    def __init__(self, root: Path, stage: str, after: int) -> None:
        self._root, self._stage, self._left = root, stage, after
        self._here = False

    def start(self, stage: str, total: int) -> None:
        self._here = stage.startswith(self._stage)

    def advance(self, steps: int) -> None:
        self._left -= self._here
        if self._left == 0:
            (self._root / ".lock").unlink()
            run_stages(OpenStudy(self._root), RunControl())


@pytest.fixture(scope="module")
def whole(write_study: Make, tmp_path_factory: pytest.TempPathFactory, rows: Rows) -> dict[str, list[str]]:
    """Return the tables of a study that nobody attacked."""
    folder = write_study(tmp_path_factory.mktemp("whole") / "study")
    run_stages(OpenStudy(folder), RunControl())
    return rows(folder)


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["plan", "generate", "annotate"])
def test_the_first_writer_stops_and_nothing_is_answered_twice(
    make_study: Make, rows: Rows, whole: dict[str, list[str]], stage: str
) -> None:
    root = make_study()
    with pytest.raises(StudyLockedError, match="somebody deleted this lock file"):
        run_stages(OpenStudy(root), RunControl(Interloper(root, stage, after=1)))
    assert rows(root) == whole
    jobs = OpenStudy(root).workspace.query("SELECT job FROM outcomes")["job"].to_pylist()
    assert max(Counter(jobs).values()) == 1
    run_stages(OpenStudy(root), RunControl())
    assert rows(root) == whole

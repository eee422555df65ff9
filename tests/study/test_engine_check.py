"""What nodes are to build, when a cluster is looked at."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import StudyError
from portrayal.store.allowed_stores import allow_store
from portrayal.study.engine_check import _builds
from portrayal.study.study import OpenStudy


def test_who_draws_and_who_looks_asks_the_store_first(
    make_study: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    (tmp_path / "pictures").mkdir()
    allow_store(str(tmp_path / "pictures"))
    study = OpenStudy(make_study(storage={"images": "../pictures"}))
    builds = _builds(study)
    assert list(builds) == ["generator simulated@1", "annotator simulated@1"]
    for build in builds.values():
        build()
    shutil.rmtree(tmp_path / "pictures")
    for build in builds.values():
        with pytest.raises(StudyError, match=r"pictures: .*it is not there"):
            build()

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import StudyError
from portrayal.processes import cpu_count
from portrayal.store.images.allowed_stores import allow_store
from portrayal.study.checking.engine_check import _builds
from portrayal.study.study import OpenStudy


def test_this_machine_and_where_parts_work(cli: Callable[..., Any], make_study: Callable[..., Path]) -> None:
    folder = make_study(annotate={"workers": 3})
    told = cli("engine", "check", folder)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.splitlines() == [
        f"this machine: {cpu_count()} cores",
        "part                   workers  each          where",
        "generator simulated@1  1        this process  here",
        "annotator simulated@1  3        a process     here",
    ]


def test_a_part_on_several_devices_has_a_process_for_each(
    cli: Callable[..., Any], make_study: Callable[..., Path], tmp_path: Path
) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}", encoding="utf-8")
    told = cli(
        "engine",
        "check",
        make_study(annotators=[{"use": f"clip:{model}", "name": "clip", "devices": ["cpu", "cuda:0"]}]),
    )
    assert told.stderr == ""
    assert told.stdout.splitlines()[-1] == "annotator clip         2        a process     here, on cpu, cuda:0"


def test_an_address_needs_the_engine(cli: Callable[..., Any], make_study: Callable[..., Path]) -> None:
    told = cli("run", make_study(), "--address", "127.0.0.1:1")
    assert (told.returncode, told.stderr) == (2, "error: an address is that of a cluster; say --engine ray too\n")


def test_an_engine_that_is_mistyped_is_one_line(cli: Callable[..., Any], make_study: Callable[..., Path]) -> None:
    told = cli("run", make_study(), "--engine", "rai")
    assert (told.returncode, told.stderr) == (2, "error: no engine named 'rai'; did you mean 'ray'?\n")


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

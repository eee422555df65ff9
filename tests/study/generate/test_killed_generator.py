"""A picture that kills the process which draws it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.samples.deadly import Drawer

import portrayal
from portrayal.engines.deaths import KILLED
from portrayal.generators import GENERATORS, works_apart
from portrayal.study.parts.given_parts import generator_config
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow


def test_it_is_set_aside_with_a_reason_and_all_others_are_drawn(
    make_study: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    drawer = Drawer("CEO")
    folder = make_study(
        generators=[{"use": generator_config(drawer).use, "images": 3}], generate={"batch": 6, "attempts": 1}
    )
    study = portrayal.Study(folder, generator=drawer)
    study.generate()
    query = "SELECT status, reason FROM outcomes ORDER BY status"
    rows = [(row["status"], row["reason"]) for row in OpenStudy(folder).workspace.query(query).to_pylist()]
    assert [reason for status, reason in rows if status == "failed"] == [KILLED] * 3
    assert [status for status, _ in rows].count("made") == 3
    assert "drawer@1: images that an error kept from being made: 3" in capsys.readouterr().err
    drawn = [path.read_text() for path in (folder / "images").glob("*/*")]
    assert not any(text.endswith(f" {os.getpid()}") for text in drawn)


def test_large_models_work_apart() -> None:
    large: Any = GENERATORS.load("diffusers")
    small: Any = GENERATORS.load("simulated")
    faces: Any = GENERATORS.load("facegan")
    assert works_apart(large)
    assert works_apart(faces)
    assert not works_apart(small)

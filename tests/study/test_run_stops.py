"""A run that is asked to stop begins no further stage."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from portrayal.study.run import STAGES, run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]


@pytest.mark.parametrize("done", range(len(STAGES) + 1))
def test_no_stage_begins_after_a_stop(make_study: Make, monkeypatch: pytest.MonkeyPatch, done: int) -> None:
    begun: list[str] = []

    def stage(name: str, study: OpenStudy, control: RunControl) -> None:
        begun.append(name)

    for name in STAGES:
        monkeypatch.setitem(STAGES, name, partial(stage, name))
    run_stages(OpenStudy(make_study()), RunControl(stopped=lambda: len(begun) >= done))
    assert begun == list(STAGES)[:done]

"""A part whose code has changed under the same name and version is told, once something of the old one is stored."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.annotators.function import function_annotator
from portrayal.store.workspace import Workspace
from portrayal.study.parts.code_digests import compare_code, remember_code
from portrayal.study.parts.given_parts import OwnParts, annotator_config, own_annotator
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
SAID = (
    "mine@1: its code is not what worked under this name before; if it gives other results, give it a new version, "
    "else they are mixed"
)


def looks(picture: Any) -> dict[str, str]:
    return {"gender": "female"}


def other(picture: Any) -> dict[str, str]:
    return {"gender": "male"}


class Sure:
    def __call__(self, picture: Any) -> dict[str, str]:
        return {"gender": "male"}


def told(workspace: Workspace, function: Any) -> list[str]:
    remarks: list[str] = []
    compare_code(workspace, "mine@1", function_annotator(function, name="mine"), RunControl(remark=remarks.append))
    return remarks


def test_other_code_under_the_same_name_is_told(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    assert told(workspace, looks) == []
    remember_code(workspace, "mine@1", function_annotator(looks, name="mine"))
    assert told(workspace, looks) == told(workspace, functools.partial(looks)) == []
    assert told(workspace, other) == told(workspace, Sure()) == [SAID]
    assert told(workspace, len) == []  # nobody knows its text
    note = tmp_path / "tables" / "own_parts.json"
    said = json.loads(note.read_text())
    note.write_text(json.dumps({**said, "mine@1": "0123456789abcdef"}))  # damaged: of no code that was ever there
    assert told(workspace, looks) == []
    note.write_text(json.dumps({"mine@1": said["mine@1"]}, indent=2))  # as older versions wrote it
    assert (told(workspace, looks), told(workspace, other)) == ([], [SAID])
    note.write_text("damaged")
    assert told(workspace, other) == []


@pytest.mark.slow
def test_a_study_tells_it_when_images_are_pending(make_study: Make) -> None:
    mine = function_annotator(looks, name="mine")
    folder = make_study(annotators=[annotator_config(own_annotator(mine)).model_dump()])
    remarks: list[str] = []

    def work(function: Any) -> None:
        own = OwnParts.of(annotators=[function_annotator(function, name="mine")])
        run_stages(OpenStudy(folder, own), RunControl(remark=remarks.append), ("plan", "generate", "annotate"))

    work(looks)
    work(other)  # nothing is pending
    assert remarks == []
    config = folder / "study.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace('"images" = 3', '"images" = 4'), encoding="utf-8")
    work(other)
    assert remarks == [SAID]

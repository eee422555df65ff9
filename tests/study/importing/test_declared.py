"""Folders that study.toml names: their images come in at each run, once, whatever happened in between."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError, InputError, UnknownNameError
from portrayal.study.importing import declared
from portrayal.study.importing.declared import bring_and_plan
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Draw = Callable[..., bytes]


@pytest.fixture
def root(make_study: Make, tmp_path: Path, picture: Draw) -> Path:
    """Return a study beside a folder of three pictures that it names."""
    for number, colour in enumerate(("red", "green", "blue")):
        path = tmp_path / "pictures" / "sdxl" / "a nurse" / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture(colour))
    return make_study(suite=None, generators=None, imports=[{"images": "../pictures", "layout": "faintbench"}])


def bring(root: Path) -> list[str]:
    said: list[str] = []
    study = OpenStudy(root)
    with study.workspace.writing():
        bring_and_plan(study, RunControl(remark=said.append))
    return said


def images(root: Path) -> int:
    return read_status(OpenStudy(root)).outcomes.get("sdxl", {}).get("made", 0)


def test_images_come_in_before_all_else_and_the_study_runs_to_its_report(root: Path) -> None:
    page = run_stages(OpenStudy(root), RunControl())
    assert page.is_file()
    assert images(root) == 3


def test_a_second_run_reads_no_picture(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bring(root) == [f"{root.parent / 'pictures'}: made 3"]

    def never(*_: object) -> Any:
        raise AssertionError

    monkeypatch.setattr(declared, "import_images", never)
    assert bring(root) == []


def test_pictures_that_are_added_or_replaced_come_in_at_the_next_run(root: Path, picture: Draw) -> None:
    bring(root)
    folder = root.parent / "pictures" / "sdxl" / "a nurse"
    (folder / "3.png").write_bytes(picture("white"))
    assert bring(root) == [f"{root.parent / 'pictures'}: already there 3, made 1"]
    (folder / "3.png").write_bytes(picture("black"))
    os.utime(folder / "3.png", ns=(1, 1))
    bring(root)
    assert images(root) == 4


def test_a_folder_that_went_away_after_it_came_in_stops_nothing(root: Path) -> None:
    bring(root)
    shutil.rmtree(root.parent / "pictures")
    assert bring(root) == [f"{root.parent / 'pictures'}: not here any more; the images that came in from there stay"]
    assert images(root) == 3


def test_a_folder_that_was_never_there_is_refused(root: Path) -> None:
    shutil.rmtree(root.parent / "pictures")
    with pytest.raises(
        ConfigError, match=r"study\.toml: \[\[imports\]\]: .*pictures: no such folder; correct 'images'"
    ):
        bring(root)


def test_an_import_that_was_stopped_goes_on(root: Path) -> None:
    study = OpenStudy(root)
    with study.workspace.writing():
        bring_and_plan(study, RunControl(stopped=iter([False, True, True, True, True]).__next__))
    assert images(root) == 0
    bring(root)
    assert images(root) == 3


def test_pictures_stay_inside_the_folder(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes((tmp_path / "pictures/sdxl/a nurse/0.png").read_bytes())
    (tmp_path / "pictures/sdxl/a nurse/9.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(InputError, match="leads out of"):
        bring(root)


def test_a_layout_that_nobody_knows_is_refused_before_work_begins(make_study: Make) -> None:
    study = OpenStudy(make_study(imports=[{"images": "x", "layout": "faintbnech"}]))
    with pytest.raises(UnknownNameError, match="no layout named 'faintbnech'; did you mean 'faintbench'"):
        study.check()


def test_a_study_that_is_a_link_finds_its_neighbours(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "link").symlink_to(root)
    bring(tmp_path / "elsewhere" / "link")
    assert images(root) == 3


@pytest.mark.parametrize("damage", [b"{", b"[" * 100_000, b"\xff", b"[]"])
def test_a_damaged_note_of_what_came_in_has_all_looked_at_again(root: Path, damage: bytes) -> None:
    bring(root)
    (root / "tables" / "imports.json").write_bytes(damage)
    assert len(bring(root)) == 1
    assert images(root) == 3
    assert bring(root) == []


def test_a_note_that_says_something_else_has_all_looked_at_again_and_one_of_an_older_version_holds(root: Path) -> None:
    bring(root)
    note = root / "tables" / "imports.json"
    said = json.loads(note.read_text())
    note.write_text(json.dumps({**said, "another folder": "state"}))
    assert len(bring(root)) == 1
    assert json.loads(note.read_text()) == said
    del said["checksum"]
    note.write_text(json.dumps(said))
    assert bring(root) == []

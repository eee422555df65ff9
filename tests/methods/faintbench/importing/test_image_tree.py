from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.records import Prompt
from portrayal.study.importing.folders.layouts import read_layout


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_a_tree_names_model_and_prompt_by_its_folders(tmp_path: Path) -> None:
    put(tmp_path, "sdxl/a nurse/1.png", "sdxl/a nurse/0.png", "sdxl/a CEO/0.png", "dalle/a nurse/0.png")
    assert [(file.model, file.prompt.text, file.path.name) for file in read_layout("faintbench", tmp_path)] == [
        ("dalle", "a nurse", "0.png"),
        ("sdxl", "a CEO", "0.png"),
        ("sdxl", "a nurse", "0.png"),
        ("sdxl", "a nurse", "1.png"),
    ]


def test_a_photorealism_suffix_is_not_part_of_the_prompt(tmp_path: Path) -> None:
    put(tmp_path, "sdxl/a nurse, photorealistic, 8k/0.png")
    assert [file.prompt for file in read_layout("faintbench", tmp_path)] == [Prompt("a nurse", "a nurse")]


def test_hidden_files_and_folders_are_passed_over(tmp_path: Path) -> None:
    put(
        tmp_path, "sdxl/a nurse/0.png", "sdxl/a nurse/.DS_Store", "sdxl/.cache/0.png", ".git/a nurse/0.png", "README.md"
    )
    assert [file.path.name for file in read_layout("faintbench", tmp_path)] == ["0.png"]


def test_names_may_hold_spaces_and_any_script(tmp_path: Path) -> None:
    put(tmp_path, "modèle n° 1/eine Ärztin 看護師/bild №1 😀.png")
    (file,) = read_layout("faintbench", tmp_path)
    assert (file.model, file.prompt.term, file.path.name) == ("modèle n° 1", "eine Ärztin 看護師", "bild №1 😀.png")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow only Unicode names")
def test_names_that_are_not_utf8_become_text_that_can_be_stored(tmp_path: Path) -> None:
    folder = os.path.join(os.fsencode(tmp_path), b"mod\xe8le", b"infirmi\xe8re")  # noqa: PTH118  # bytes have no Path
    os.makedirs(folder)  # noqa: PTH103
    Path(os.fsdecode(os.path.join(folder, b"\xe8.png"))).touch()  # noqa: PTH118
    (file,) = read_layout("faintbench", tmp_path)
    assert (file.model, file.prompt.text) == ("mod?le", "infirmi?re")
    assert file.path.exists()


def test_a_folder_without_a_prompt_in_its_name_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "sdxl/, photorealistic/0.png")
    with pytest.raises(InputError, match="empty prompt"):
        read_layout("faintbench", tmp_path)


def test_images_at_the_wrong_depth_are_not_a_tree(tmp_path: Path) -> None:
    put(tmp_path, "0.png", "sdxl/0.png")
    with pytest.raises(InputError, match="no files laid out as 'faintbench'"):
        read_layout("faintbench", tmp_path)

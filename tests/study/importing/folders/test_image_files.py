"""Which files of a folder are passed over, so that none is lost without a word."""

from __future__ import annotations

from pathlib import Path

from portrayal.study.importing.folders.image_files import passed_over
from portrayal.study.importing.folders.layouts import read_layout


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_files_outside_the_folders_of_prompts_are_named(tmp_path: Path) -> None:
    put(tmp_path, "a/a nurse/0.png", "a/a nurse/notes.txt", "a/notes.txt", "a/lost.png", "a/a nurse/deep/1.png", "x.md")
    put(tmp_path, ".hidden", "a/.git/config")
    found = read_layout("faintbench", tmp_path)
    outside = [str(path.relative_to(tmp_path)) for path in passed_over(tmp_path, found)]
    assert outside == ["a/a nurse/deep/1.png", "a/lost.png", "a/notes.txt", "x.md"]


def test_of_files_that_a_list_does_not_name_images_beside_them_are_named(tmp_path: Path) -> None:
    put(tmp_path, "0.png", "1.png", "notes.txt", ".hidden.png", "elsewhere/2.png")
    (tmp_path / "manifest.csv").write_text("path,model,prompt\n0.png,a,a nurse\n", encoding="utf-8")
    assert passed_over(tmp_path, read_layout("manifest", tmp_path)) == [tmp_path / "1.png"]

"""A folder of images is looked at, and the layout that fits it is found, or said why none does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.study.importing.recognise import recognise

NURSE = {"occupation": "nurse", "model": "sdxl", "prompt": "a nurse"}


def put(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    return folder


def tree(folder: Path) -> Path:
    return put(folder, "sdxl/a nurse/0.png", "sdxl/a nurse/1.PNG", "pixart/a CEO/0.jpg", "pixart/a CEO/Thumbs.db")


def numbered(folder: Path) -> Path:
    put(folder, "0.png", "1.png")
    (folder / "metadata.json").write_text(json.dumps({"0": NURSE, "1": NURSE}), encoding="utf-8")
    return folder


def listed(folder: Path, name: str = "manifest.csv") -> Path:
    put(folder, "a.png", "b/c.png")
    (folder / name).write_text("file;model;prompt\na.png;m;p\nb/c.png;m;q\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("lay", "layout", "counts"),
    [(tree, "faintbench", (3, 2, 2)), (numbered, "bafis", (2, 1, 1)), (listed, "manifest", (2, 1, 2))],
)
def test_each_layout_is_recognised(
    tmp_path: Path, lay: Callable[[Path], Path], layout: str, counts: tuple[int, ...]
) -> None:
    found = recognise(lay(tmp_path / "images"))
    assert (found.layout, found.manifest) == (layout, None)
    assert (found.images, found.models, found.prompts) == counts


def test_a_list_of_another_name_is_found(tmp_path: Path) -> None:
    found = recognise(listed(tmp_path, "pictures of 2024.csv"))
    assert (found.layout, found.manifest) == ("manifest", tmp_path / "pictures of 2024.csv")


def test_of_layouts_that_fit_the_one_with_most_images_is_it(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / "some.csv").write_text("path,model,prompt\nsdxl/a nurse/0.png,m,p\n", encoding="utf-8")
    assert recognise(tmp_path).layout == "faintbench"


def test_a_manifest_counts_before_all_else_and_its_mistakes_are_told(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / "manifest.csv").write_text("path,modell,prompt\na.png,m,p\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"manifest\.csv: column 'model' is missing"):
        recognise(tmp_path)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), "there are no images in it"),
        (("notes.txt",), "there are no images in it"),
        (("0.png", "1.png"), "2 images lie in it, and no layout fits"),
        (("a nurse/0.png",), "1 images lie in it, and no layout fits"),
    ],
)
def test_a_folder_that_no_layout_fits_is_explained(tmp_path: Path, names: tuple[str, ...], said: str) -> None:
    (tmp_path / "images").mkdir()
    with pytest.raises(InputError, match=said) as told:
        recognise(put(tmp_path / "images", *names))
    assert "MODEL/PROMPT/FILE" in str(told.value)
    assert "bafis: " in str(told.value)
    assert "\n" not in str(told.value)


def test_files_elsewhere_are_taken_only_if_that_is_said(tmp_path: Path) -> None:
    put(tmp_path, "far.png")
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "manifest.csv").write_text("path,model,prompt\n../far.png,m,p\n", encoding="utf-8")
    with pytest.raises(InputError, match="leads out of"):
        recognise(tmp_path / "images")
    assert recognise(tmp_path / "images", outside=True).outside

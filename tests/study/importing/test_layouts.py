"""Which files a layout finds, and what it says when a folder is not laid out like that. No picture is opened here."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import InputError
from portrayal.records import Prompt
from portrayal.study.importing.layouts import Found, read_layout


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def manifest(folder: Path, text: str) -> Path:
    (folder / "manifest.csv").write_text(text, encoding="utf-8")
    return folder


def bafis(folder: Path, entries: Mapping[str, Any] | list[Any]) -> Path:
    (folder / "metadata.json").write_text(json.dumps(entries), encoding="utf-8")
    return folder


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


def test_bafis_metadata_names_occupation_model_prompt_group_and_language(tmp_path: Path) -> None:
    put(tmp_path, "0.png", "1.png")
    entry = {"occupation": "nurse", "model": "sdxl", "prompt": "ein Foto einer Pflegekraft"}
    bafis(tmp_path, {"0": {**entry, "prompt_group": "neutral", "language": "de"}, "1": entry})
    first = Prompt("ein Foto einer Pflegekraft", "nurse", suite="bafis", variant="neutral", language="de")
    second = Prompt("ein Foto einer Pflegekraft", "nurse", suite="bafis")
    assert read_layout("bafis", tmp_path) == [
        Found(tmp_path / "0.png", "sdxl", first),
        Found(tmp_path / "1.png", "sdxl", second),
    ]


def test_a_manifest_gives_every_column(tmp_path: Path) -> None:
    put(tmp_path, "deep/a.png")
    manifest(
        tmp_path,
        "path,model,prompt,seed,term,category,variant,language\n"
        'deep/a.png,sdxl,"a nurse, smiling",7,nurse,health,smile,en\n'
        "b.png,sdxl,a CEO,,,,,\n",
    )
    assert read_layout("manifest", tmp_path) == [
        Found(
            tmp_path / "deep/a.png",
            "sdxl",
            Prompt("a nurse, smiling", "nurse", category="health", variant="smile"),
            seed=7,
        ),
        Found(tmp_path / "b.png", "sdxl", Prompt("a CEO", "a CEO")),
    ]


def test_a_manifest_may_lie_elsewhere_and_hold_absolute_paths(tmp_path: Path) -> None:
    put(tmp_path, "images/a.png")
    where = tmp_path / "list.csv"
    where.write_text(f"path,model,prompt\n{tmp_path / 'images/a.png'},sdxl,a nurse\n", encoding="utf-8")
    (file,) = read_layout("manifest", tmp_path / "images", where)
    assert file.path == tmp_path / "images/a.png"


@pytest.mark.parametrize("seed", ["-5", "9223372036854775807", "12345678901234567"])
def test_seeds_are_kept_to_the_last_digit(tmp_path: Path, seed: str) -> None:
    put(tmp_path, "a.png")
    manifest(tmp_path, f"path,model,prompt,seed\na.png,sdxl,a nurse,{seed}\n")
    assert read_layout("manifest", tmp_path)[0].seed == int(seed)


@pytest.mark.parametrize("seed", ["1.5", "nan", "inf", "1e3", "seven", "9223372036854775808"])
def test_a_seed_that_is_no_64_bit_number_is_refused_with_its_line(tmp_path: Path, seed: str) -> None:
    put(tmp_path, "a.png")
    manifest(tmp_path, f"path,model,prompt,seed\na.png,sdxl,a nurse,1\na.png,sdxl,a nurse,{seed}\n")
    with pytest.raises(InputError, match=rf"manifest.csv:3: column 'seed' must .* got '?{seed}"):
        read_layout("manifest", tmp_path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("path,model\na.png,sdxl\n", "column 'prompt' is missing"),
        ("path,model,prompt,sed\na.png,sdxl,nurse,1\n", "did you mean 'seed'"),
        ("path,model,prompt\n", "no rows"),
        ("path,model,prompt\na.png,sdxl\n", "manifest.csv:2: 2 values"),
        ("path,model,prompt\na.png,sdxl,nurse\n,sdxl,nurse\n", "manifest.csv:3: column 'path' is empty"),
        ("path,model,prompt\na.png, ,nurse\n", "manifest.csv:2: column 'model' is empty"),
        ("path,model,prompt\na.png,sdxl,  \n", "manifest.csv:2: column 'prompt' is empty"),
    ],
)
def test_a_bad_manifest_is_refused_with_file_and_line(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_layout("manifest", manifest(tmp_path, text))


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ([], "must hold an object"),
        ({"0": "nurse"}, "image '0': must be an object"),
        ({"0": {"occupation": "nurse", "model": "sdxl"}}, "image '0': 'prompt' is missing or empty"),
        ({"0": {"occupation": "nurse", "model": "sdxl", "prompt": "  "}}, "'prompt' is missing or empty"),
        ({"0": {"occupation": "nurse", "model": ["sdxl"], "prompt": "x"}}, "'model' must be text"),
    ],
)
def test_bad_bafis_metadata_is_refused_with_the_image_it_is_about(
    tmp_path: Path, entries: dict[str, Any] | list[Any], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        read_layout("bafis", bafis(tmp_path, entries))


def test_metadata_that_is_not_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "metadata.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"metadata\.json: not valid JSON"):
        read_layout("bafis", tmp_path)


def test_a_folder_without_a_prompt_in_its_name_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "sdxl/, photorealistic/0.png")
    with pytest.raises(InputError, match="empty prompt"):
        read_layout("faintbench", tmp_path)


@pytest.mark.parametrize("layout", ["faintbench", "bafis", "manifest"])
def test_a_missing_folder_is_refused(tmp_path: Path, layout: str) -> None:
    with pytest.raises(InputError, match="nowhere: no such folder"):
        read_layout(layout, tmp_path / "nowhere")


@pytest.mark.parametrize(("layout", "file"), [("bafis", "metadata.json"), ("manifest", "manifest.csv")])
def test_a_folder_without_its_list_is_refused(tmp_path: Path, layout: str, file: str) -> None:
    with pytest.raises(InputError, match=f"{file}: no such file"):
        read_layout(layout, tmp_path)


def test_images_at_the_wrong_depth_are_not_a_tree(tmp_path: Path) -> None:
    put(tmp_path, "0.png", "sdxl/0.png")
    with pytest.raises(InputError, match="no files laid out as 'faintbench'"):
        read_layout("faintbench", tmp_path)


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "sdxl/a nurse/notes.txt", "sdxl/a nurse/table.csv")
    with pytest.raises(InputError, match="none of the 2 files here is an image"):
        read_layout("faintbench", tmp_path)


def test_a_list_none_of_whose_files_are_here_is_refused(tmp_path: Path) -> None:
    manifest(tmp_path, "path,model,prompt\na.png,sdxl,nurse\nb.png,sdxl,nurse\n")
    with pytest.raises(InputError, match=r"none of the 2 files listed is here, such as .*a\.png; check --images"):
        read_layout("manifest", tmp_path)


def test_a_manifest_goes_with_its_own_layout_only(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--manifest goes with --layout manifest"):
        read_layout("bafis", tmp_path, tmp_path / "list.csv")

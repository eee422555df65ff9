"""Plain folders: model and prompt are the names of folders and files, or told once for all images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.errors import InputError
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.image_terms import prompt_terms


def put(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return folder


def read(folder: Path, layout: str, **told: Any) -> list[tuple[str, str, str]]:
    """Return where each file lies, its model and its prompt."""
    found = read_layout(layout, folder, **told)
    return [(file.path.relative_to(folder).as_posix(), file.model, file.prompt.text) for file in found]


def test_a_tree_keeps_prompts_apart_that_differ_after_a_comma(tmp_path: Path) -> None:
    put(tmp_path, "A/a nurse, old/0.png", "A/a nurse, young/0.png", "B/a nurse, old/0.png", "A/loose.png", "x.png")
    assert read(tmp_path, "tree") == [
        ("A/a nurse, old/0.png", "A", "a nurse, old"),
        ("A/a nurse, young/0.png", "A", "a nurse, young"),
        ("B/a nurse, old/0.png", "B", "a nurse, old"),
    ]
    assert {file.prompt.term for file in read_layout("tree", tmp_path)} == {"a nurse, old", "a nurse, young"}


def test_a_suffix_that_all_prompts_have_is_no_part_of_the_term(tmp_path: Path) -> None:
    put(tmp_path, "A/a nurse, 4k/0.png", "A/a CEO, 4k/0.png", "B/a nurse, photo/0.png")
    assert {file.prompt.term for file in read_layout("tree", tmp_path)} == {"a nurse", "a CEO"}


def test_folders_of_prompts_and_of_models_may_have_folders_in_them(tmp_path: Path) -> None:
    put(tmp_path, "one/0.png", "two/2024/05/1.PNG", "loose.png", ".git/2.png")
    assert read(tmp_path, "prompts", model="M") == [("one/0.png", "M", "one"), ("two/2024/05/1.PNG", "M", "two")]
    assert read(tmp_path, "models", prompt="P") == [("one/0.png", "one", "P"), ("two/2024/05/1.PNG", "two", "P")]


def test_a_tree_may_have_folders_of_seeds_below_prompts_and_of_days_anywhere(tmp_path: Path) -> None:
    put(tmp_path, "A/a nurse/seed0/0.png", "2024-05-01/A/a CEO/0.png", "A/2024/a CEO/1.png", "A/2024/0.png", "A/x.png")
    assert read(tmp_path, "tree") == [
        ("2024-05-01/A/a CEO/0.png", "A", "a CEO"),
        ("A/2024/0.png", "A", "2024"),
        ("A/2024/a CEO/1.png", "A", "a CEO"),
        ("A/a nurse/seed0/0.png", "A", "a nurse"),
    ]


@pytest.mark.parametrize(("layout", "told"), [("prompts", {"model": "M"}), ("models", {"prompt": "P"})])
def test_folders_of_days_are_neither_prompts_nor_models(tmp_path: Path, layout: str, told: dict[str, str]) -> None:
    put(tmp_path, "2024-05-01/one/0.png", "007/two/1.png")
    named = {name for _, *names in read(tmp_path, layout, **told) for name in names}
    assert named == {"one", "two", *told.values()}


def test_a_flat_folder_takes_all_that_lies_in_it(tmp_path: Path) -> None:
    put(tmp_path, "b.png", "a.jpg", "2024/c.webp", ".hidden.png")
    assert read(tmp_path, "flat", model="M", prompt="P") == [
        ("a.jpg", "M", "P"), ("b.png", "M", "P"), ("2024/c.webp", "M", "P"),
    ]  # fmt: skip


def test_names_of_files_are_prompts(tmp_path: Path) -> None:
    put(tmp_path, "a_nurse_01.png", "a_nurse_02.png", "more/a CEO (1).jpg", "1.txt")
    assert [(model, text) for _, model, text in read(tmp_path, "names", model="M")] == [
        ("M", "a nurse"), ("M", "a nurse"), ("M", "a CEO"),
    ]  # fmt: skip


def test_folders_of_images_that_are_named_after_prompts_are_models(tmp_path: Path) -> None:
    put(tmp_path, "A/a nurse 1.png", "B/2024/a nurse 2.png", "notes.txt")
    assert [(model, text) for _, model, text in read(tmp_path, "names")] == [("A", "a nurse"), ("B", "a nurse")]
    put(tmp_path, "2024-05-01/B/a nurse 3.png")
    assert [model for _, model, _ in read(tmp_path, "names")] == ["B", "A", "B"]
    put(tmp_path, "a CEO 1.png")
    with pytest.raises(InputError, match=r"a CEO 1\.png: lies in no folder that could be its model; add --model NAME"):
        read(tmp_path, "names")


def test_days_are_no_models_of_images_that_are_named_after_prompts(tmp_path: Path) -> None:
    put(tmp_path, "2024-05-01/a nurse 1.png", "2024-05-02/a nurse 2.png")
    with pytest.raises(
        InputError, match=r"a nurse 1\.png: lies in no folder that could be its model; add --model NAME"
    ):
        read(tmp_path, "names")


def test_an_image_whose_name_holds_no_prompt_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "a nurse 01.png", "0001.png", "0002.png")
    with pytest.raises(
        InputError, match=r"0001\.png: no prompt in this file's name, and in 2 of 3 in all; rename them, "
    ):
        read(tmp_path, "names", model="M")


@given(st.lists(st.tuples(st.sampled_from("AB"), st.text("xy, ", min_size=1)), max_size=12))
def test_terms_never_make_one_prompt_of_two_of_a_model(prompts: list[tuple[str, str]]) -> None:
    terms = prompt_terms(prompts)
    for model in "AB":
        texts = {text for own, text in prompts if own == model}
        assert len({terms[text] for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("layout", "told", "said"),
    [
        ("prompts", {}, "the layout 'prompts' (prompt/image.png, all of one --model) needs a model: add --model NAME"),
        ("flat", {"model": "M"}, "needs a prompt: add --prompt TEXT (in study.toml and in Python: prompt)"),
        ("tree", {"model": "M"}, "--model goes with the layouts prompts, flat, names, manifest; in 'tree' each image"),
        ("bafis", {"prompt": "P"}, "--prompt goes with the layouts models, flat, manifest; in 'bafis' each image has"),
    ],
)
def test_what_a_layout_needs_or_has_by_itself_is_said(
    tmp_path: Path, layout: str, told: dict[str, Any], said: str
) -> None:
    put(tmp_path, "a/b/0.png")
    with pytest.raises(InputError) as caught:
        read_layout(layout, tmp_path, **told)
    assert said in str(caught.value)


def test_links_are_followed_to_each_folder_once_and_not_out_of_it(tmp_path: Path) -> None:
    put(tmp_path / "own", "deep/0.png")
    (tmp_path / "own/deep/loop").symlink_to("..")
    (tmp_path / "own/again").symlink_to("deep")
    assert len(read(tmp_path / "own", "flat", model="M", prompt="P")) == 1
    put(tmp_path, "private/1.png")
    (tmp_path / "own/out").symlink_to(tmp_path / "private")
    with pytest.raises(InputError, match="leads out of"):
        read(tmp_path / "own", "flat", model="M", prompt="P")


def test_a_folder_without_a_name_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "A/ /0.png")
    with pytest.raises(InputError, match="a folder without a name; name it after its model or its prompt"):
        read(tmp_path, "tree")

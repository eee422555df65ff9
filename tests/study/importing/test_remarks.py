"""What is said about a folder of images before they come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.remarks import numbers_remarks, unused_remarks


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


@pytest.mark.parametrize(
    ("layout", "told", "names", "unused"),
    [
        ("tree", {}, ("A/a nurse/seed0/0.png", "A/a nurse/seed1/1.png"), "'seed0', 'seed1'"),
        ("tree", {}, ("A/a nurse/0.png", "A/a nurse/2024-05-01/1.png", "7/A/a nurse/2.png"), ""),
        ("tree", {}, ("A/a nurse/0.png", "A/a nurse/old/notes.txt"), ""),
        ("prompts", {"model": "M"}, ("a nurse/0.png", "a nurse/old/1.png"), "'old'"),
        ("models", {"prompt": "P"}, ("A/0.png", "A/b/1.png"), "'b'"),
        ("flat", {"model": "M", "prompt": "P"}, ("A/nurse/0.png",), "'A', 'nurse'"),
        ("names", {"model": "M"}, ("A/a nurse.png",), "'A'"),
        ("names", {}, ("A/a nurse.png", "A/b/a nurse.png"), "'b'"),
    ],
)
def test_folders_that_are_not_kept_apart_are_named(
    tmp_path: Path, layout: str, told: dict[str, Any], names: tuple[str, ...], unused: str
) -> None:
    put(tmp_path, *names)
    said = f"not kept apart, as the layout {layout} takes nothing from their names: images in the folders {unused}"
    assert list(unused_remarks(tmp_path, read_layout(layout, tmp_path, **told), layout)) == ([said] if unused else [])


def said_of_numbers(folder: Path, *names: str) -> list[str]:
    put(folder, *names)
    return list(numbers_remarks(folder, read_layout("names", folder, model="M"), "names"))


def test_numbers_that_are_taken_for_counters_are_said(tmp_path: Path) -> None:
    assert said_of_numbers(tmp_path, "nurse_1.png", "nurse_2.png", "a CEO_001.png", "a CEO_002.png") == [
        "taken for counters, not for a part of the prompt: numbers at the end of names, as of 'nurse' (1 to 2)"
    ]


def test_numbers_that_are_taken_for_a_part_of_the_prompt_are_said(tmp_path: Path) -> None:
    (said,) = said_of_numbers(tmp_path, "nurse aged 30.png", "nurse aged 60.png", "nurse aged 60 (2).png")
    assert said.startswith(
        "taken for a part of the prompt, as they do not count up: the numbers at the end of 'nurse aged 30', 'nurse "
        "aged 60'; if these are counters or seeds, list"
    )


def test_nothing_is_said_of_numbers_that_mean_nothing_else(tmp_path: Path) -> None:
    assert said_of_numbers(tmp_path, "nurse_1.png", "nurse (2).png", "a man with covid-19.png") == []
    assert list(numbers_remarks(tmp_path, read_layout("flat", tmp_path, model="M", prompt="P"), "flat")) == []

"""What is said about a folder of images before they come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.study.importing.layouts import read_layout
from portrayal.study.importing.remarks import unused_remarks


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
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    said = f"not kept apart, as the layout {layout} takes nothing from their names: images in the folders {unused}"
    assert list(unused_remarks(tmp_path, read_layout(layout, tmp_path, **told), layout)) == ([said] if unused else [])

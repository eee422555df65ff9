from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import InputError
from portrayal.records import FoundImage, Prompt
from portrayal.study.importing.folders.layouts import read_layout


def bafis(folder: Path, entries: Mapping[str, Any] | list[Any]) -> Path:
    (folder / "metadata.json").write_text(json.dumps(entries), encoding="utf-8")
    return folder


def test_bafis_metadata_names_occupation_model_prompt_group_and_language(tmp_path: Path) -> None:
    (tmp_path / "0.png").touch()
    entry = {"occupation": "nurse", "model": "sdxl", "prompt": "ein Foto einer Pflegekraft"}
    bafis(tmp_path, {"0": {**entry, "prompt_group": "neutral", "language": "de"}, "1": {**entry, "prompt": "a nurse"}})
    first = Prompt("ein Foto einer Pflegekraft", "nurse", suite="bafis", variant="neutral", language="de")
    second = Prompt("a nurse", "nurse", suite="bafis")
    assert read_layout("bafis", tmp_path) == [
        FoundImage(tmp_path / "0.png", "sdxl", first, listed=True),
        FoundImage(tmp_path / "1.png", "sdxl", second, listed=True),
    ]


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
    with pytest.raises(InputError, match=r"metadata\.json:1: not valid JSON"):
        read_layout("bafis", tmp_path)

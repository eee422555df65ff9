"""One image explained, from its study's tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def study(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study in which everything was looked at; only to be read."""
    shares = {"caption": {"two men on a lawn with a red {term} and a smartphone": 1.0}, "prompt_match": {"match": 1.0}}
    folder = write_study(
        tmp_path_factory.mktemp("explain") / "study",
        suite={"use": "tbyb", "options": {"terms": ["apple", "phone"]}},
        generators=[{"use": "simulated", "images": 1, "options": {"shares": shares}}],
        annotators=[{"use": "simulated", "options": {"attributes": ["caption", "prompt_match"]}}],
        methods=[{"use": "tbyb", "options": {"similarity": 0}}],
    )
    run_stages(OpenStudy(folder), RunControl(), ("plan", "generate", "annotate"))
    return folder


def images(study: Path) -> dict[str, str]:
    rows = OpenStudy(study).workspace.query(
        "SELECT term, image FROM outcomes JOIN jobs ON jobs.id = job JOIN prompts ON prompts.id = jobs.prompt"
    )
    return {row["term"]: row["image"] for row in rows.to_pylist()}


def test_every_step_is_printed(study: Path, cli: Callable[..., Any]) -> None:
    name = images(study)["apple"]
    said = cli("tbyb", "explain", study, name[:12]).stdout
    assert f"image      {name}" in said
    for line in (
        "prompt     a picture of an apple",
        "shows its prompt with probability 1.000",
        "X          apple",
        "Y          apple, lawn, person, smartphone",
        "B_D counts lawn, man, smartphone",
        "  man -> person: uninvited",
        "  apple: the same word",
        "  red: left out (colour)",
        "  two: left out (number)",
        "H_J        0.750: 0.750 added, 0.000 left out",
        "addition   0.750 of what the caption names",
        "omission   0.000 of what was asked for",
    ):
        assert line in said


def test_as_json(study: Path, cli: Callable[..., Any]) -> None:
    (found,) = json.loads(cli("tbyb", "explain", study, f"{images(study)['phone']}.png", "--json").stdout)
    assert found["prompt"] == "a picture of a phone"
    (caption,) = found["captions"]
    assert caption["X"] == ["phone"]
    assert {"word": "red", "kind": "colour"} in caption["left_out"]
    assert caption["hallucination"]["total"] == pytest.approx(3 / 4)


def test_a_prompt_without_an_object_has_no_score_and_says_why(
    make_study: Callable[..., Path], tmp_path: Path, cli: Callable[..., Any]
) -> None:
    (tmp_path / "prompts.csv").write_text("text,term,category\nan orange,orange,fruit\n", encoding="utf-8")
    shares = {"caption": {"a lawn": 1.0}}
    folder = make_study(
        suite={"use": "file", "options": {"path": str(tmp_path / "prompts.csv")}},
        generators=[{"use": "simulated", "images": 1, "options": {"shares": shares}}],
        annotators=[{"use": "simulated", "options": {"attributes": ["caption"]}}],
        methods=[{"use": "tbyb", "options": {"similarity": 0}}],
    )
    run_stages(OpenStudy(folder), RunControl(), ("plan", "generate", "annotate"))
    said = cli("tbyb", "explain", folder, images(folder)["orange"])
    assert (said.returncode, said.stderr) == (0, "")
    assert "H_J        left out: the prompt names no object" in said.stdout


@pytest.mark.parametrize(
    ("image", "message"),
    [("xyz", "is no image's name"), ("0" * 64, "no image begins with"), ("", "is no image's name")],
)
def test_an_image_that_is_not_there_is_named(study: Path, cli: Callable[..., Any], image: str, message: str) -> None:
    ran = cli("tbyb", "explain", study, image)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert message in ran.stderr


def test_a_folder_without_a_study_is_named(tmp_path: Path, cli: Callable[..., Any]) -> None:
    ran = cli("tbyb", "explain", tmp_path, "ab")
    assert ran.returncode == 2
    assert "no study here, study.toml is missing" in ran.stderr

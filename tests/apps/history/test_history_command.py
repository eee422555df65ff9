"""``portrayal history``: what changed first, a page, JSON, and one line where something is wrong."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import portrayal
from portrayal.errors import InputError

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
PROMPTS = "text,term\na photo of one CEO,CEO\na photo of one nurse,nurse\n"


def tables(women: float, name: str = "Model", **more: Any) -> dict[str, Any]:
    """Return a study whose nurses are women so often."""
    nurses = {"gender": {"female": women, "male": round(1 - women, 3)}}
    options = {"pixels": False, "terms": {"nurse": nurses}}
    generators = [{"use": "simulated", "name": name, "images": 100, "options": options}]
    return {"prompts": PROMPTS, "generators": generators, "study": {"title": "x", "seed": int(100 * women)}, **more}


@pytest.fixture(scope="module")
def folder(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of four releases: the second differs, the third asks more, the last is looked at otherwise."""
    root = tmp_path_factory.mktemp("releases")
    erring = [{"use": "simulated", "options": {"accuracy": 0.99}}]
    studies = {
        "v1": tables(0.98),
        "v2": tables(0.5),
        "v3": tables(0.51, prompts=PROMPTS + "a photo of one cook,cook\n"),
        "v10": tables(0.52, annotators=erring),
    }
    for name, changes in studies.items():
        portrayal.Study(write_study(root / name, **changes)).run(progress=False)
    return root


def test_the_change_comes_first_in_words_and_counts(folder: Path, cli: Run) -> None:
    ran = cli("history", folder / "v1", folder / "v2")
    assert (ran.returncode, ran.stderr) == (0, "")
    first, *_ = ran.stdout.splitlines()
    assert re.fullmatch(r"Nurse: women went from (9\d|100) of 100 pictures to \d\d of 100 between v1 and v2\.", first)
    assert "\xa0" not in ran.stdout
    assert re.search(r"nurse +female .* -\d\d points  ", ran.stdout)


def test_a_folder_of_releases_is_read_by_the_numbers_in_their_names(folder: Path, cli: Run) -> None:
    said = json.loads(cli("history", folder, "--json").stdout)
    assert [release["name"] for release in said["releases"]] == ["v1", "v2", "v3", "v10"]
    assert set(said) == {"releases", "sentences", "summary", "not_compared", "changes", "numbers"}
    changed = [row for row in said["changes"] if row["verdict"] in ("more", "less")]
    assert {(row["release"], row["earlier"]) for row in changed if row["item"] == "nurse"} == {
        ("v2", "v1"),
        ("v3", "v1"),
    }
    assert all(row["p_corrected"] <= 0.05 for row in changed)


def test_what_is_not_compared_is_said(folder: Path) -> None:
    said = " | ".join(portrayal.History(folder).not_compared)
    assert "v3: only v3 has numbers: cook" in said
    assert "v3: usable pictures are of different prompts, or these have other weights: all prompts" in said
    assert "v10 was looked at by" in said
    assert not any(row["release"] == "v10" for row in portrayal.History(folder))


def test_the_order_may_be_given(folder: Path) -> None:
    turned = portrayal.History([folder / "v2", folder / "v1"])
    assert turned.sentences[0].endswith("between v2 and v1.")
    by_date = portrayal.History([folder / "v2", folder / "v1"], order="date")
    assert [release["name"] for release in by_date.releases] == ["v1", "v2"]


def test_models_of_other_names_follow_each_other_where_each_release_has_one(
    folder: Path, write_study: Callable[..., Path], tmp_path: Path
) -> None:
    portrayal.Study(write_study(tmp_path / "next", **tables(0.5, name="Model 2"))).run(progress=False)
    assert len(portrayal.History([folder / "v1", tmp_path / "next"])) > 0


def test_scores_of_a_method_that_is_set_up_otherwise_are_not_compared(
    folder: Path, write_study: Callable[..., Path], tmp_path: Path
) -> None:
    methods = [{"use": "representation", "options": {"draws": 101}}]
    portrayal.Study(write_study(tmp_path / "next", **tables(0.5, methods=methods))).run(progress=False)
    found = portrayal.History([folder / "v1", tmp_path / "next"])
    assert {row["metric"] for row in found} == {"share"}
    assert any("representation is set up differently in next than in v1" in line for line in found.not_compared)


def test_mistakes_are_one_line(folder: Path, cli: Run, tmp_path: Path) -> None:
    copied = shutil.copytree(folder / "v1", tmp_path / "bare")
    shutil.rmtree(copied / "tables" / "measurements")
    (tmp_path / "empty").mkdir()
    for words, said in (
        ((folder / "v1",), "two releases or more"),
        ((folder / "v1", folder / "v1"), "given twice"),
        ((folder, "--model", "Modell"), "did you mean"),
        ((folder, "--language", "fr", "--page", tmp_path / "x.html"), "no history in the language"),
        ((folder / "v1", copied), "nothing is measured yet"),
        ((tmp_path / "empty",), "neither here nor"),
        ((folder, "--margin", "3"), "a share between 0 and 1"),
    ):
        ran = cli("history", *words)
        assert ran.returncode == 2
        assert len(ran.stderr.splitlines()) == 1
        assert said in ran.stderr
    with pytest.raises(InputError, match="order: 'given' or 'date'"):
        portrayal.History(folder, order="name")  # type: ignore[arg-type]

"""``portrayal compare``: the answer first, a table, JSON, and one line where something is wrong."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal import Study

Run = Callable[..., subprocess.CompletedProcess[str]]
Make = Callable[..., Path]


@pytest.fixture
def study(make_study: Make) -> Path:
    """Return a study of two models that differ."""
    models = [
        {"use": "simulated", "name": name, "images": 60, "options": {"pixels": False, "shares": {"gender": shares}}}
        for name, shares in (("A", {"female": 0.1, "male": 0.9}), ("B", {"female": 0.9, "male": 0.1}))
    ]
    methods = [{"use": "representation", "options": {"references": {"gender": "uniform"}}}]
    folder = make_study(suite={"use": "file", "options": {"path": "prompts.csv"}}, generators=models, methods=methods)
    (folder / "prompts.csv").write_text("text,term\na photo of one CEO,CEO\n")
    Study(folder).run(progress=False)
    return folder


def test_the_answer_comes_first_then_the_table(study: Path, cli: Run) -> None:
    ran = cli("compare", study)
    assert (ran.returncode, ran.stderr) == (0, "")
    first, *_ = ran.stdout.splitlines()
    assert "a woman in" in first
    assert "by A" in first
    assert "by B" in first
    header = next(line for line in ran.stdout.splitlines() if line.startswith("about"))
    assert header.split()[:2] == ["about", "what"]
    assert "\xa0" not in ran.stdout


def test_json_holds_the_same(study: Path, cli: Run) -> None:
    found = json.loads(cli("compare", study, "--json", "--correction", "holm").stdout)
    assert found["rows"][0]["verdict"] in ("more", "less")
    assert found["rows"][0]["group"] == "female"
    assert set(found) == {"sentences", "summary", "not_compared", "rows"}


def test_all_prints_every_row(study: Path, cli: Run) -> None:
    rows = len(json.loads(cli("compare", study, "--json").stdout)["rows"])
    assert len(cli("compare", study, "--all").stdout.splitlines()) >= rows


def test_a_wrong_name_or_folder_is_one_line(study: Path, cli: Run) -> None:
    for words in (("compare", study, "--model", "C"), ("compare", study.parent), ("compare", study, study.parent)):
        ran = cli(*words)
        assert ran.returncode == 2
        assert len(ran.stderr.splitlines()) == 1
        assert ran.stderr.startswith("error: ")

"""``portrayal init --policy``: a commented policy whose examples, uncommented, are right for the study."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from portrayal.apps.check.new_policy import policy_text
from portrayal.apps.check.policy.policy_file import read_policy
from portrayal.study.study import OpenStudy

Run = Callable[..., subprocess.CompletedProcess[str]]
Make = Callable[..., Path]


def uncommented(text: str) -> str:
    """Return the text with its examples in force: they begin with # and no space."""
    return "\n".join(line[1:] if line.startswith("#") and line[1:2] != " " else line for line in text.split("\n"))


@pytest.mark.parametrize("title", ["A small study", 'quotes " and \\ and $x', "zwei\tWörter 💡 \u202e"])
def test_its_examples_are_a_policy(make_study: Make, tmp_path: Path, title: str) -> None:
    study = OpenStudy(make_study(study={"title": title}))
    text = policy_text(study, date(2024, 2, 29))
    path = tmp_path / "policy.toml"
    path.write_text(uncommented(text), encoding="utf-8")
    file = read_policy(path)
    assert [each.kind for each in file.scenarios] == ["share", "impact_ratio", "score", "missing", "baseline"]
    assert file.policy.policy.study == title
    share = file.scenarios[0].share
    assert share is not None
    assert (share.term, share.attribute, share.group) == ("nurse", "gender", "female")
    assert file.scenarios[0].review == date(2025, 2, 28)


def test_it_warns_of_the_four_fifths_rule(make_study: Make) -> None:
    text = " ".join(policy_text(OpenStudy(make_study()), date(2026, 1, 1)).replace("\n#", "").split())
    assert "0.8 is the four-fifths rule by which the EEOC" in text
    assert "make no bias audit under New York City's Local Law 144" in text
    assert "\nat_least = 0.8" not in text


def test_init_writes_it_beside_a_study_or_with_a_new_one(cli: Run, make_study: Make, tmp_path: Path) -> None:
    there = make_study()
    before = (there / "study.toml").read_bytes()
    ran = cli("init", there, "--policy")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (there / "policy.toml").exists()
    assert (there / "study.toml").read_bytes() == before
    ran = cli("init", there, "--policy")
    assert (ran.returncode, "is there already" in ran.stderr) == (2, True)
    ran = cli("check", there, "--policy", there / "policy.toml")
    assert (ran.returncode, "uncomment an example" in ran.stderr) == (2, True)
    new = tmp_path / "new"
    parts = ("--generator", "simulated", "--annotator", "simulated")
    assert cli("init", new, "--policy", *parts).returncode == 0
    assert {path.name for path in new.iterdir()} == {"study.toml", "policy.toml"}
    assert cli("init", new, "--policy", *parts).returncode == 2


def test_without_it_none_is_written(cli: Run, tmp_path: Path) -> None:
    assert cli("init", tmp_path / "plain", "--generator", "simulated", "--annotator", "simulated").returncode == 0
    assert not (tmp_path / "plain" / "policy.toml").exists()
    assert "--policy" in cli("init", "--help").stdout

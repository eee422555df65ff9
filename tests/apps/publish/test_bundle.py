"""portrayal publish --as bundle, and portrayal verify and open of what it writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
Make = Callable[..., Path]


@pytest.fixture
def bundle(make_study: Make, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    ran = cli("publish", make_study("mine"), "--as", "bundle")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[0] == "mine.portrayal"
    assert "not signed" in ran.stdout
    return tmp_path / "mine.portrayal"


def test_it_is_checked_and_opened_as_a_strangers_folder(bundle: Path, cli: Cli, tmp_path: Path) -> None:
    checked = cli("verify", bundle)
    assert (checked.returncode, checked.stderr.count("error")) == (0, 0)
    assert "none is damaged" in checked.stdout
    assert "whoever made it could have made it up" in checked.stdout
    opened = cli("open", bundle, "--into", "theirs")
    assert opened.returncode == 0, opened.stderr
    assert "running it would" in opened.stdout
    assert (tmp_path / "theirs" / "study.toml").read_bytes() == (tmp_path / "mine" / "study.toml").read_bytes()
    again = cli("open", bundle, "--into", "theirs")
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "is there already" in again.stderr


def test_a_damaged_one_is_named_and_not_unpacked(bundle: Path, cli: Cli, tmp_path: Path) -> None:
    data = bytearray(bundle.read_bytes())
    data[data.index(b"generators")] ^= 1
    bundle.write_bytes(data)
    checked = cli("verify", bundle, "--json")
    assert (checked.returncode, json.loads(checked.stdout)["damage"]) == (2, ["study.toml"])
    opened = cli("open", bundle, "--into", "theirs")
    assert opened.returncode == 2
    assert "mine.portrayal: damaged: study.toml" in opened.stdout
    assert not (tmp_path / "theirs").exists()


def test_what_is_wrong_is_one_line(bundle: Path, cli: Cli, tmp_path: Path) -> None:
    study = tmp_path / "mine"
    for words, said in (
        (("publish", study, "--as", "bundel"), "is not one of"),
        (("publish", study, study, "--as", "bundle"), "takes one study"),
        (("publish", tmp_path / "none", "--as", "bundle"), "no study.toml here"),
        (("publish", study, "--as", "bundle", "--key", tmp_path / "none"), "no such file"),
        (
            ("publish", study, "--as", "bundle", "--to", study / "study.toml"),
            "is a file of the study, which the bundle",
        ),
        (("open", study, "--into", tmp_path / "x"), "--into is for a bundle"),
        (("verify", study / "study.toml"), "damaged: the seal at its end"),
    ):
        ran = cli(*words)
        assert ran.returncode == 2
        assert said in ran.stderr + ran.stdout
        assert ran.stderr.count("\n") <= 1
    again = cli("publish", study, "--as", "bundle", "--to", study / "mine.portrayal")
    assert again.returncode == cli("publish", study, "--as", "bundle", "--to", study / "mine.portrayal").returncode == 0
    assert (study / "mine.portrayal").read_bytes() == bundle.read_bytes()

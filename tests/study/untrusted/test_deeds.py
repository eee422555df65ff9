"""A study that was not made on this machine does nothing beyond its folder until the user trusts it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import portrayal
from portrayal.errors import PortrayalError, StudyError
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Cli = Callable[..., subprocess.CompletedProcess[str]]
Make = Callable[..., Path]
ASKING = {"use": "openai:m", "options": {"base_url": "http://127.0.0.1:9/v1", "key_env": "NO_KEY", "price": 0.0}}


@pytest.fixture(autouse=True)
def _nothing_is_trusted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PORTRAYAL_TRUST")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


def test_a_study_that_stays_at_home_needs_no_trust(make_study: Make) -> None:
    root = make_study()
    run_stages(OpenStudy(root), RunControl(), ("plan", "generate"))
    assert not (root.parent / "settings").exists()


@pytest.mark.parametrize(
    "tables",
    [
        {"suite": {"use": "file", "options": {"path": "/etc/passwd"}}},
        {"suite": {"use": "file", "options": {"path": "link.csv"}}},
        {"suite": {"use": "file", "options": {"path": "~/prompts.csv"}}},
        {"generators": [{"use": "folder:../pictures"}]},
        {"generators": [{"use": "nowhere"}]},
        {"imports": [{"images": "/mnt", "layout": "folders"}]},
        {"imports": [{"images": "pictures", "layout": "manifest", "outside": True}]},
        {"report": {"labels_from": ["../other"]}},
        {"sampling": {"about": {"policy": "../policy.toml"}}},
        {"suite": {"use": "file", "options": {"path": "/home/a\u3000folder/prompts.csv"}}},
        {"generators": [{"use": "folder", "options": {"path": "pictures"}}]},
        {"annotators": [{"use": "clip:model"}]},
        {"annotators": [{"use": "quality", "options": {"metrics": ["niqe"], "niqe_model": "model/a.npz"}}]},
    ],
)
def test_paths_outside_and_code_of_others_are_refused(
    make_study: Make, tables: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_study(**tables)
    monkeypatch.chdir(root)
    (root / "link.csv").symlink_to(root.parent / "elsewhere.csv")
    (root / "pictures" / "nurses").mkdir(parents=True)
    (root / "pictures" / "nurses" / "link.png").symlink_to(root.parent / "elsewhere.png")
    (root / "model").mkdir()
    for name in ("config.json", "model.safetensors", "a.npz"):
        (root / "model" / name).touch()
    with pytest.raises(StudyError, match=r"was not made on this machine, and would .*; look at it: portrayal open"):
        OpenStudy(root)


def test_a_model_is_looked_for_where_the_command_is_started(
    make_study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_study(annotators=[{"use": "clip:letters"}])
    OpenStudy(root)
    (tmp_path / "letters").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StudyError, match=f"would read {tmp_path / 'letters'}"):
        OpenStudy(root)


def test_texts_that_no_file_can_be_called_are_passed_over(make_study: Make) -> None:
    OpenStudy(make_study(suite={"use": "file", "options": {"columns": ["x" * 3000, "~no-such-user/x"]}}))


def test_a_service_is_not_asked_but_what_is_there_can_be_read(make_study: Make, cli: Cli) -> None:
    root = make_study(generators=[ASKING])
    for stage in ("generate", "annotate", "run"):
        ran = cli(stage, root)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert ran.stderr.startswith(f"error: {root}: this study was not made on this machine, and would send prompts")
        assert len(ran.stderr.splitlines()) == 1
    with pytest.raises(PortrayalError, match="not made on this machine"):
        portrayal.Study(root).sources()
    assert cli("plan", root).returncode == 0
    assert cli("status", root).returncode == 0


def test_trust_holds_for_this_folder_and_these_bytes(make_study: Make, cli: Cli, tmp_path: Path) -> None:
    root = make_study(generators=[ASKING])
    assert "it may not do this" in cli("open", root).stdout
    assert "it may do this" in cli("open", root, "--trust").stdout
    OpenStudy(root).require_trust("network")
    moved = shutil.copytree(root, tmp_path / "moved")
    with pytest.raises(StudyError):
        OpenStudy(moved).require_trust("network")
    with (root / "study.toml").open("a") as file:
        file.write("\n# another line\n")
    with pytest.raises(StudyError):
        OpenStudy(root).require_trust("network")
    assert cli("open", root, "--trust").returncode == 0
    assert cli("open", root, "--forget").returncode == 0
    with pytest.raises(StudyError):
        OpenStudy(root).require_trust("network")
    again = cli("open", root, "--forget")
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert cli("open", root, "--trust", "--forget").returncode == 2


def test_what_was_made_here_may_be_edited_but_not_exchanged(tmp_path: Path, make_study: Make) -> None:
    root = tmp_path / "mine"
    portrayal.Study.create(root, prompts=["a nurse"], generator=ASKING, annotator="simulated")
    text = (root / "study.toml").read_text()
    (root / "study.toml").write_text(text + "\n# edited\n")
    OpenStudy(root).require_trust("network")
    theirs = make_study(generators=[ASKING])
    root.rename(tmp_path / "kept")  # else its number would be free for the next
    theirs.rename(root)
    with pytest.raises(StudyError):
        OpenStudy(root).require_trust("network")


def test_a_mark_in_the_folder_says_nothing(tmp_path: Path) -> None:
    root = tmp_path / "mine"
    portrayal.Study.create(root, prompts=["a nurse"], generator=ASKING, annotator="simulated")
    copied = shutil.copytree(root, tmp_path / "copied")
    with pytest.raises(StudyError):
        OpenStudy(copied).require_trust("network")


def test_a_container_trusts_what_lies_in_a_folder(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_study(generators=[ASKING])
    monkeypatch.setenv("PORTRAYAL_TRUST", os.pathsep.join(["/nowhere", str(root.parent)]))
    OpenStudy(root).require_trust("network")
    monkeypatch.setenv("PORTRAYAL_TRUST", str(root) + "-another")
    with pytest.raises(StudyError):
        OpenStudy(root).require_trust("network")


def test_parts_in_python_were_given_by_the_user(make_study: Make) -> None:
    root = make_study(generators=[{"use": "python:mine@1"}])
    OpenStudy(root)


@pytest.mark.parametrize("damage", ["{", "[]", "[" * 10_000, '{"folder": 1}', "\0"])
def test_a_damaged_record_is_none(make_study: Make, cli: Cli, damage: str) -> None:
    root = make_study(generators=[ASKING])
    assert cli("open", root, "--trust").returncode == 0
    (record,) = (root.parent / "settings" / "portrayal" / "studies").iterdir()
    record.write_text(damage)
    with pytest.raises(StudyError):
        OpenStudy(root).require_trust("network")

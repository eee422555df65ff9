"""A folder that was made here is known by its number and by a word in it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from portrayal.store import trusted_studies
from portrayal.store.trusted_studies import forget_study, is_trusted, remember_made


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("PORTRAYAL_TRUST")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    folder = tmp_path / "study"
    folder.mkdir()
    remember_made(folder)
    assert is_trusted(folder, b"whatever")
    return folder


def test_another_folder_in_its_place_is_not_trusted_though_it_has_its_number(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """File systems give the number of a folder that was deleted to the next one."""
    about = [folder.stat().st_dev, folder.stat().st_ino]
    shutil.rmtree(folder)
    folder.mkdir()
    monkeypatch.setattr(trusted_studies, "_number", lambda _: about)
    assert not is_trusted(folder, b"whatever")
    (folder / ".made-here").write_text("x" * 32)
    assert not is_trusted(folder, b"whatever")
    os.mkfifo(folder / "pipe")
    (folder / "pipe").rename(folder / ".made-here")
    assert not is_trusted(folder, b"whatever")
    remember_made(folder)  # a study is made here anew
    assert is_trusted(folder, b"whatever")


def test_a_study_in_its_place_by_another_number_is_not_trusted_though_it_has_its_word(folder: Path) -> None:
    theirs = shutil.copytree(folder, folder.parent / "theirs")
    folder.rename(folder.parent / "kept")
    theirs.rename(folder)
    assert not is_trusted(folder, b"whatever")


def test_what_was_made_can_be_forgotten(folder: Path) -> None:
    forget_study(folder)
    assert not is_trusted(folder, b"whatever")

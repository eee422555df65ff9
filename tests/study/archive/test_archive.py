"""One file that says of every byte whether it is what was written."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.errors import InputError, StudyError
from portrayal.study.archive.check import check_archive, unpack
from portrayal.study.archive.contents import LIST, Contents, Entry, Seal, measured
from portrayal.study.archive.layout import directory, header
from portrayal.study.archive.pack import pack
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

SILENT = RunControl()
Make = Callable[..., Path]


@pytest.fixture
def small(make_study: Make, tmp_path: Path) -> Path:
    """A study that nothing was done in yet."""
    folder = make_study("small", suite={"use": "file", "options": {"path": "prompts.csv"}})
    (folder / "prompts.csv").write_text("text,term\na photo of one nurse,nurse\n")
    (folder / "secret.env").write_text("KEY=1")
    (folder / "images").mkdir(exist_ok=True)
    (folder / "images" / ".tmp-x").write_text("left by a crash")
    return folder


def packed(folder: Path, name: str = "a.portrayal", key: Path | None = None) -> Path:
    path = folder.parent / name
    pack(OpenStudy(folder), path, SILENT, key)
    return path


def test_it_holds_what_the_study_needs_and_nothing_else(small: Path) -> None:
    with zipfile.ZipFile(packed(small)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["portrayal-archive.json", "prompts.csv", "study.toml"]
        assert archive.read("prompts.csv") == (small / "prompts.csv").read_bytes()


def test_the_same_study_is_the_same_bytes_wherever_it_lies(small: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "named otherwise"
    shutil.copytree(small, other)
    (other / "study.toml").chmod(0o600)
    os.utime(other / "study.toml", (1, 1))
    assert packed(other).read_bytes() == packed(small).read_bytes()


def test_a_flipped_bit_anywhere_is_named(small: Path) -> None:
    path = packed(small)
    data = path.read_bytes()
    named: set[str] = set()
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << place % 8
        path.write_bytes(flipped)
        damage = check_archive(path, SILENT).damage
        assert len(damage) == 1, place
        named.update(damage)
    assert named == {
        "portrayal-archive.json, the list of its files",
        "portrayal-archive.json: the archive's own lines before it",
        "prompts.csv",
        "prompts.csv: the archive's own lines before it",
        "study.toml",
        "study.toml: the archive's own lines before it",
        "the directory after its files",
        "the seal at its end",
    }


@pytest.mark.parametrize(
    "change", [lambda data: data[:-1], lambda data: data + b"\n", lambda data: b"", lambda data: data[100:]]
)
def test_one_that_is_cut_or_longer_is_damaged(small: Path, change: Callable[[bytes], bytes]) -> None:
    path = packed(small)
    path.write_bytes(change(path.read_bytes()))
    assert check_archive(path, SILENT).damage
    assert unpack(path, small.parent / "out", SILENT).damage
    assert not (small.parent / "out").exists()


def test_what_study_toml_names_elsewhere_is_said(make_study: Make, tmp_path: Path) -> None:
    (tmp_path / "prompts.csv").write_text("text,term\na photo of one nurse,nurse\n")
    folder = make_study("far", suite={"use": "file", "options": {"path": "../prompts.csv"}})
    checked = check_archive(packed(folder), SILENT)
    assert list(checked.left_out) == ["../prompts.csv"]
    assert checked.files == 1


def test_links_are_not_followed_out_of_the_study(small: Path, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("of somebody else")
    (small / "tables").mkdir(exist_ok=True)
    (small / "tables" / "link").symlink_to(tmp_path / "other")
    with pytest.raises(StudyError, match="is a link"):
        packed(small)


@pytest.mark.parametrize(
    "name", ["../out", "/etc/passwd", "a/../../b", "a\\b", "C:x", ".git/config", "a//b", "a\nb", ""]
)
def test_a_list_that_leads_out_of_the_folder_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="not one that Portrayal writes"):
        Contents.from_json(Contents("x", [Entry(name, 0, 0, "")]).to_json())


def test_names_that_are_one_on_some_systems_are_refused() -> None:
    with pytest.raises(InputError):
        Contents.from_json(Contents("x", [Entry("A", 0, 0, ""), Entry("a", 0, 0, "")]).to_json())


def test_a_signature_says_whose_key(small: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    path = packed(small, key=key)
    assert packed(small, "b.portrayal", key).read_bytes() == path.read_bytes()
    shown = subprocess.run(["ssh-keygen", "-l", "-f", f"{key}.pub"], check=True, capture_output=True, text=True).stdout
    assert check_archive(path, SILENT).signature == f"ED25519 {shown.split()[1]}"
    other = packed(small, "c.portrayal").read_bytes()
    signed = path.read_bytes()
    assert signed != other
    with pytest.raises(InputError, match="cannot sign with it"):
        packed(small, key=small / "prompts.csv")
    # A signature that was made for another list.
    from portrayal.study.archive.contents import TAIL, Seal, read_seal

    (small / "prompts.csv").write_text("text,term\na photo of one judge,judge\n")
    forged = packed(small, "d.portrayal")
    seal, old = read_seal(forged.read_bytes()[-TAIL:]), read_seal(signed[-TAIL:])
    assert seal is not None
    assert old is not None
    stolen = Seal(seal.size, seal.sha256, old.signature).to_bytes()
    data = forged.read_bytes()
    without = len(seal.to_bytes())
    length = len(stolen).to_bytes(2, "little")
    forged.write_bytes(data[: -without - 2] + length + stolen)
    assert check_archive(forged, SILENT).damage == ["the signature, which is of something else"]


@pytest.mark.slow
def test_another_machine_gets_the_same_tables_and_page_and_goes_on(make_study: Make, tmp_path: Path) -> None:
    folder = make_study("one", generators=[{"use": "simulated", "images": 4}])
    study = Study(folder)
    study.run(progress=False)
    there = tmp_path / "other machine" / "two"
    assert not unpack(packed(folder), there, SILENT).damage
    other = Study(there)
    assert other.measurements().to_arrow().equals(study.measurements().to_arrow())
    assert not other.verify(progress=False).damage
    assert packed(there, "again.portrayal").read_bytes() == (tmp_path / "a.portrayal").read_bytes()
    other.report()
    assert (there / "report" / "index.html").read_bytes() == (folder / "report" / "index.html").read_bytes()
    other.run(progress=False)
    assert other.measurements().to_arrow().equals(study.measurements().to_arrow())
    assert len(other.images()) == len(study.images())
    with pytest.raises(InputError, match="is there already"):
        unpack(tmp_path / "a.portrayal", there, SILENT)


def sealed(listed: bytes) -> bytes:
    """Return an archive whose list is whole, and says this."""
    seal = Seal.of(listed)
    entry = measured(LIST, io.BytesIO(listed))
    return header(entry) + listed + directory([entry], seal.to_bytes())


@pytest.mark.parametrize(
    "change",
    [
        {"files": [{"path": "a", "size": 1.5, "crc32": 0, "sha256": ""}]},
        {"files": [{"path": "a", "size": True, "crc32": 0, "sha256": ""}]},
        {"files": [{"path": "a", "size": 0, "crc32": 0.5, "sha256": ""}]},
        {"files": [{"path": "a", "size": 0, "crc32": 0, "sha256": 5}]},
        {"files": [{"path": name, "size": 0, "crc32": 0, "sha256": ""} for name in ("a\u0301", "\u00e1")]},
        {"title": "\ud800"},
        {"format": None},
        {"title": 5},
        {"left_out": "a"},
        {"files": "a"},
        [],
    ],
    ids=str,
)
def test_a_list_that_was_sealed_and_says_nonsense_is_one_line(change: Any, tmp_path: Path) -> None:
    said = {"format": "portrayal-archive 1", "title": "x", "files": [], "left_out": []}
    told = {**said, **change} if isinstance(change, dict) else change
    if isinstance(told, dict) and told["format"] is None:
        del told["format"]
    listed = json.dumps(told, ensure_ascii=change == {"title": "\ud800"}, sort_keys=True, indent=0).encode()
    path = tmp_path / "a.portrayal"
    path.write_bytes(sealed(listed))
    with pytest.raises(InputError, match="not one that Portrayal writes"):
        check_archive(path, SILENT)
    with pytest.raises(InputError, match="not one that Portrayal writes"):
        unpack(path, tmp_path / "out", SILENT)
    assert not (tmp_path / "out").exists()


def test_texts_of_study_toml_that_no_file_can_be_called_are_passed_over(make_study: Make) -> None:
    terms = ["~no-such-user/x", "a" * 300, "x\0y"]
    folder = make_study("small", annotators=[{"use": "simulated", "options": {"attributes": terms}}])
    assert check_archive(packed(folder), SILENT).left_out == []

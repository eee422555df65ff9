"""Archives made to do harm, and those that people have."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest

from portrayal.apps.studio.own_pictures import unpack as unpacking
from portrayal.apps.studio.own_pictures.picture_drop import PictureDrop
from portrayal.apps.studio.own_pictures.unpack import unpack
from portrayal.errors import InputError


def zip_of(path: Path, files: dict[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def unpacked(tmp_path: Path, archive: Path, name: str = "mine.zip", **limits: Any) -> dict[str, bytes]:
    folder = tmp_path / "in"
    folder.mkdir()
    unpack(archive, name, PictureDrop(folder, **limits))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_pictures_come_out_in_their_folders_and_nothing_lies_elsewhere(tmp_path: Path) -> None:
    files = {"sdxl/a nurse/1.png": b"1", "../out.png": b"2", "/abs.png": b"3", "a/../../b.png": b"4", "run.sh": b"5"}
    files |= {"__MACOSX/._1.png": b"6", "inner.zip": b"7", "C:\\w.png": b"8"}
    assert unpacked(tmp_path, zip_of(tmp_path / "x.zip", files)) == {"sdxl/a nurse/1.png": b"1", "abs.png": b"3"}
    assert {path.name for path in tmp_path.iterdir()} == {"x.zip", "in"}


@pytest.mark.parametrize(("name", "kept"), [("mine.zip", "1.png"), ("other.zip", "mine/1.png")])
def test_the_folder_that_systems_put_around_all_is_left_out(tmp_path: Path, name: str, kept: str) -> None:
    archive = zip_of(tmp_path / "x.zip", {"mine/1.png": b"1", "__MACOSX/mine/._1.png": b"2"})
    assert unpacked(tmp_path, archive, name) == {kept: b"1"}


def test_links_and_encrypted_files_are_passed_over(tmp_path: Path) -> None:
    archive = tmp_path / "x.zip"
    with zipfile.ZipFile(archive, "w") as made:
        link = zipfile.ZipInfo("link.png")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, "/etc/passwd")
        made.writestr("secret.png", b"x")
        made.writestr("plain.png", b"y")
    data = bytearray(archive.read_bytes())
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):  # the flag that says encrypted, of the second file
        start = data.find(mark, data.find(mark) + 1)
        data[start + place] |= 1
    archive.write_bytes(data)
    assert unpacked(tmp_path, archive) == {"plain.png": b"y"}


def test_a_bomb_ends_at_the_limit(tmp_path: Path) -> None:
    archive = zip_of(tmp_path / "x.zip", {"bomb.png": bytes(30_000_000)})
    assert archive.stat().st_size < 50_000
    with pytest.raises(InputError, match="more than 1 MB"):
        unpacked(tmp_path, archive, most_bytes=1_500_000)
    assert sum(path.stat().st_size for path in (tmp_path / "in").iterdir()) <= 1_500_000


def test_very_many_files_end_at_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = zip_of(tmp_path / "x.zip", {f"{number}.png": b"" for number in range(50)})
    with pytest.raises(InputError, match="more than 20 files"):
        unpacked(tmp_path, archive, most_files=20)
    monkeypatch.setattr(unpacking, "_MOST_LISTED", 1_000)
    with pytest.raises(InputError, match="cannot be unpacked"):
        unpack(archive, "x.zip", PictureDrop(tmp_path))


def test_what_is_no_archive_or_a_broken_one_is_a_sentence(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.png", bytes(range(256)) * 100)
    whole = buffer.getvalue()
    for number, data in enumerate(
        [b"", b"PK", b"hello" * 99, whole[:-30], whole[40:], whole.replace(b"\x01\x02", b"\2\1")]
    ):
        archive = tmp_path / f"{number}.zip"
        archive.write_bytes(data)
        with pytest.raises(InputError, match=r"mine\.zip cannot be unpacked"):
            unpack(archive, "mine.zip", PictureDrop(tmp_path))

"""Archives made to do harm, and those that people have."""

from __future__ import annotations

import io
import stat
import struct
import warnings
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


def test_a_name_that_comes_very_often_takes_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    opening = Path.open

    def count(path: Path, mode: str = "r") -> Any:
        opened.append(mode)
        return opening(path, mode)

    archive = tmp_path / "x.zip"
    with zipfile.ZipFile(archive, "w") as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(300):
            made.writestr("a.png", b"")
    monkeypatch.setattr(Path, "open", count)
    assert len(unpacked(tmp_path, archive)) == 300
    assert opened.count("xb") == 300


def test_what_unpacks_to_far_more_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "_UNPACKED", 10_000)
    small = zip_of(tmp_path / "x.zip", {"1.png": bytes(range(256)) * 100})
    assert len(unpacked(tmp_path, small)) == 1
    bomb = zip_of(tmp_path / "bomb.zip", {"1.png": bytes(1_000_000)})
    with pytest.raises(InputError, match="cannot be unpacked"):
        unpack(bomb, "bomb.zip", PictureDrop(tmp_path / "in"))


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_rare_ways_to_pack_are_passed_over(tmp_path: Path, kind: int) -> None:
    assert unpacked(tmp_path, zip_of(tmp_path / "x.zip", {"1.png": bytes(9_000)}, kind)) == {}


def test_a_list_of_files_is_bounded_however_its_size_is_said(tmp_path: Path) -> None:
    """Python believes the record of larger archives, whether or not the end of the archive refers to it."""
    archive = zip_of(tmp_path / "x.zip", {"1.png": b"x"})
    data = archive.read_bytes()
    end = data.rfind(b"PK\5\6")
    start, size = struct.unpack_from("<I", data, end + 16)[0], end - struct.unpack_from("<I", data, end + 16)[0]
    larger = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, size, start)
    place = struct.pack("<4sIQI", b"PK\6\7", 0, end, 1)
    archive.write_bytes(data[:end] + larger + place + data[end:])
    assert zipfile.ZipFile(archive).namelist() == ["1.png"]
    with pytest.raises(InputError, match="cannot be unpacked"):
        unpacked(tmp_path, archive)


def test_an_end_within_the_end_hides_no_long_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "_MOST_LISTED", 60)
    archive = zip_of(tmp_path / "a.zip", {f"{number}.png": b"x" for number in range(3)})
    data = bytearray(archive.read_bytes())
    end = data.rindex(b"PK\5\6")
    data[end + 6 : end + 10] = b"PK\5\6"  # the number of a disk, and of files on it: nobody looks at them
    archive.write_bytes(data)
    with zipfile.ZipFile(archive) as opened:
        assert len(opened.infolist()) == 3
    with pytest.raises(InputError):
        unpacked(tmp_path, archive)

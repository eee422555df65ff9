"""Where files come to lie: inside the folder whatever they are called, few enough, and only those of use."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.apps.studio.own_pictures import picture_drop
from portrayal.apps.studio.own_pictures.picture_drop import PictureDrop, safe_parts
from portrayal.errors import InputError


@given(st.text(st.sampled_from("ab./\\: \0\n~ü") | st.characters(), max_size=40))
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    parts = safe_parts(name)
    if parts is not None:
        place = Path("/root").joinpath(*parts)
        assert place.is_relative_to("/root")
        assert ".." not in place.parts
        assert len(place.parts) == len(parts) + 2
        assert all(len(part.encode()) < 255 and part.isprintable() for part in parts)


@pytest.mark.parametrize("name", ["../a.png", "a/../../b.png", "C:\\a.png", "", "/", "a/" * 9 + "b.png", "..\\a.png"])
def test_names_that_lead_elsewhere_are_passed_over(tmp_path: Path, name: str) -> None:
    assert PictureDrop(tmp_path).wants(name) is None


def test_pictures_and_lists_are_kept_and_others_named(tmp_path: Path) -> None:
    drop = PictureDrop(tmp_path)
    kept = ["a.PNG", "m/p/1.jpeg", "manifest.csv", "a.heic", "metadata.json"]
    others = ["notes.txt", "run.exe", "page.html", "x.svg.gz", "inner.zip"]
    assert all(drop.wants(name) for name in kept)
    assert not any(drop.wants(name) for name in [*others, ".DS_Store", "__MACOSX/a.png", "d/.hidden/a.png", "._a.png"])
    assert drop.passed_over == others
    assert drop.passed_over_words == ", ".join(others)
    drop.wants("another.txt")
    assert drop.passed_over_words.endswith("and 1 more")


def put(drop: PictureDrop, name: str, data: bytes) -> None:
    parts = drop.wants(name)
    assert parts
    with drop.writing(parts) as file:
        file.write(data)


def test_a_second_file_of_a_name_takes_another_and_none_is_lost(tmp_path: Path) -> None:
    drop = PictureDrop(tmp_path)
    for data in (b"one", b"two", b"three"):
        put(drop, "d/a.png", data)
    assert sorted(path.read_bytes() for path in (tmp_path / "d").iterdir()) == [b"one", b"three", b"two"]
    with pytest.raises(InputError, match="same name"):
        put(drop, "d/a.png/b.png", b"")


def test_too_many_files_and_too_many_bytes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drop = PictureDrop(tmp_path, most_bytes=10, most_files=2)
    put(drop, "a.png", b"12345")
    with pytest.raises(InputError, match="more than 0 MB"):
        put(drop, "b.png", b"123456")
    with pytest.raises(InputError, match="more than 2 files"):
        put(drop, "c.png", b"")
    monkeypatch.setattr(picture_drop, "_MOST_LIST_BYTES", 3)
    with pytest.raises(InputError, match="list of pictures"):
        put(PictureDrop(tmp_path), "list.csv", b"1234")
    monkeypatch.setattr(picture_drop, "_FREE_BYTES", 2**80)
    with pytest.raises(InputError, match="disk is nearly full"):
        put(PictureDrop(tmp_path), "d.png", b"1")

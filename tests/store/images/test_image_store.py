from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import DamagedError, StorageError
from portrayal.store.images import image_store
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.images.image_store import read_image
from portrayal.vision.pictures import Unreadable, open_rgb

Draw = Callable[..., bytes]


@pytest.fixture
def stored(tmp_path: Path, picture: Draw) -> Path:
    data, store = picture(), ImageFolder(tmp_path)
    name = hashlib.sha256(data).hexdigest()
    store.add({(name, "png"): data})
    return store.path(name, "png")


def test_a_picture_is_what_its_name_promises_or_an_error(stored: Path) -> None:
    data = read_image(stored)
    stored.write_bytes(data[:-1])
    with pytest.raises(DamagedError, match=rf"{stored.name}: the image is damaged.*delete it"):
        read_image(stored)


@pytest.mark.parametrize("ext", ["../../x", "/x", "p/ng", ".png", "png\n", "a" * 9])
def test_no_ending_leads_out_of_the_folder(ext: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedError, match="no image is called so"):
        ImageFolder(tmp_path / "images").add({("ab" * 32, ext): b"x"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["a pipe", "a device"])
def test_what_is_no_file_is_not_waited_for(stored: Path, tmp_path: Path, kind: str) -> None:
    data = stored.read_bytes()
    stored.unlink()
    os.mkfifo(stored) if kind == "a pipe" else stored.symlink_to("/dev/zero")
    with pytest.raises(DamagedError, match=f"{stored.name}: is {kind}, a file is needed; put a copy back"):
        read_image(stored)
    ImageFolder(tmp_path).add({(stored.stem, "png"): data})
    assert stored.read_bytes() == data


@pytest.mark.parametrize(
    ("image", "ext"), [("/etc/passwd", "png"), ("../secret", "png"), ("a" * 64, "png/../../x"), ("A" * 64, "png")]
)
def test_a_name_that_is_none_leads_nowhere(tmp_path: Path, image: str, ext: str) -> None:
    with pytest.raises(DamagedError, match=r"the tables name an image .*, and no image is called so"):
        ImageFolder(tmp_path).path(image, ext)


def test_a_damaged_picture_is_stored_again(stored: Path, tmp_path: Path) -> None:
    data = stored.read_bytes()
    stored.write_bytes(b"damaged")
    ImageFolder(tmp_path).add({(stored.stem, "png"): data})
    before = stored.stat().st_mtime_ns
    assert read_image(stored) == data
    ImageFolder(tmp_path).add({(stored.stem, "png"): data})
    assert stored.stat().st_mtime_ns == before


def test_a_file_of_the_users_own_has_any_name(tmp_path: Path) -> None:
    for name in ("face.png", f"{64 * 'a'}.png", "aa/face.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"anything")
        assert read_image(tmp_path / name) == b"anything"


def test_pictures_are_listed_and_nothing_else(stored: Path, tmp_path: Path) -> None:
    (stored.parent / ".tmp-1-half").touch()
    (stored.parent / "notes.txt").touch()
    (tmp_path / "other").mkdir()
    store = ImageFolder(tmp_path)
    assert [path for folder in store.folders() for path in store.paths(folder)] == [stored]


@pytest.mark.parametrize("error", [errno.EIO, errno.ESTALE, errno.EACCES])
def test_a_disk_that_gives_nothing_says_nothing_about_the_picture(
    stored: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    def fail(path: Path) -> bytes:
        raise OSError(error, os.strerror(error), str(path))

    monkeypatch.setattr(image_store, "read_regular", fail)
    with pytest.raises(StorageError, match=f"{stored.name}: cannot be read .*; nothing recorded is lost"):
        open_rgb(stored)
    stored.unlink()
    with pytest.raises(Unreadable, match="missing_file"):
        open_rgb(stored)

"""HEIC is read where pillow-heif is installed, and named with the command that enables it where it is not."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

from portrayal.picturefile import MAX_PIXELS, TooLargeError, open_picture
from portrayal.records import Failed, Made
from portrayal.study.importing import declared, heic, read_picture
from portrayal.study.importing.declared import bring_and_plan
from portrayal.study.importing.folders import image_files as files
from portrayal.study.importing.heic import holds_heic, png_of_heic
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

HEAD = b"\0\0\0\x18ftypheic"


class StandIn(ModuleType):
    """Answers as pillow-heif does, for pictures of one colour."""

    def __init__(self, size: tuple[int, int], mode: str = "RGB") -> None:
        super().__init__("pillow_heif")
        self.size, self.mode = size, mode

    def open_heif(self, file: io.BytesIO, *, convert_hdr_to_8bit: bool) -> StandIn:
        assert holds_heic(file.read())
        assert convert_hdr_to_8bit
        return self

    def to_pillow(self) -> Image.Image:
        picture = Image.new(self.mode, self.size, "red")
        picture.info["icc_profile"] = b"profile"
        return picture


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file that begins as HEIC does."""
    path = tmp_path / "IMG_1.HEIC"
    path.write_bytes(HEAD + b"the rest")
    return path


def install(monkeypatch: pytest.MonkeyPatch, module: ModuleType | None) -> None:
    """Let the package be this one, or be missing."""
    monkeypatch.setitem(sys.modules, "pillow_heif", module)
    for place in (heic, read_picture, files, declared):
        monkeypatch.setattr(place, "can_read_heic", lambda: module is not None)


def test_without_the_package_the_file_fails_with_the_command(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, None)
    result = read_picture.read_picture("job", file)
    assert isinstance(result, Failed)
    assert result.reason == "unread_format"
    assert result.detail == f'{file}: HEIC is read once pillow-heif is here: pip install "portrayal[heic]"'


@pytest.mark.parametrize(("mode", "kept"), [("RGB", "RGB"), ("L", "RGB"), ("RGBA", "RGBA")])
def test_a_picture_is_kept_as_png(file: Path, monkeypatch: pytest.MonkeyPatch, mode: str, kept: str) -> None:
    install(monkeypatch, StandIn((6, 4), mode))
    result = read_picture.read_picture("job", file)
    assert isinstance(result, Made)
    assert (result.ext, result.width, result.height) == ("png", 6, 4)
    with open_picture(result.data) as picture:
        assert (picture.format, picture.mode, picture.info["icc_profile"]) == ("PNG", kept, b"profile")


def test_one_that_is_too_large_is_not_decoded(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, StandIn((MAX_PIXELS, 2)))
    with pytest.raises(TooLargeError):
        png_of_heic(file.read_bytes())
    result = read_picture.read_picture("job", file)
    assert isinstance(result, Failed)
    assert result.reason == "decompression_bomb"


def test_names_and_bytes_that_disagree_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, StandIn((6, 4)))
    (tmp_path / "a.jpg").write_bytes(HEAD)
    Image.new("RGB", (3, 3)).save(tmp_path / "b.heic", "JPEG")
    for name, holds in (("a.jpg", "HEIC"), ("b.heic", "JPEG")):
        result = read_picture.read_picture("job", tmp_path / name)
        assert isinstance(result, Failed)
        assert (result.reason, result.detail) == (
            "wrong_extension", f"{tmp_path / name}: the file holds {holds}; rename it",
        )  # fmt: skip


@pytest.mark.slow
def test_once_it_can_be_read_it_comes_in_at_the_next_run(
    make_study: Callable[..., Path], file: Path, picture: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    (file.parent / "pictures").mkdir()
    file.rename(file.parent / "pictures" / file.name)
    (file.parent / "pictures" / "plain.png").write_bytes(picture())
    told = {"layout": "flat", "model": "phone", "prompt": "a nurse"}
    root = make_study(suite=None, generators=None, imports=[{"images": "../pictures", **told}])

    def bring() -> dict[str, int]:
        study = OpenStudy(root)
        with study.workspace.writing():
            bring_and_plan(study, RunControl())
        return read_status(study).outcomes["phone"]

    install(monkeypatch, None)
    assert bring() == {"failed: unread_format": 1, "made": 1}
    install(monkeypatch, StandIn((6, 4)))
    assert bring() == {"made": 2}


def test_a_real_file_is_read_by_the_real_package(tmp_path: Path) -> None:
    pillow_heif = pytest.importorskip("pillow_heif")
    path = tmp_path / "real.heic"
    pillow_heif.from_pillow(Image.new("RGB", (64, 32), (250, 10, 10))).save(path, quality=-1)
    result = read_picture.read_picture("job", path)
    assert isinstance(result, Made)
    assert (result.ext, result.width, result.height) == ("png", 64, 32)
    with open_picture(result.data) as picture:
        colour = picture.convert("RGB").getpixel((32, 16))
    assert isinstance(colour, tuple)
    assert max(abs(one - two) for one, two in zip(colour, (250, 10, 10), strict=True)) < 12

"""Any file as a person would see it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from portrayal import picturefile
from portrayal.vision.pictures import Unreadable, open_rgb

Photo = Callable[..., Image.Image]
LYING = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""How a picture lies in a file whose EXIF has this number."""


def saved(picture: Image.Image, path: Path, **options: Any) -> Path:
    picture.save(path, **options)
    return path


def reason_of(path: Path | None) -> str:
    with pytest.raises(Unreadable) as caught:
        open_rgb(path)
    return caught.value.reason


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "CMYK", "1"])
def test_other_colours_become_rgb(tmp_path: Path, photo: Photo, mode: str) -> None:
    picture = photo().convert(mode)
    found = open_rgb(saved(picture, tmp_path / "picture.tif"))
    assert (found.mode, found.size) == ("RGB", picture.size)
    np.testing.assert_array_equal(found, picture.convert("RGB"))


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_pictures_are_upright(tmp_path: Path, turn: int, ending: str) -> None:
    upright = Image.new("RGB", (32, 16), "blue")
    upright.paste("red", (0, 0, 16, 8))
    lying = upright if turn == 1 else upright.transpose(LYING[turn])
    exif = Image.Exif()
    exif[0x0112] = turn
    found = open_rgb(saved(lying, tmp_path / f"picture{ending}", exif=exif))
    assert found.size == (32, 16)
    red = np.asarray(found)[:, :, 0] > 128
    assert red[:8, :16].all()
    assert red.sum() == 8 * 16


def test_what_is_transparent_is_white(tmp_path: Path) -> None:
    clear = Image.new("RGBA", (8, 8), (255, 0, 0, 255))
    clear.paste((0, 255, 0, 0), (0, 0, 4, 8))
    found = np.asarray(open_rgb(saved(clear, tmp_path / "clear.png")))
    assert found[0, 0].tolist() == [255, 255, 255]
    assert found[0, 7].tolist() == [255, 0, 0]
    keyed = saved(Image.new("RGB", (8, 8), (1, 2, 3)), tmp_path / "keyed.png", transparency=(1, 2, 3))
    assert np.asarray(open_rgb(keyed))[0, 0].tolist() == [255, 255, 255]


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([0, 32768, 65535], np.uint16, [0, 128, 255]),
        ([0, 128, 255], np.uint16, [0, 0, 1]),
        ([0, 0.5, 1], np.float32, [0, 128, 255]),
        ([0, 128, 255], np.float32, [0, 128, 255]),
        ([0, np.nan, 131070], np.float32, [0, 0, 255]),
    ],
)
def test_deep_grey_is_scaled(tmp_path: Path, values: list[float], kind: Any, expected: list[int]) -> None:
    found = open_rgb(saved(Image.fromarray(np.array([values], kind)), tmp_path / "deep.tif"))
    assert np.asarray(found)[0, :, 1].tolist() == expected


def test_what_is_missing_or_broken_has_a_reason(tmp_path: Path, photo: Photo) -> None:
    assert reason_of(None) == "missing_file"
    assert reason_of(tmp_path / "gone.png") == "missing_file"
    assert reason_of(tmp_path) == "missing_file"
    (tmp_path / "text.png").write_bytes(b"not a picture")
    assert reason_of(tmp_path / "text.png") == "unreadable_image"
    for form in ("PNG", "JPEG", "WEBP", "GIF"):
        buffer = io.BytesIO()
        photo().save(buffer, form)
        (tmp_path / "cut").write_bytes(buffer.getvalue()[: len(buffer.getvalue()) // 2])
        assert reason_of(tmp_path / "cut") == "unreadable_image"


def test_what_is_too_large_is_not_decoded(tmp_path: Path, photo: Photo, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(photo(100, 80), tmp_path / "large.png")
    monkeypatch.setattr(picturefile, "MAX_PIXELS", 8000)
    assert open_rgb(path).size == (100, 80)
    monkeypatch.setattr(picturefile, "MAX_PIXELS", 7999)
    assert reason_of(path) == "unreadable_image"

"""Pictures are opened by the memory they take, and measured as they are seen."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, UnidentifiedImageError

from portrayal.picturefile import MAX_PIXELS, TooLargeError, _bytes_each, at_least_one, open_picture, seen_size
from portrayal.vision.pictures import Unreadable, open_rgb
from tests.samples.hostile_pictures import gif_of_comments, jpeg_of_scans, segment
from tests.samples.hostile_pictures import saved as saved_as

OPENING = """
import resource, sys
from pathlib import Path
from portrayal.vision.pictures import open_rgb
open_rgb(Path(sys.argv[1]))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
open_rgb(Path(sys.argv[2]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def saved(mode: str, size: tuple[int, int], **options: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size).save(buffer, "TIFF" if mode in ("I", "F") else "PNG", **options)
    return buffer.getvalue()


@pytest.mark.slow
def test_a_small_file_of_deep_grey_that_would_take_gigabytes_is_refused(tmp_path: Path) -> None:
    data = saved("I;16", (9_400, 9_400))
    assert len(data) < 300_000
    assert MAX_PIXELS > 9_400**2
    with pytest.raises(TooLargeError, match="9400 x 9400 pixels"), open_picture(data):
        pass
    (tmp_path / "grey.png").write_bytes(data)
    with pytest.raises(Unreadable, match="unreadable_image"):
        open_rgb(tmp_path / "grey.png")


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["I;16", "I", "F", "RGBA", "LA", "P", "L", "RGB", "CMYK"])
def test_opening_takes_no_more_memory_than_is_reckoned(mode: str, tmp_path: Path) -> None:
    side = 3_000
    name = "a.tif" if mode in ("I", "F", "CMYK") else "a.png"
    exif = Image.Exif()
    exif[0x0112] = 6
    for folder, size in (("small", 10), ("large", side)):
        (tmp_path / folder).mkdir()
        Image.new(mode, (size, size)).save(tmp_path / folder / name, exif=exif)
    paths = [str(tmp_path / folder / name) for folder in ("small", "large")]
    ran = subprocess.run([sys.executable, "-c", OPENING, *paths], capture_output=True, text=True, check=True)
    with open_picture(Path(paths[1])) as picture:
        reckoned = side * side * _bytes_each(picture)
    assert int(ran.stdout) * 1024 < reckoned + 40_000_000


@pytest.mark.slow
def test_a_small_file_may_take_less_than_a_large_one() -> None:
    data = saved("L", (6_000, 6_000))
    assert len(data) < 1_000_000
    with pytest.raises(TooLargeError, match="6000 x 6000 pixels"), open_picture(data):
        pass
    with open_picture(data + bytes(300_000 + 1_000_000 - len(data))) as picture:  # photographs are larger files
        assert picture.size == (6_000, 6_000)


def test_only_pictures_are_opened() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8)).save(buffer, "EPS")  # Pillow would start another program for this one
    with pytest.raises(UnidentifiedImageError), open_picture(buffer.getvalue()):
        pass


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_size_is_that_of_the_picture_as_it_is_seen(orientation: int, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    (tmp_path / "a.png").write_bytes(saved("RGB", (30, 20), exif=exif))
    with open_picture(tmp_path / "a.png") as picture:
        assert seen_size(picture) == open_rgb(tmp_path / "a.png").size


def test_a_thin_picture_keeps_a_pixel() -> None:
    assert at_least_one(1 / 29.3, 2048) == (1, 2048)


def test_a_jpeg_file_may_have_a_hundred_scans() -> None:
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00\x3f"
    with open_picture(jpeg_of_scans(0xC2, [scan] * 100, side=8)) as picture:
        picture.load()
    hidden = segment(0xE1, scan * 1_000)  # within a part that has a length nothing is a scan
    with open_picture(jpeg_of_scans(0xC2, [hidden, *[scan] * 100], side=8)):
        pass
    with pytest.raises(TooLargeError, match="100 scans"), open_picture(jpeg_of_scans(0xC2, [scan] * 101, side=8)):
        pass


@pytest.mark.parametrize("progressive", [False, True])
def test_what_follows_a_jpeg_file_does_not_count(progressive: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(saved_as("JPEG", (8, 8), progressive=progressive) * 200)
    with open_picture(path) as picture:
        picture.load()


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_tags_of_a_usual_picture_are_read(form: str) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x927C] = 6, b"made by" * 9_000
    with open_picture(saved_as(form, (4, 2), exif=exif)) as picture:
        assert seen_size(picture) == (2, 4)
        assert len(picture.getexif()[0x927C]) == 63_000


def test_progressive_photographs_are_opened() -> None:
    with open_picture(saved_as("JPEG", (64, 64), progressive=True)) as picture:
        picture.load()


def test_a_gif_file_may_have_some_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(gif_of_comments(900))
    with open_picture(path) as picture:
        picture.load()
    with pytest.raises(TooLargeError, match="comments"), open_picture(gif_of_comments(2_000)):
        pass

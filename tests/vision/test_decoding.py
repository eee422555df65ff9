"""Each way from a file to pixels, and how they travel."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import struct
import zlib
from collections.abc import Callable
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from portrayal.errors import DamagedError
from portrayal.store.images.image_folder import ImageFolder
from portrayal.vision import decoding
from portrayal.vision.decoding import DecodedFile, DecodeMode, decode_files, files_of
from portrayal.vision.gpu.reader import _plain as plain_file
from portrayal.vision.gpu.unfilter import unfilter
from portrayal.vision.pictures import Unreadable, open_rgb
from portrayal.vision.preprocessing import Preprocessing

pytestmark = pytest.mark.slow

WAYS: tuple[DecodeMode, ...] = ("exact", "quick", "packed")
Photo = Callable[..., Image.Image]


def opened(paths: list[Path | None], preprocessing: Preprocessing, way: DecodeMode = "exact") -> list[DecodedFile]:
    """Open files as a worker does and take what it hands back through a pipe."""
    return files_of(pickle.loads(pickle.dumps(decode_files(paths, preprocessing, way))))


def pixels_of(file: DecodedFile, preprocessing: Preprocessing) -> Any:
    """Return a file's pixels as the model wants them, whichever way it was opened."""
    assert not file.reason
    if file.size is None:
        return file.pixels
    rows = torch.tensor(file.pixels)[None]
    return preprocessing.apply(Image.fromarray(unfilter(rows, *file.size)[0].numpy()))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16", "F"])
@pytest.mark.parametrize("way", WAYS)
def test_a_file_of_any_kind_is_what_the_models_own_code_would_see(
    tmp_path: Path, preprocessing: Preprocessing, photo: Photo, mode: str, way: DecodeMode
) -> None:
    path = tmp_path / ("picture.tif" if mode in ("CMYK", "F") else "picture.png")
    photo().convert(mode).save(path)
    (file,) = opened([path], preprocessing, way)
    np.testing.assert_array_equal(pixels_of(file, preprocessing), preprocessing.apply(open_rgb(path)))
    assert (file.size is not None) is (way == "packed" and mode == "RGB")


@pytest.mark.parametrize("way", WAYS)
def test_files_keep_their_places_and_bad_ones_have_a_reason(
    files: list[Path], preprocessing: Preprocessing, way: DecodeMode
) -> None:
    found = opened([*files, None, files[0].parent], preprocessing, way)
    reasons = {number: file.reason for number, file in enumerate(found) if file.reason}
    assert reasons == {5: "unreadable_image", 6: "missing_file", 23: "missing_file", 24: "missing_file"}
    for number, (file, path) in enumerate(zip(found, files, strict=False)):
        if file.reason:
            assert (file.pixels, file.size) == (None, None)
        elif way == "exact" or number % 2 == 0:
            np.testing.assert_array_equal(pixels_of(file, preprocessing), preprocessing.apply(open_rgb(path)))


def test_small_results_and_large_ones_travel_alike(
    tmp_path: Path, preprocessing: Preprocessing, photo: Photo, no_memory_left_behind: None
) -> None:
    paths: list[Path | None] = [tmp_path / name for name in ("a.png", "b.png", "c.jpg", "gone.png", "d.png")]
    for number in (0, 1, 2, 4):
        path = paths[number]
        assert path is not None
        photo(1000, 500 + number, number).save(path)
    chunk = decode_files(paths, preprocessing, "packed")
    assert chunk.shared
    assert len(pickle.dumps(chunk)) < 2000
    found = files_of(chunk)
    for file, path in zip(found, paths, strict=True):
        assert path is not None
        if path.name == "gone.png":
            assert file == DecodedFile(reason="missing_file")
            continue
        (alone,) = opened([path], preprocessing, "packed" if path.suffix == ".png" else "quick")
        assert file.size == alone.size
        np.testing.assert_array_equal(file.pixels, alone.pixels)
    with pytest.raises(FileNotFoundError):
        SharedMemory(chunk.shared)


def test_rows_have_the_length_that_their_size_says(files: list[Path], preprocessing: Preprocessing) -> None:
    for file in opened([path for path in files if path.suffix == ".png"], preprocessing, "packed"):
        if not file.reason:
            assert file.size is not None
            assert file.pixels is not None
            assert file.pixels.shape == (file.size[0] * (1 + 3 * file.size[1]),)


def full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_without_shared_memory_the_pipe_does_it(
    tmp_path: Path,
    preprocessing: Preprocessing,
    photo: Photo,
    monkeypatch: pytest.MonkeyPatch,
    no_memory_left_behind: None,
) -> None:
    photo(1000, 800).save(tmp_path / "a.png")
    (expected,) = opened([tmp_path / "a.png"], preprocessing, "packed")
    reserved = []

    def reserve(*given: int) -> None:
        reserved.append(given)
        full()

    monkeypatch.setattr(os, "posix_fallocate", reserve)
    chunk = decode_files([tmp_path / "a.png"], preprocessing, "packed")
    assert reserved[0][1:] == (0, 800 * 3001)
    assert not chunk.shared
    np.testing.assert_array_equal(files_of(chunk)[0].pixels, expected.pixels)
    monkeypatch.setattr(decoding, "SharedMemory", full)
    np.testing.assert_array_equal(opened([tmp_path / "a.png"], preprocessing, "packed")[0].pixels, expected.pixels)


def difference(path: Path, preprocessing: Preprocessing) -> float:
    """Return by how much the quick way differs from the exact one, in levels."""
    quick, exact = (
        pixels_of(opened([path], preprocessing, way)[0], preprocessing).astype(int) for way in ("quick", "exact")
    )
    return float(np.abs(quick - exact).mean())


@pytest.mark.parametrize("turn", [None, *range(1, 9)])
def test_the_quick_way_through_a_large_jpeg_file_sees_almost_the_same(
    tmp_path: Path, preprocessing: Preprocessing, photo: Photo, turn: int | None
) -> None:
    path, exif = tmp_path / "picture.jpg", Image.Exif()
    if turn is not None:
        exif[0x0112] = turn
    photo(640, 408).save(path, exif=exif, quality=95)
    assert 0 < difference(path, preprocessing) < 0.7


@pytest.mark.parametrize("ending", [".jpeg", ".JPG"])
@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
def test_the_quick_way_knows_jpeg_files_by_other_names_and_in_other_colours(
    tmp_path: Path, preprocessing: Preprocessing, photo: Photo, mode: str, ending: str
) -> None:
    path = tmp_path / f"picture{ending}"
    photo(640, 408).convert(mode).save(path, "JPEG", quality=95)
    assert 0 < difference(path, preprocessing) < 0.7
    for size in ((641, 408), (636, 412), (638, 411)):  # an eighth of these would be moved by some part of a pixel
        photo(*size).convert(mode).save(path, "JPEG", quality=95)
        assert difference(path, preprocessing) < 0.7


def test_the_quick_way_decodes_fewer_pixels(
    tmp_path: Path, preprocessing: Preprocessing, photo: Photo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, size in enumerate([(640, 400), (320, 252), (100, 82), (320, 251), (640, 240)]):
        photo(*size).save(tmp_path / f"{number}.jpg")
    sizes: list[tuple[int, int]] = []
    apply = Preprocessing.apply

    def noted(self: Preprocessing, picture: Image.Image) -> Any:
        sizes.append(picture.size)
        return apply(self, picture)

    monkeypatch.setattr(Preprocessing, "apply", noted)
    decode_files([tmp_path / f"{number}.jpg" for number in range(5)], preprocessing, "quick")
    assert sizes == [(80, 50), (80, 63), (50, 41), (320, 251), (160, 60)]


@pytest.mark.parametrize("way", WAYS)
def test_what_is_too_large_or_too_thin_is_refused_either_way(
    tmp_path: Path, preprocessing: Preprocessing, photo: Photo, monkeypatch: pytest.MonkeyPatch, way: DecodeMode
) -> None:
    from portrayal import picturefile
    from portrayal.vision import headers

    for module in (headers, decoding, picturefile):
        monkeypatch.setattr(module, "MAX_PIXELS", 40_000)
    paths: list[Path | None] = []
    for number, size in enumerate([(200, 200), (201, 200), (1, 39), (2, 400), (400, 2)]):
        for ending in (".jpg", ".png"):
            paths.append(tmp_path / f"{number}{ending}")
            photo(*size).save(tmp_path / f"{number}{ending}")
    reasons = [file.reason for file in opened(paths, preprocessing, way)]
    # The third, enlarged to 32 pixels across, has 32 x 1248; the others would have 32 x 6400.
    assert reasons == ["", "", *["unreadable_image"] * 2, "", "", *["unreadable_image"] * 4]


def written(folder: Path, rows: bytes, size: tuple[int, int] = (20, 16)) -> Path:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    start = chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0))
    data = b"\x89PNG\r\n\x1a\n" + start + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    (folder / "rows.png").write_bytes(data)
    return folder / "rows.png"


@pytest.mark.parametrize("rows", [b"", bytes(15 * 61), bytes(17 * 61), bytes(5_000_000), b"\x05" + bytes(16 * 61 - 1)])
def test_rows_that_do_not_fit_are_left_to_pillow(tmp_path: Path, preprocessing: Preprocessing, rows: bytes) -> None:
    path = written(tmp_path, rows)
    (file,) = opened([path], preprocessing, "packed")
    assert file.size is None
    try:
        expected = DecodedFile(preprocessing.apply(open_rgb(path)))
    except Unreadable as error:
        expected = DecodedFile(reason=error.reason)
    assert file.reason == expected.reason
    np.testing.assert_array_equal(file.pixels, expected.pixels)


def test_a_file_that_unpacks_to_gigabytes_does_not_do_so_here(
    tmp_path: Path, preprocessing: Preprocessing, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tracemalloc

    path = written(tmp_path, bytes(100_000_000))
    assert path.stat().st_size < 200_000
    tracemalloc.start()
    try:
        (file,) = opened([path], preprocessing, "packed")
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
    assert file.size is None


def _png() -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((20, 16), 50).convert("RGB").save(buffer, "PNG")
    return buffer.getvalue()


PNG = _png()


@settings(max_examples=150)
@given(data=st.data())
def test_a_damaged_file_never_gives_other_pixels_than_pillow_would(
    tmp_path_factory: pytest.TempPathFactory, preprocessing: Preprocessing, data: st.DataObject
) -> None:
    """The short way may read what Pillow refuses for a wrong checksum, but not differently."""
    path = tmp_path_factory.getbasetemp() / "damaged.png"
    damaged = bytearray(PNG)
    for _ in range(data.draw(st.integers(1, 2))):
        damaged[data.draw(st.integers(0, len(PNG) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(damaged[: data.draw(st.sampled_from([len(PNG), len(PNG) - 3, 60]))])
    (short,), (long,) = opened([path], preprocessing, "packed"), opened([path], preprocessing, "exact")
    if not long.reason:
        np.testing.assert_array_equal(pixels_of(short, preprocessing), long.pixels)


@pytest.mark.parametrize("ending", ["png", "jpg"])
@pytest.mark.parametrize("way", [*WAYS, "gpu"])
def test_a_stored_picture_with_other_bytes_than_its_name_says_is_damaged(
    tmp_path: Path, preprocessing: Preprocessing, photo: Photo, way: DecodeMode | Literal["gpu"], ending: str
) -> None:
    buffer = io.BytesIO()
    photo().save(buffer, "PNG" if ending == "png" else "JPEG")
    name = hashlib.sha256(buffer.getvalue()).hexdigest()
    path = ImageFolder(tmp_path).path(name, ending)
    ImageFolder(tmp_path).add({(name, ending): buffer.getvalue() + b"\0"})
    with pytest.raises(DamagedError, match=name):
        plain_file(path) if way == "gpu" else decode_files([path], preprocessing, way)

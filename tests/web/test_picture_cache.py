"""Pictures for raters: nothing but pixels, the same file format for all, made once, and a worse copy for checks."""

from __future__ import annotations

import asyncio
import hashlib
import io
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageCms, ImageFile, JpegImagePlugin, PngImagePlugin

from portrayal.errors import DamagedError, InputError, StorageError
from portrayal.store.images.image_folder import ImageFolder
from portrayal.web import picture_cache
from portrayal.web.picture_cache import LONGEST_SIDE, PictureCache, encode_jpeg, open_clean

PLANTED = "SECRET-model-sdxl-v9"
"""What sources carry in every place a file has for it, and no output may."""

A1111 = f"a photo of a nurse\nSteps: 20, Sampler: Euler a, Seed: 1, Model: {PLANTED}"
XMP = f"<x:xmpmeta xmlns:x='adobe:ns:meta/'><d>{PLANTED}</d></x:xmpmeta>".encode()
WHEN = "2024:05:06 07:08:09"


def scene(width: int = 96, height: int = 64, seed: int = 0) -> Image.Image:
    """Draw something with detail: a gradient, edges and some texture; the top left is dark, the bottom right light."""
    down, across = np.mgrid[0:height, 0:width]
    grey = 40 + 150 * (down / height + across / width) / 2 + 20 * ((across // 7 + down // 5) % 2)
    texture = np.random.default_rng(seed).normal(0, 8, (height, width))
    values = np.stack([grey + texture, grey * 0.9, grey * 0.8 + texture], axis=-1)
    return Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))


def exif(orientation: int = 1) -> Image.Exif:
    tags = Image.Exif()
    tags[0x010F], tags[0x0110], tags[0x0131], tags[0x0132] = PLANTED, PLANTED, PLANTED, WHEN
    tags[0x0112] = orientation
    tags.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, 12.0), 3: "E", 4: (13.0, 24.0, 18.0), 29: "2024:05:06"})
    tags.get_ifd(0x8769).update({0x9003: WHEN, 0x9286: PLANTED.encode()})
    return tags


def profile() -> bytes:
    made = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return made[:-20] + PLANTED.encode()[:20]  # at its end is padding or text, which no conversion reads


def saved(picture: Image.Image, form: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()


def png_text() -> PngImagePlugin.PngInfo:
    info = PngImagePlugin.PngInfo()
    info.add_text("parameters", A1111)
    info.add_text("Software", PLANTED, zip=True)
    info.add_itxt("XML:com.adobe.xmp", XMP.decode())
    info.add_text("date:create", WHEN)
    return info


def sixteen_bits() -> Image.Image:
    return Image.fromarray(np.asarray(scene().convert("L")).astype(np.uint16) * 257)


def see_through_palette() -> bytes:
    picture = scene().quantize(16)
    return saved(picture, "PNG", transparency=picture.getpixel((0, 0)), pnginfo=png_text())


def cut_out() -> Image.Image:
    picture = scene().convert("RGBA")
    picture.paste((0, 0, 0, 0), (0, 0, 40, 40))
    return picture


SOURCES: dict[str, Callable[[], tuple[str, bytes]]] = {
    "png with parameters": lambda: ("png", saved(scene(), "PNG", pnginfo=png_text(), exif=exif(), dpi=(301, 301))),
    "png with a profile": lambda: ("png", saved(scene(), "PNG", icc_profile=profile())),
    "png in 16 bits": lambda: ("png", saved(sixteen_bits(), "PNG", pnginfo=png_text())),
    "png palette": lambda: ("png", see_through_palette()),
    "png cut out": lambda: ("png", saved(cut_out(), "PNG", pnginfo=png_text())),
    "png interlaced bits": lambda: ("png", saved(scene().convert("1"), "PNG", pnginfo=png_text())),
    "jpeg": lambda: (
        "jpg",
        saved(scene(), "JPEG", exif=exif(6), comment=PLANTED.encode(), xmp=XMP, icc_profile=profile(), dpi=(301, 301)),
    ),
    "jpeg progressive": lambda: ("jpg", saved(scene(), "JPEG", quality=31, progressive=True, comment=PLANTED.encode())),
    "jpeg grey": lambda: ("jpeg", saved(scene().convert("L"), "JPEG", comment=PLANTED.encode())),
    "jpeg cmyk": lambda: ("jpg", saved(scene().convert("CMYK"), "JPEG", exif=exif(), comment=PLANTED.encode())),
    "jpeg several views": lambda: (
        "jpg", saved(scene(), "MPO", save_all=True, append_images=[scene(seed=1)], exif=exif()),
    ),
    "webp": lambda: ("webp", saved(scene(), "WEBP", exif=exif(8), xmp=XMP, icc_profile=profile())),
    "webp without loss": lambda: ("webp", saved(cut_out(), "WEBP", lossless=True, xmp=XMP)),
    "gif": lambda: ("gif", saved(scene(), "GIF", comment=PLANTED.encode())),
    "gif moving": lambda: (
        "gif", saved(scene(), "GIF", save_all=True, append_images=[scene(seed=1)], comment=PLANTED.encode()),
    ),
    "tiff": lambda: ("tif", saved(scene(), "TIFF", exif=exif(), icc_profile=profile(), software=PLANTED)),
    "bmp": lambda: ("bmp", saved(scene(), "BMP") + PLANTED.encode()),
    "avif": lambda: ("avif", saved(scene(), "AVIF", exif=exif(), xmp=XMP, icc_profile=profile())),
}  # fmt: skip


class Gallery:
    """A store with pictures in it, and what raters see of them."""

    def __init__(self, folder: Path) -> None:
        self.store = ImageFolder(folder / "images")
        self.cache = folder / "arena" / "cache"
        self.shown = PictureCache(self.store, self.cache)

    def add(self, data: bytes, ext: str = "png") -> str:
        image = hashlib.sha256(data).hexdigest()
        self.store.add({(image, ext): data})
        return f"{image}.{ext}"

    def get(self, name: str, degraded: bool = False) -> bytes:
        return asyncio.run(self.shown.get(name, degraded))

    def kept(self) -> list[Path]:
        return sorted(self.cache.rglob("*.jpg"))


@pytest.fixture
def gallery(tmp_path: Path) -> Gallery:
    return Gallery(tmp_path)


def opened(data: bytes) -> JpegImagePlugin.JpegImageFile:
    picture = Image.open(io.BytesIO(data))
    assert isinstance(picture, JpegImagePlugin.JpegImageFile)
    return picture


def segments(data: bytes) -> list[int]:
    """Return a JPEG file's markers up to its pixels."""
    place, found = 2, []
    while data[place + 1] != 0xDA:
        assert data[place] == 0xFF
        found.append(data[place + 1])
        place += 2 + int.from_bytes(data[place + 2 : place + 4])
    return found


@pytest.mark.parametrize("degraded", [False, True])
@pytest.mark.parametrize("kind", SOURCES)
def test_nothing_is_left_of_what_a_source_says_about_itself(gallery: Gallery, kind: str, degraded: bool) -> None:
    ext, source = SOURCES[kind]()
    name = gallery.add(source, ext)
    data = gallery.get(name, degraded)
    for told in (PLANTED, "2024", "Steps", "nurse", "adobe", "Exif", "ICC", "Ducky", "http", name[:16]):
        assert told.encode() not in data, told
    assert segments(data) == [0xE0, 0xDB, 0xDB, 0xC0, 0xC4, 0xC4, 0xC4, 0xC4], "JFIF, tables, baseline, tables"
    picture = opened(data)
    assert set(picture.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert (picture.info["jfif_version"], picture.info["jfif_density"]) == ((1, 1), (1, 1))
    assert picture.mode == "RGB"


def test_the_sources_do_carry_what_is_planted() -> None:
    for kind, make in SOURCES.items():
        data = make()[1]
        unpacked = Image.open(io.BytesIO(data)).info.get("icc_profile", b"")
        assert PLANTED[:20].encode() in data + unpacked, f"{kind}: else the test above proves nothing"


def test_every_source_gets_the_same_encoder(gallery: Gallery) -> None:
    made = [opened(gallery.get(gallery.add(data, ext))) for ext, data in (make() for make in SOURCES.values())]
    assert len({str(picture.quantization) for picture in made}) == 1
    assert {JpegImagePlugin.get_sampling(picture) for picture in made} == {0}, "4:4:4"
    assert {picture.size for picture in made} == {(96, 64), (64, 96)}, "two were turned"


def test_the_same_pixels_are_the_same_file_whatever_they_came_in(gallery: Gallery) -> None:
    forms = [("png", saved(scene(), "PNG", pnginfo=png_text())), ("webp", saved(scene(), "WEBP", lossless=True))]
    forms += [("bmp", saved(scene(), "BMP")), ("tif", saved(scene(), "TIFF"))]
    assert len({gallery.get(gallery.add(data, ext)) for ext, data in forms}) == 1


HELD = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""How a camera held that way stores what it sees."""


@pytest.mark.parametrize("orientation", HELD)
def test_a_picture_stands_upright(tmp_path: Path, orientation: int) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(saved(scene().transpose(HELD[orientation]), "PNG", exif=exif(orientation)))
    assert np.array_equal(np.asarray(open_clean(path)), np.asarray(scene()))


def test_colours_become_srgb(tmp_path: Path) -> None:
    lab = ImageCms.createProfile("LAB")
    swapped = _channel_swapping_profile()
    path = tmp_path / "a.png"
    path.write_bytes(saved(scene(), "PNG", icc_profile=swapped))
    seen = np.asarray(open_clean(path)).astype(int)
    assert np.abs(seen - np.asarray(scene())[..., [2, 1, 0]].astype(int)).mean() < 3, "red and blue changed places"
    path.write_bytes(saved(scene(), "PNG", icc_profile=ImageCms.ImageCmsProfile(lab).tobytes()))
    assert np.array_equal(np.asarray(open_clean(path)), np.asarray(scene())), "a profile for other pictures"
    path.write_bytes(saved(scene(), "PNG", icc_profile=b"no profile at all"))
    assert np.array_equal(np.asarray(open_clean(path)), np.asarray(scene()))


def _channel_swapping_profile() -> bytes:
    """Return sRGB with its red and blue primaries exchanged: a conversion that anyone can see."""
    data = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return data.replace(b"rXYZ", b"????").replace(b"bXYZ", b"rXYZ").replace(b"????", b"bXYZ")


def _grey_profile(gamma: float) -> bytes:
    """Return a profile for grey pictures, put together by hand: the ICC's version 2 with the tags it demands."""
    white = b"XYZ \0\0\0\0" + b"".join(round(part * 65536).to_bytes(4) for part in (0.9642, 1.0, 0.8249))
    curve = b"curv\0\0\0\0" + (1).to_bytes(4) + round(gamma * 256).to_bytes(2) + b"\0\0"
    name = b"desc\0\0\0\0" + (2).to_bytes(4) + b"g\0" + b"\0" * 78
    parts = {b"wtpt": white, b"kTRC": curve, b"desc": name, b"cprt": b"text\0\0\0\0g\0\0\0"}
    table, data = len(parts).to_bytes(4), b""
    for tag, part in parts.items():
        table += tag + (132 + 12 * len(parts) + len(data)).to_bytes(4) + len(part).to_bytes(4)
        data += part + b"\0" * (-len(part) % 4)
    head = (132 + 12 * len(parts) + len(data)).to_bytes(4) + b"\0\0\0\0" + b"\x02\x10\0\0" + b"mntrGRAYXYZ "
    head += b"\0" * 12 + b"acsp" + b"\0" * 28 + white[8:]
    return head.ljust(128, b"\0") + table + data


@pytest.mark.parametrize(("gamma", "seen"), [(1.0, 188), (2.2, 128)])
def test_grey_has_profiles_too_and_is_turned_as_well(tmp_path: Path, gamma: float, seen: int) -> None:
    path = tmp_path / "a.jpg"
    grey = Image.new("L", (40, 20), 128)
    path.write_bytes(saved(grey, "JPEG", icc_profile=_grey_profile(gamma), exif=exif(6)))
    picture = open_clean(path)
    assert picture.size == (20, 40)
    assert np.abs(np.asarray(picture).astype(int) - seen).max() <= 2


def test_deep_grey_and_transparency_look_as_they_should(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(saved(sixteen_bits(), "PNG"))
    grey = np.asarray(scene().convert("L"))
    assert np.abs(np.asarray(open_clean(path))[..., 0].astype(int) - grey).max() <= 1
    path.write_bytes(saved(cut_out(), "PNG"))
    assert open_clean(path).getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("size", "fitted"),
    [((1024, 1024), (1024, 1024)), ((2048, 1024), (1024, 512)), ((600, 1200), (512, 1024)), ((40, 30), (40, 30))],
)
def test_large_pictures_are_fitted_and_small_ones_left(
    tmp_path: Path, size: tuple[int, int], fitted: tuple[int, int]
) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(saved(Image.new("RGB", size, "teal"), "JPEG"))
    assert open_clean(path).size == fitted
    assert max(fitted) <= LONGEST_SIDE


def likeness(one: Image.Image, two: Image.Image) -> float:
    """Return how alike two pictures are in detail: the mean structural similarity of 8 x 8 tiles, 1 = the same."""
    tiles = [np.asarray(picture.convert("L"), dtype=np.float64) for picture in (one, two)]
    height, width = (size // 8 * 8 for size in tiles[0].shape)
    a, b = (tile[:height, :width].reshape(height // 8, 8, width // 8, 8).swapaxes(1, 2) for tile in tiles)
    mean_a, mean_b = a.mean((2, 3)), b.mean((2, 3))
    both = (a * b).mean((2, 3)) - mean_a * mean_b
    light = (2 * mean_a * mean_b + 6.5) / (mean_a**2 + mean_b**2 + 6.5)
    detail = (2 * both + 58.5) / (a.var((2, 3)) + b.var((2, 3)) + 58.5)
    return float((light * detail).mean())


@pytest.mark.parametrize("picture", [scene(640, 480), scene(96, 64), Image.new("RGB", (300, 300), "tan")])
def test_a_degraded_copy_is_worse_for_anyone(gallery: Gallery, picture: Image.Image) -> None:
    name = gallery.add(saved(picture, "PNG"))
    intact, degraded = opened(gallery.get(name)), opened(gallery.get(name, degraded=True))
    assert degraded.size == intact.size
    assert likeness(intact, picture) > 0.8
    assert likeness(degraded, intact) < 0.4 or picture.getcolors(1), "one colour has no detail to lose"
    off = np.abs(np.asarray(degraded).astype(int) - np.asarray(intact).astype(int))
    assert off.mean() > 20, "of 255"


def test_degraded_copies_are_the_same_each_time_and_different_for_each_picture(tmp_path: Path) -> None:
    names = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        gallery = Gallery(folder)
        names.append([gallery.get(gallery.add(saved(scene(seed=seed), "PNG")), degraded=True) for seed in range(3)])
    assert names[0] == names[1]
    assert len(set(names[0])) == 3


@pytest.mark.slow
def test_the_larger_file_is_now_one_and_now_the_other(gallery: Gallery) -> None:
    larger = 0
    for seed in range(16):
        name = gallery.add(saved(scene(192, 192, seed), "PNG"))
        intact, degraded = len(gallery.get(name)), len(gallery.get(name, degraded=True))
        assert 0.4 < degraded / intact < 2.5
        larger += degraded > intact
    assert 2 <= larger <= 14


def test_a_picture_is_made_once(gallery: Gallery, monkeypatch: pytest.MonkeyPatch) -> None:
    name = gallery.add(saved(scene(), "PNG"))
    first = gallery.get(name)
    monkeypatch.setattr(picture_cache, "open_clean", None)
    assert gallery.get(name) == first
    assert Gallery(gallery.cache.parent.parent).get(name) == first, "after a restart, too"


def test_names_in_the_cache_tell_nothing(gallery: Gallery) -> None:
    name = gallery.add(saved(scene(), "PNG"))
    gallery.get(name)
    gallery.get(name, degraded=True)
    kept = gallery.kept()
    assert len(kept) == 2
    assert all(re.fullmatch(r"[0-9a-f]{64}\.jpg", path.name) and name[:64] not in path.name for path in kept)


@pytest.mark.parametrize(
    "damage",
    [lambda data: b"", lambda data: data[:-1], lambda data: data[:30], lambda data: data[:50] + b"x" + data[51:]],
)
def test_a_damaged_kept_file_is_made_again(gallery: Gallery, damage: Callable[[bytes], bytes]) -> None:
    name = gallery.add(saved(scene(), "PNG"))
    first = gallery.get(name)
    (kept,) = gallery.kept()
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    assert gallery.get(name) == first
    assert kept.read_bytes() == whole


def test_left_overs_of_a_crash_are_removed(gallery: Gallery) -> None:
    gallery.get(gallery.add(saved(scene(), "PNG")))
    (kept,) = gallery.kept()
    (kept.parent / ".tmp-1-x.jpg").write_bytes(b"half")
    PictureCache(gallery.store, gallery.cache)
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_a_full_disk_takes_no_picture_away(gallery: Gallery, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise StorageError(f"{path}: the disk is full")

    monkeypatch.setattr(picture_cache, "write_atomic", full)
    assert gallery.get(gallery.add(saved(scene(), "PNG"))) == encode_jpeg(scene())
    assert gallery.kept() == []


@pytest.mark.parametrize(
    "name",
    [
        "", "..", "../../study.toml", f"{'a' * 64}", f"{'a' * 64}.p/g", f"{'A' * 64}.png", f"{'a' * 63}/.png",
        f"../{'a' * 61}.png", f"{'a' * 64}.png\n", f"{'a' * 64}.png\0", f"/etc/{'a' * 59}.png", f"{'a' * 64}.PNG",
        f"%2e%2e/{'a' * 57}.png", f"{'٣' * 64}.png",
    ],
)  # fmt: skip
def test_only_names_of_pictures_are_looked_up(gallery: Gallery, name: str) -> None:
    with pytest.raises(InputError, match="is not the name of an image"):
        gallery.get(name)


def test_what_cannot_be_shown_is_one_clear_line(gallery: Gallery, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = saved(scene(), "PNG")
    with pytest.raises(InputError, match="the image is gone"):
        gallery.get(f"{'a' * 64}.png")
    for broken in (b"", b"text", whole[: len(whole) // 2], saved(scene(), "PPM")):  # the last is none of those known
        with pytest.raises(InputError, match=r"cannot be read \(\w+\)"):
            gallery.get(gallery.add(broken))
    assert gallery.kept() == []
    monkeypatch.setattr("portrayal.picturefile.MAX_PIXELS", 96 * 64 - 1)
    with pytest.raises(InputError, match="96 x 64 pixels"):
        gallery.get(gallery.add(whole))
    monkeypatch.setattr(picture_cache, "_MOST_BYTES", 10)
    with pytest.raises(InputError, match="over 0 MB"):
        gallery.get(gallery.add(whole))


@pytest.mark.slow
def test_a_small_file_of_very_many_pixels_is_refused_before_it_unpacks(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = saved(Image.new("1", (20_000, 20_000)), "PNG")
    assert len(bomb) < 100_000
    name, unpacked = gallery.add(bomb), list[Image.Image]()
    monkeypatch.setattr(ImageFile.ImageFile, "load", unpacked.append)
    with pytest.raises(InputError):
        gallery.get(name)
    assert unpacked == []


def test_a_burst_opens_two_at_a_time_and_each_once(gallery: Gallery, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, most, asked, lock, two = 0, 0, 0, threading.Lock(), threading.Barrier(2)

    def slow(path: Path) -> Image.Image:
        nonlocal at_once, most, asked
        with lock:
            at_once, asked = at_once + 1, asked + 1
            most = max(most, at_once)
        two.wait()
        with lock:
            at_once -= 1
        return open_clean(path)

    monkeypatch.setattr(picture_cache, "open_clean", slow)
    names = [gallery.add(saved(scene(seed=seed), "PNG")) for seed in range(6)]

    async def burst() -> list[bytes]:
        return await asyncio.gather(*(gallery.shown.get(name) for name in names * 5))

    assert len(set(asyncio.run(burst()))) == 6
    assert (most, asked) == (2, 6)


def test_who_goes_away_takes_no_picture_from_others(gallery: Gallery, monkeypatch: pytest.MonkeyPatch) -> None:
    name = gallery.add(saved(scene(), "PNG"))
    begun, go = threading.Event(), threading.Event()

    def slow(path: Path) -> Image.Image:
        begun.set()
        go.wait()
        return open_clean(path)

    monkeypatch.setattr(picture_cache, "open_clean", slow)

    async def two() -> bytes:
        first = asyncio.create_task(gallery.shown.get(name))
        await asyncio.to_thread(begun.wait)
        second = asyncio.create_task(gallery.shown.get(name))
        await asyncio.sleep(0.05)
        first.cancel()
        go.set()
        return await second

    assert asyncio.run(two()) == encode_jpeg(scene())


def test_an_error_that_nobody_waits_for_is_not_logged(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    name, go = gallery.add(b"broken"), threading.Event()
    monkeypatch.setattr(picture_cache, "open_clean", lambda path: (go.wait(), open_clean(path))[1])

    async def leave() -> None:
        asked = asyncio.create_task(gallery.shown.get(name))
        await asyncio.sleep(0.05)
        asked.cancel()
        go.set()
        while gallery.shown._making:
            await asyncio.sleep(0.01)

    asyncio.run(leave())
    assert caplog.records == []


def test_a_picture_of_much_detail_is_written_whole() -> None:
    """Noise takes more than a byte a pixel, the most that Pillow holds at a time where it optimises."""
    pixels = np.random.default_rng(0).integers(256, size=(512, 512, 3), dtype=np.uint8)
    data = encode_jpeg(Image.fromarray(pixels))
    assert len(data) > 512 * 512
    assert Image.open(io.BytesIO(data)).size == (512, 512)


def test_a_damaged_picture_is_not_shown(gallery: Gallery) -> None:
    name = gallery.add(saved(scene(), "JPEG"), "jpg")
    path = gallery.store.path(name[:64], "jpg")
    path.write_bytes(path.read_bytes() + b"\0")
    with pytest.raises(DamagedError, match="the image is damaged"):
        gallery.get(name)
    assert gallery.kept() == []

"""With files as Pillow writes them, and with pieces put together by hand."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from portrayal.vision import headers
from portrayal.vision.headers import plain_jpeg, plain_png

XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description %s/></rdf:RDF></x:xmpmeta>'
TURNED_XMP, UPRIGHT_XMP = XMP % b'tiff:Orientation="6"', XMP % b'dc:creator="a program"'


def picture(mode: str = "RGB", size: tuple[int, int] = (23, 17)) -> Image.Image:
    pixels = np.random.default_rng(3).integers(0, 256, (size[1], size[0], 4), dtype=np.uint8)
    return Image.fromarray(pixels).convert("RGB").convert(mode)


def saved(form: str, mode: str = "RGB", size: tuple[int, int] = (23, 17), **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture(mode, size).save(buffer, form, **options)
    return buffer.getvalue()


def segment(marker: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def with_segment(data: bytes, marker: int, content: bytes, *, before: bytes = b"") -> bytes:
    """Put a segment after the first two bytes, or before the first of certain others."""
    place = data.index(before) if before else 2
    return data[:place] + segment(marker, content) + data[place:]


def replaced(old: bytes, new: bytes) -> bytes:
    assert JPEG.count(old) == 1
    return JPEG.replace(old, new)


def exif(**tags: Any) -> bytes:
    found = Image.Exif()
    for name, value in tags.items():
        found[{"turn": 0x0112, "program": 0x0131, "comment": 0x9286}[name]] = value
    return found.tobytes()


JPEG, PNG = saved("JPEG"), saved("PNG")
SCAN = b"\xff\xda"


@pytest.mark.parametrize(
    ("data", "plain"),
    [
        (JPEG, True),
        (saved("JPEG", quality=100, subsampling=0), True),
        (saved("JPEG", optimize=True), True),
        (saved("JPEG", size=(1, 1)), True),
        (saved("JPEG", restart_marker_blocks=1), True),
        (saved("JPEG", comment="made by a program"), True),
        (saved("JPEG", icc_profile=b"colours" * 20_000), True),
        (saved("JPEG", exif=exif(program="made by a program, seed 7")), True),
        (saved("JPEG", xmp=UPRIGHT_XMP), True),
        (JPEG + b"\0" * 16, True),
        (saved("JPEG", progressive=True), False),
        (saved("JPEG", mode="L"), False),
        (saved("JPEG", mode="CMYK"), False),
        (saved("JPEG", keep_rgb=True), False),
        (replaced(b"\x01\x22\x00\x02\x11\x01\x03\x11\x01", b"R\x11\0G\x11\0B\x11\0"), False),
        *((saved("JPEG", exif=exif(turn=turn)), False) for turn in range(2, 9)),
        (with_segment(JPEG, 0xE1, b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"), False),
        (with_segment(JPEG, 0xE1, b"Exif\0\0" + exif(turn=6)[6:], before=SCAN), False),
        (saved("JPEG", xmp=TURNED_XMP), False),
        (with_segment(JPEG, 0xEE, b"Adobe\0\x64\0\0\0\0\0"), False),
        (with_segment(JPEG, 0xEE, b"Adobe\0\x64\0\0\0\0\0", before=SCAN), False),
        (saved("JPEG", size=(9, 1)), False),
        (saved("JPEG", size=(1, 500)), False),
        (JPEG[:2] + b"\xff" + JPEG[2:], False),
        (JPEG[:2] + b"\0" + JPEG[2:], False),
        (JPEG + b"trailing garbage", False),
        (JPEG[:-2], False),
        (replaced(SCAN, b"\xff\xd9"), False),
        (replaced(b"\xff\xc0\x00\x11\x08", b"\xff\xc0\x00\x11\x0c"), False),
        (replaced(b"\xff\xc0\x00\x11\x08\x00\x11", b"\xff\xc0\x00\x11\x08\x00\x00"), False),
        (b"\xff\xd8\xff\xc0\x00\x11\xff\xd9", False),
        (b"\xff\xd8\xff\xc0\x00\x04\x08\x00\xff\xda\x00\x02\xff\xd9", False),
        (b"\xff\xd8\xff\xe0\x00\x00\xff\xd9", False),
        (b"\xff\xd8\xff\xd9", False),
        (JPEG[: JPEG.index(SCAN) + 6] + b"\xff\xd9", False),
        (PNG, False),
        (b"", False),
    ],
)
def test_which_jpeg_files_are_plain(data: bytes, plain: bool) -> None:
    assert plain_jpeg(data) is plain
    assert plain_jpeg(bytearray(data)) is plain


def test_a_picture_larger_than_allowed_is_not_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headers, "MAX_PIXELS", 23 * 17)
    assert plain_jpeg(JPEG)
    assert plain_png(PNG)
    monkeypatch.setattr(headers, "MAX_PIXELS", 23 * 17 - 1)
    assert not plain_jpeg(JPEG)
    assert not plain_png(PNG)


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def with_chunk(kind: bytes, content: bytes, *, before: bytes = b"IDAT") -> bytes:
    place = PNG.index(before) - 4
    return PNG[:place] + chunk(kind, content) + PNG[place:]


def text(key: str, value: str, **options: Any) -> PngImagePlugin.PngInfo:
    found = PngImagePlugin.PngInfo()
    found.add_itxt(key, value) if key.startswith("XML") else found.add_text(key, value, **options)
    return found


def header(*, depth: int = 8, colour: int = 2, packing: int = 0, filters: int = 0, interlaced: int = 0) -> bytes:
    fields = struct.pack(">IIBBBBB", 23, 17, depth, colour, packing, filters, interlaced)
    return PNG[:8] + chunk(b"IHDR", fields) + PNG[33:]


def animated() -> bytes:
    buffer = io.BytesIO()
    picture().save(buffer, "PNG", save_all=True, append_images=[picture().rotate(180)])
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "plain"),
    [
        (PNG, True),
        (saved("PNG", optimize=True), True),
        (saved("PNG", compress_level=0), True),
        (saved("PNG", size=(1, 1)), True),
        (saved("PNG", size=(300, 200), icc_profile=b"colours"), True),
        (saved("PNG", pnginfo=text("parameters", "a nurse, seed 7")), True),
        (saved("PNG", pnginfo=text("parameters", "a nurse " * 500, zip=True)), True),
        (saved("PNG", dpi=(72, 72)), True),
        (PNG + b"trailing garbage", True),
        (with_chunk(b"tEXt", b"Software\0something", before=b"IEND"), True),
        *((saved("PNG", mode=mode), False) for mode in ("1", "L", "LA", "P", "RGBA", "I;16")),
        (saved("PNG", transparency=(1, 2, 3)), False),
        (saved("PNG", exif=exif(turn=6)), False),
        (with_chunk(b"eXIf", exif(turn=6)[6:], before=b"IEND"), False),
        (saved("PNG", pnginfo=text("XML:com.adobe.xmp", TURNED_XMP.decode())), False),
        (saved("PNG", pnginfo=text("Raw profile type exif", "\nexif\n4\n49492a00")), False),
        (animated(), False),
        (saved("PNG", size=(9, 1)), False),
        (header(), True),
        (header(depth=16), False),
        (header(colour=6), False),
        (header(packing=1), False),
        (header(filters=1), False),
        (header(interlaced=1), False),
        (PNG[:8] + chunk(b"sRGB", PNG[16:29]) + PNG[33:], False),
        (PNG[:33] + chunk(b"IEND", b""), False),
        (JPEG, False),
        (b"", False),
    ],
)
def test_which_png_files_are_plain(data: bytes, plain: bool) -> None:
    assert (plain_png(data) is not None) is plain


def test_a_png_file_of_too_many_rows_for_a_card_is_not_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plain_png(saved("PNG", size=(23, 17)))
    monkeypatch.setattr(headers, "TALLEST", 16)
    assert plain_png(saved("PNG", size=(23, 17))) is None


def test_the_packed_pixels_of_a_png_file_are_joined() -> None:
    data = saved("PNG", size=(300, 200), compress_level=0)
    assert data.count(b"IDAT") > 1
    found = plain_png(data)
    assert found is not None
    height, width, packed = found
    assert (height, width) == (200, 300)
    assert len(zlib.decompress(packed)) == 200 * (1 + 3 * 300)


@settings(max_examples=200)
@given(st.data(), st.sampled_from([JPEG, saved("JPEG", restart_marker_blocks=1), PNG, saved("PNG", compress_level=0)]))
def test_a_file_cut_short_is_never_plain(data: st.DataObject, whole: bytes) -> None:
    part = whole[: data.draw(st.integers(0, len(whole) - 1))]
    assert not plain_jpeg(part)
    assert plain_png(part) is None


PIECES = st.one_of(
    st.binary(max_size=20),
    st.sampled_from([b"\xff\xd8", b"\xff\xc0\0\x11", b"\xff\xda\0\x08", b"\xff\xe1\0\x09", b"\xff\xd9", b"\xff\xff"]),
    st.sampled_from([PNG[:8], PNG[:33], PNG[8:33], b"\0\0\0\x05IDAT", b"\xff\xff\xff\xffIDAT", PNG[-12:], JPEG[:30]]),
)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(PIECES, max_size=8).map(b"".join), st.sampled_from([b"", b"\xff\xd8", PNG[:33]]))
def test_whatever_a_file_holds_nothing_is_raised(data: bytes, start: bytes) -> None:
    for found in (start + data, start + data + b"\xff\xd9"):
        assert plain_jpeg(found) in (True, False)
        assert plain_png(found) is None or len(found) > 57


@pytest.mark.slow
@settings(max_examples=200)
@given(st.data(), st.sampled_from([JPEG, PNG]))
def test_a_changed_byte_raises_nothing(data: st.DataObject, whole: bytes) -> None:
    changed = bytearray(whole)
    changed[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    plain_jpeg(bytes(changed))
    plain_png(bytes(changed))
